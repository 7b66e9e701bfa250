// Short rows that are moved as they are are copies of their bytes, whatever their type.
// run: fusec run %s --check -D M=1237 > checks
// run: fusec %s --target=c --no-test -o %t.c
// run: grep -c "  copy_row(" %t.c
fn f[M](x: f32[M, 4], y: f32[M, 13], z: f64[M, 5], p: i32[9, M, 7], t: f32[M, 3], h: bf16[M, 3]) -> (
    a: f32[M, 4], b: f32[M, 13], c: f64[M, 5], d: i32[M, 9, 7], e: f32[M, 3], g: bf16[M, 3]
) {
    a = flip(x, axis = 0);
    b = flip(y, axis = 0);
    c = flip(z, axis = 0);
    d = permute(p, 1, 0, 2);
    e = flip(t, axis = 0);
    g = flip(h, axis = 0);
}
// ---- expect
// fusec: remark: random inputs, seed 0: x, y, z, p, t, h
// 6
