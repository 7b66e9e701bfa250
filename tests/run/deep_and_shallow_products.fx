// Micro-kernels add to sums only in files where a product has several blocks of k, and have loops for
// the ends of rows only where there are such ends.
// run: fusec %s --fn shallow --target=c -o %t.c
// run: grep -c "define FX_ADDS 0" %t.c
// run: grep "define FX_HAS_ENDS" %t.c
// run: fusec %s --fn both --target=c -o %t.c
// run: grep "define FX_ADDS " %t.c
// run: grep "define FX_HAS_ENDS" %t.c
// run: fusec run %s --fn shallow --check > checks
// run: fusec run %s --fn both --check > checks
// run: cc -Og -march=x86-64 -DVL=4 -DFUSEC_MAIN -Wno-psabi %t.c -o %t -lm
// run: ./%t > checks
fn shallow(x: f32[65, 200], w: f32[200, 64]) -> (y: f32[65, 64]) { y = x @ w; }

fn both(x: f32[65, 200], w: f32[200, 76], v: f32[1300, 64], u: f32[65, 1300]) -> (y: f32[65, 76], z: f32[65, 64]) {
    y = x @ w;
    z = u @ v;
}
// ---- expect
// 1
// #define FX_HAS_ENDS 0
// #define FX_ADDS          1
// #define FX_ADDS 0
// #define FX_HAS_ENDS      1
// #define FX_HAS_ENDS 0
// fusec: remark: random inputs, seed 0: x, w
// fusec: remark: random inputs, seed 0: x, w, v, u
