// Two steps of a transform of 16 numbers: elements of values that are seen through views.
// run: fusec run %s -D B=37 --check
fn f[B](re0: f32[B, 16], im0: f32[B, 16]) -> (re: f32[B, 16], im: f32[B, 16]) {
    r0 = reshape(re0, B, 4, 4, 1);
    i0 = reshape(im0, B, 4, 4, 1);
    a00 = r0[:, 0];
    b00 = i0[:, 0];
    re1 = concat(a00[:, :, None], a00[:, :, None], a00[:, :, None], a00[:, :, None], axis = 2);
    im1 = concat(b00[:, :, None], b00[:, :, None], b00[:, :, None], b00[:, :, None], axis = 2);
    r1 = reshape(re1, B, 4, 1, 4);
    i1 = reshape(im1, B, 4, 1, 4);
    a10 = r1[:, 0];
    b10 = i1[:, 0];
    a11 = r1[:, 1];
    b11 = i1[:, 1];
    t1 = (iota(1) as f32)[:, None] * -1.570796326795;
    x11 = a10 + b11;
    y11 = b10 - a11;
    z11 = sin(t1 * 1);
    c11 = x11 * t1 - y11 * z11;
    d11 = y11 * t1 + x11 * z11;
    x12 = a10 - a11;
    y12 = b10 - b11;
    z12 = sin(t1 * 2);
    c12 = x12 * t1 - y12 * z12;
    d12 = y12 * t1 + x12 * z12;
    x13 = a10 - b11;
    y13 = b10 + a11;
    z13 = sin(t1 * 3);
    c13 = x13 * t1 - y13 * z13;
    d13 = y13 * t1 + x13 * z13;
    re2 = concat(a10[:, :, None], c11[:, :, None], c12[:, :, None], c13[:, :, None], axis = 2);
    im2 = concat(b10[:, :, None], d11[:, :, None], d12[:, :, None], d13[:, :, None], axis = 2);
    re = reshape(re2, B, 16);
    im = reshape(im2, B, 16);
}
// ---- expect
// re: f32[37, 16]  mean 0.01139  max 0.9643  checksum ebf62908061f50ac
// im: f32[37, 16]  mean -0.01275  max 0.9348  checksum 8a7b5451cca36ad0
// re: ok, largest error 0 of 4.63e-07 allowed, mean 0 of 1.41e-07, at [0, 0]: got 0.910054684, want 0.910054684
// im: ok, largest error 0 of 4.56e-07 allowed, mean 0 of 1.26e-07, at [0, 0]: got -0.0377476811, want -0.0377476811
// fusec: remark: random inputs, seed 0: re0, im0
