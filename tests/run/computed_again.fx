// run: fusec run %s --fn=bwd --check --device=cpu -D N=70 -D C=33
// run: fusec run %s --fn=bwd --check --device=cpu -D N=300 -D C=5
// run: fusec run %s --fn=both --check --device=cpu -D N=70 -D C=33
// Values that several kernels compute again instead of reading them, also through views, and beside one that is an output.
fn norm[N, C](x: bf16[N, C], g: f32[C], b: f32[C]) -> (y: bf16[N, C]) {
    f = x as f32;
    m = mean(f, axis = 0);
    c = f - m;
    y = (c * rsqrt(mean(c * c, axis = 0) + 0.00001) * g + b) as bf16;
}
fn fwd, bwd = train(norm);
fn both[N, C](x: bf16[N, C], z: bf16[N, C]) -> (s: f32[C], t: f32[N], u: f32[C, N], w: f32[N, C]) {
    v = (x as f32) * 2.0 + (z as f32);
    s = sum(v * v, axis = 0);
    t = sum(abs(v), axis = 1);
    u = v.T - sum(v, axis = 0)[:, None];
    w = v * z;
}
// ---- expect
// dx: bf16[70, 33]  mean -7.36e-06  max 0.8242  checksum 23493695676aaa13
// dg: f32[33]  mean -0.2085  max 6.025  checksum 05366b4b417ca771
// db: f32[33]  mean -1.074  max 10.04  checksum 4c2fc2edb3fa2763
// dx: ok, largest error 0 of 0.000245 allowed, mean 0 of 9.23e-05, at [0, 0]: got 0.0556640625, want 0.0556640625
// dg: ok, largest error 5.96e-07 of 5.73e-06 allowed, at [27]: got -1.97823739, want -1.97823679
// db: ok, largest error 0 of 4.79e-06 allowed, at [0]: got -0.796875, want -0.796875
// fusec: remark: random inputs, seed 0: x, g, b, keep_1, keep_2, dy
// dx: bf16[300, 5]  mean -2.249e-05  max 0.6641  checksum e6a20d5846d4a3e7
// dg: f32[5]  mean 0.4175  max 2.542  checksum 9d569a494c3a090d
// db: f32[5]  mean -6.357  max 1.219  checksum 2c60b1e8701235bd
// dx: ok, largest error 0 of 0.000244 allowed, mean 0 of 0.000108, at [0, 0]: got 0.0524902344, want 0.0524902344
// dg: ok, largest error 7.15e-07 of 5.15e-06 allowed, at [0]: got -2.16098118, want -2.16098046
// db: ok, largest error 0 of 7.91e-06 allowed, at [0]: got -16.5976562, want -16.5976562
// fusec: remark: random inputs, seed 0: x, g, b, keep_1, keep_2, dy
// s: f32[33]  mean 115.6  max 139.3  checksum 076f44e52905a775
// t: f32[70]  mean 35.21  max 42.94  checksum b5283b43e6c43e54
// u: f32[33, 70]  mean -2.245  max 23.47  checksum c8dffdaf50c44571
// w: f32[70, 33]  mean 0.3335  max 2.822  checksum 84db60ad905a6312
// s: ok, largest error 0 of 6.64e-05 allowed, at [0]: got 101.060684, want 101.060684
// t: ok, largest error 0 of 2.05e-05 allowed, mean 0 of 1.69e-05, at [0]: got 41.375, want 41.375
// u: ok, largest error 0 of 1.62e-05 allowed, mean 0 of 5.18e-06, at [0, 0]: got 4.9140625, want 4.9140625
// w: ok, largest error 0 of 1.35e-06 allowed, mean 0 of 3.78e-07, at [0, 0]: got 1.25028992, want 1.25028992
// fusec: remark: random inputs, seed 0: x, z
