// run: fusec run %s --check
// Split-K where no number of splits divides the terms: they leave a rest.
fn rests(
    a: f32[40, 1051],
    b: f32[37, 1051],
    c: bf16[3, 40, 2216],
    d: bf16[3, 2216, 14],
    e: f32[14],
    g: i8[48, 2221],
    h: i8[40, 2221]
) -> (x: f32[40, 37], y: bf16[3, 40, 14], z: i32[48, 40]) {
    x = a @ b.T;
    y = relu(c @ d + e) as bf16;
    z = g @ h.T;
}
// ---- expect
// x: f32[40, 37]  mean -0.1155  max 30.78  checksum ed47499f31195867
// y: bf16[3, 40, 14]  mean 5.792  max 49.5  checksum e3d0cddbe90e446f
// z: i32[48, 40]  mean 572.6  max 3470  checksum 095ed52914094789
// x: ok, largest error 1.1e-05 of 0.000113 allowed, mean 2.86e-06 of 1.81e-05, at [34, 35]: got -2.96584678, want -2.96583581
// y: ok, largest error 0 of 0.0156 allowed, mean 0 of 0.0051, at [0, 0, 0]: got 2.625, want 2.625
// z: ok
// fusec: remark: random inputs, seed 0: a, b, c, d, e, g, h
