// Sums of several products are as many rows apart as a tile has: the memory has no more.
// run: fusec %s -D M=1 --tile parallel=0 --no-test -o %t.c
// run: grep -h "sums_size = " %t.c
// run: fusec run %s -D M=1 --tile parallel=0 --check --cache=off > checks
@constant(w)
fn turned[M](x: f32[M, 2], w: bf16[2, 16]) -> (y: f32[M, 16]) {
    a, b = split(x @ w, 2, axis = 1);
    y = concat(-b, a, axis = -1);
}
// ---- expect
//             const idx sums_size = EVEN_ROWS(1) * NR;
// fusec: remark: random inputs, seed 0: x, w
