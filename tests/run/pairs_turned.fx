// Pairs side by side, as rotary embeddings of neighbours turn them: both results of a pair read both of
// its parts. They are loaded as vectors, not one by one.
// run: fusec %s -D D=20 --no-test -o %t.c
// run: grep "ld_even_twice_bf16(x\|ld_twice_f32([cs]\|IN_TURN_LOW" %t.c
// run: fusec run %s --fn halves --check -D S=9 -D H=3 -D D=20
// run: fusec run %s --fn floats --check -D S=9 -D H=3 -D D=20
// run: fusec run %s --fn floats --check -D S=9 -D H=3 -D D=7
fn turned[S, H, D](
    x: f32[S, H, 2*D],
    c: f32[S, D],
    s: f32[S, D]
) -> (y: f32[S, H, 2*D]) {
    pairs = reshape(x, S, H, D, 2);
    a = pairs[..., 0];
    b = pairs[..., 1];
    first = a * c[:, None] - b * s[:, None];
    second = b * c[:, None] + a * s[:, None];
    y = reshape(concat(first[..., None], second[..., None], axis = -1), S, H, 2 * D);
}

fn halves[S, H, D](x: bf16[S, H, 2*D], c: f32[S, D], s: f32[S, D]) -> (y: bf16[S, H, 2*D]) {
    y = turned(x, c, s);
}

fn floats[S, H, D](x: f32[S, H, 2*D], c: f32[S, D], s: f32[S, D]) -> (y: f32[S, H, 2*D]) {
    y = turned(x, c, s);
}
// ---- expect
// #define IN_TURN_LOW(A, B)  __builtin_shufflevector(A, B, LANES_LOW)
// LANES f32 ld_twice_f32(const float *p, idx m) { return (f32)ld_twice_32(p, m); }
//                                           ld_even_twice_bf16(x + i0 * 40*H + i1 * 40 + (i2 / 2) * 2,
//                     where_f32(inside, ld_twice_f32(c + i0 * 20 + i2 / 2, lanes), splat_f32(0));
//                                           ld_even_twice_bf16(x + i0 * 40*H + i1 * 40 +
//                     where_f32(inside, ld_twice_f32(s + i0 * 20 + i2 / 2, lanes), splat_f32(0));
//                                           ld_even_twice_bf16(x + i0 * 40*H + i1 * 40 +
//                     where_f32(inside_2, ld_twice_f32(c + i0 * 20 + i2 / 2, lanes), splat_f32(0));
//                                           ld_even_twice_bf16(x + i0 * 40*H + i1 * 40 + (i2 / 2) * 2,
//                     where_f32(inside_2, ld_twice_f32(s + i0 * 20 + i2 / 2, lanes), splat_f32(0));
//                 out_f32(y + i0 * 40*H + i1 * 40 + i2 * 2, IN_TURN_LOW(column_2, column_1),
// y: bf16[9, 3, 40]  mean 0.0003027  max 1.734  checksum 35ed934cf15103b0
// y: ok, largest error 0 of 0.00195 allowed, mean 0 of 0.00023, at [0, 0, 0]: got -0.2734375, want -0.2734375
// fusec: remark: random inputs, seed 0: x, c, s
// y: f32[9, 3, 40]  mean -0.02065  max 1.473  checksum 93e3dd8f0bb5ef51
// y: ok, largest error 1.19e-07 of 9.41e-07 allowed, mean 1.48e-08 of 2.64e-07, at [4, 1, 18]: got -1.12394941, want -1.12394953
// fusec: remark: random inputs, seed 0: x, c, s
// y: f32[9, 3, 14]  mean 0.01398  max 1.137  checksum e3dee1b013f66648
// y: ok, largest error 1.19e-07 of 9.45e-07 allowed, mean 1.73e-08 of 2.76e-07, at [7, 1, 10]: got 1.10815263, want 1.10815251
// fusec: remark: random inputs, seed 0: x, c, s
