// needs: x.npy
// run: fusec run %s --check -D N=33 -D D=70
// run: fusec run %s --check -D N=33 -D D=70 -O0 --seed 3
// run: fusec run %s --check --in x.npy --threads 1
fn f[N, D](x: f32[N, D], g: f32[D]) -> (y: bf16[N, D], top: i32[N]) {
    y = max(x, g) * 0.5;
    top = argmax(x + g, axis = -1);
}
// ---- expect
// y: bf16[33, 70]  mean 0.1917  max 0.498  checksum f4d265e7237d2f3b
// top: i32[33]  mean 34.94  max 67  checksum d859155413f9cdbf
// y: ok, largest error 0 of 0.000489 allowed, mean 0 of 0.000146, at [0, 0]: got 0.122070312, want 0.122070312
// top: ok
// fusec: remark: random inputs, seed 0: x, g
// y: bf16[33, 70]  mean 0.1591  max 0.5  checksum cd650f615d10da1c
// top: i32[33]  mean 31.94  max 69  checksum 557ff90da0121436
// y: ok, largest error 0 of 0.000977 allowed, mean 0 of 0.000127, at [0, 0]: got -0.198242188, want -0.198242188
// top: ok
// fusec: remark: random inputs, seed 3: x, g
// y: bf16[5, 3]  mean 0.1653  max 0.6953  checksum 439138d87551220c
// top: i32[5]  mean 0.4  max 1  checksum 75d7057cd18eaf4e
// y: ok, largest error 0 of 0.000489 allowed, at [0, 0]: got 0.122070312, want 0.122070312
// top: ok
// fusec: remark: random inputs, seed 0: g
