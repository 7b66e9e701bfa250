// Whole rows of narrow elements that are only moved are copied, not taken apart into lanes.
// run: fusec %s --no-test -o %t.c
// run: grep "^        *copy_row(" %t.c
// run: fusec run %s --fn taken --check -D N=9 -D D=77 -D M=5
// run: fusec run %s --fn inner --check -D N=9 -D D=77
// run: fusec run %s --fn heads --check -D N=9 -D D=77 -D M=5
// run: fusec run %s --fn widened --check -D N=9 -D D=77
// run: fusec %s --fn reversed --target=c --no-test -o %t.c
// run: grep -A 1 "^ *copy_row" %t.c
// run: fusec run %s --fn reversed --check --device=cpu
fn taken[N, D, M](x: bf16[N, D], rows: i64[M]) -> (y: bf16[M, D]) {
    y = take(x, rows, axis = 0);
}

fn inner[N, D](x: u8[N, D]) -> (y: u8[N-1, D-3]) {
    y = flip(x[1:, 1:-2], axis = 0);
}

fn heads[N, D, M](x: f16[N, M, 3, D]) -> (y: f16[N, 3, M, D]) {
    y = permute(x, 0, 2, 1, 3);
}

// Rows that do not follow each other where they are read are prefetched; but short ones are not.
fn reversed(x: bf16[2, 9, 1484], z: f32[30, 70], u: f32[50, 40])
    -> (y: bf16[2, 9, 1484], w: f32[30, 64], v: f32[50, 40]) {
    y = flip(x, axis = 1);
    w = z[:, 3:67];
    v = flip(u, axis = 0);
}

fn widened[N, D](x: bf16[N, D]) -> (y: f32[N-1, D]) {
    y = x[1:];
}
// ---- expect
//         copy_row(y + i0 * D, x + at_1[0] * D, 2*D, stream);
//         copy_row(y + i0 * (D - 3), x + -i0 * D + (N*D - D + 1), D - 3, false);
//                 copy_row(y + i0 * 3*D*M + i1 * D*M + i2 * D, x + i0 * 3*D*M + i2 * 3*D + i1 * D,
// y: bf16[5, 77]  mean -0.03101  max 0.9805  checksum a69dfdb23f7417b4
// y: ok, largest error 0 of 0.00195 allowed, mean 0 of 0.000456, at [0, 0]: got 0.46484375, want 0.46484375
// fusec: remark: random inputs, seed 0: x, rows
// y: u8[8, 74]  mean 4.385  max 9  checksum 736aa1d24ee8b89d
// y: ok
// fusec: remark: random inputs, seed 0: x
// y: f16[9, 3, 5, 77]  mean -0.006349  max 0.9995  checksum 469b2af5e2b5e39c
// y: ok, largest error 0 of 0.000245 allowed, mean 0 of 3.52e-05, at [0, 0, 0, 0]: got 0.433105469, want 0.433105469
// fusec: remark: random inputs, seed 0: x
// y: f32[8, 77]  mean -0.0292  max 0.9961  checksum fe0aa32061ec814e
// y: ok, largest error 0 of 4.75e-07 allowed, mean 0 of 2.67e-07, at [0, 0]: got -0.0234375, want -0.0234375
// fusec: remark: random inputs, seed 0: x
//             copy_row_beside(y + i0 * 13356 + i1 * 1484, x + i0 * 13356 - i1 * 1484 + 11872,
//                             x + i0 * 13356 - (i1 + 3) * 1484 + 11872, 2968, false);
// --
//         copy_row_beside(w + i0 * 64, z + i0 * 70 + 3, z + (i0 + 24) * 70 + 3, 256, false);
// }
// y: bf16[2, 9, 1484]  mean 0.002535  max 0.9961  checksum 56034c2ccfd32351
// w: f32[30, 64]  mean -0.004504  max 0.9998  checksum 467b7cfa13b52dce
// v: f32[50, 40]  mean 0.007476  max 0.9987  checksum 037da58cf901cf3d
// y: ok, largest error 0 of 3.1e-05 allowed, mean 0 of 0.000283, at [0, 0, 0]: got -0.00390625, want -0.00390625
// w: ok, largest error 0 of 4.77e-07 allowed, mean 0 of 2.74e-07, at [0, 0]: got 0.369191885, want 0.369191885
// v: ok, largest error 0 of 4.77e-07 allowed, mean 0 of 2.76e-07, at [0, 0]: got 0.312455893, want 0.312455893
// fusec: remark: random inputs, seed 0: x, z, u
