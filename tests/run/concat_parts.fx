// Axes in parts, as the pieces of a concat: copies, loops over whole vectors and others, zeros.
// run: fusec run %s --fn copied --check > checks
// run: fusec run %s --fn mixed --check > checks
// run: fusec run %s --fn bytes --check > checks
// run: fusec run %s --fn rows --check > checks
// run: fusec run %s --fn large --check --threads=2 > checks
// run: fusec %s --target=c -o %t.c
// run: cc -O2 -march=haswell -ffp-contract=fast -fopenmp -Wall -Wextra -Werror -Wno-psabi -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t > checks
fn copied(a: bf16[70, 300], b: bf16[70, 33], c: bf16[70, 16]) -> (y: bf16[70, 349], z: f32[70, 79]) {
    y = concat(a, b, c);
    z = concat(c as f32, b as f32, pad(c as f32, 1, 3, 11));
}
fn mixed(a: f32[3, 5, 64], b: f32[3, 5, 17], g: f32[96]) -> (y: f32[3, 5, 96], z: f32[3, 5, 64]) {
    y = relu(concat(a * 2, pad(b, 2, 7, 8))) + g;
    z = concat(-a[:, :, 32:], a[:, :, :32]);
}
fn bytes(a: i8[90, 100], b: i8[90, 41]) -> (y: i8[90, 141]) { y = concat(a, b); }
fn rows(a: f32[40, 3, 50], b: f32[7, 3, 50], g: f32[48]) -> (y: f32[48, 3, 50], z: f32[47, 3, 60]) {
    y = concat(a, pad(b, 0, 1, 0), axis = 0) * exp(g)[:, None, None];
    z = pad(concat(b, a, axis = 0), 2, 10, 0);
}
fn large(a: f32[700, 4000], b: f32[700, 2101]) -> (y: f32[700, 6101]) { y = concat(a, b); }
// ---- expect
// fusec: remark: random inputs, seed 0: a, b, c
// fusec: remark: random inputs, seed 0: a, b, g
// fusec: remark: random inputs, seed 0: a, b
// fusec: remark: random inputs, seed 0: a, b, g
// fusec: remark: random inputs, seed 0: a, b
