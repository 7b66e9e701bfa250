// Outputs in the memory of consumed inputs: what does not change there is not touched.
// run: fusec run %s --check --fn=cache -D N=5 -D G=3 -D D=16 -D T=37
// run: fusec run %s --check --fn=cache -D N=5 -D G=3 -D D=16 -D T=37 -O 0
// run: fusec run %s --check --fn=cache -D N=5 -D G=3 -D D=16 -D T=4500
// run: fusec run %s --check --fn=one_row -D N=3 -D G=2 -D D=20 -D T=7
// run: fusec run %s --check --fn=chosen -D N=7 -D M=45
// run: fusec run %s --check --fn=columns -D N=9 -D M=45 -D K=6
// run: fusec run %s --check --fn=of_four -D N=9
// run: fusec run %s --check --fn=added -D N=19 -D M=45 -D K=33
// run: fusec run %s --check --fn=step -D N=1000 -D M=45
// run: fusec run %s --check --fn=residual -D N=37 -D D=40
// run: fusec run %s --check --fn=parts -D N=11 -D M=48
// run: fusec run %s --check --fn=pairs -D N=45
@consume(kc, vc)
fn cache[N, G, D, T](k: bf16[N, G, D], v: bf16[N, G, D], c: f32[N, D/2], s: f32[N, D/2], pos: i32[N],
    kc: bf16[T, G, D], vc: bf16[T, G, D]) -> (kn: bf16[T, G, D], vn: bf16[T, G, D]) {
    a, b = split(k, 2);
    r = concat(a * c[:, None] - b * s[:, None], b * c[:, None] + a * s[:, None]) as bf16;
    kn = scatter(kc, pos, r, with = set);
    vn = scatter(vc, pos, v, with = set);
}

// One row of each batch.
@consume(old)
fn one_row[N, G, D, T](old: bf16[N, T, G, D], x: f32[N, G, D], at: i32[N]) -> (y: bf16[N, T, G, D]) {
    y = where(iota(T)[:, None, None] == at[:, None, None, None], x[:, None] * 2, old);
}

// The old on either side, and within another; a condition of each element.
@consume(old, other)
fn chosen[N, M](old: f32[N, M], other: f32[N, M], x: f32[N, M]) -> (y: f32[N, M], z: f32[N, M]) {
    y = where(x > 0.5, x, where(x < -0.5, -x, old));
    z = where(x <= 0.9, other, 1);
}

// Indices along the last axis: each lane has a list of its own.
@consume(old)
fn columns[N, M, K](old: f32[N, M], at: i32[K], x: f32[K, N]) -> (y: f32[N, M]) {
    y = scatter(old, at, x.T, axis = 1, with = set);
}

// Conditions and results of four columns read the bounds of their lists in one access each.
@consume(old)
fn of_four[N](old: f32[N, 4], at: i32[1], x: f32[N, 1]) -> (y: f32[N, 4]) {
    most = scatter(old, at, x, axis = 1, with = max);
    y = where(most > 0, most, -1);
}

// Sums, also of rows that are named twice; all of z changes.
@consume(table, counts)
fn added[N, M, K](table: f32[N, M], counts: i32[N], at: i32[K], x: f32[K, M])
    -> (y: f32[N, M], z: i32[N]) {
    y = scatter(table, at, x);
    z = scatter(counts, at, 1) + 1;
}

// Two tensors in one kernel.
@consume(p, m, q)
fn step[N, M](p: f32[N], m: f32[N], q: bf16[M], g: f32[N], h: f32[M])
    -> (pn: f32[N], mn: f32[N], qn: bf16[M]) {
    mn = 0.9 * m + 0.1 * g;
    pn = p - 0.01 * mn * rsqrt(g * g + 1e-6);
    qn = q - 0.01 * h;
}

@consume(x)
fn residual[N, D](x: f32[N, D], a: f32[N, D], w: f32[D, D]) -> (y: f32[N, D]) {
    y = x + a @ w;
}

// Conditions on the position, which loops over parts know.
@consume(old)
fn parts[N, M](old: f32[N, M], x: f32[N, M]) -> (y: f32[N, M]) {
    y = where(iota(M) < 16, x, old);
}

@consume(old)
fn pairs[N](old: f32[N, 2], x: f32[N, 2], is_new: bool[N]) -> (y: f32[N, 2]) {
    y = where(is_new[:, None], x * x, old);
}
// ---- expect
// kn: bf16[37, 3, 16]  mean 0.00937  max 1.492  checksum 09a1550b097b2e0d
// vn: bf16[37, 3, 16]  mean 0.004905  max 0.9961  checksum ffafa4a54a59ccd5
// kn: ok, largest error 0 of 0.00391 allowed, mean 0 of 0.000277, at [0, 0, 0]: got 0.6953125, want 0.6953125
// vn: ok, largest error 0 of 0.000977 allowed, mean 0 of 0.000282, at [0, 0, 0]: got 0.17578125, want 0.17578125
// kn over kc: ok, largest error 0 of 0.00391 allowed, mean 0 of 0.000277, at [0, 0, 0]: got 0.6953125, want 0.6953125
// vn over vc: ok, largest error 0 of 0.000977 allowed, mean 0 of 0.000282, at [0, 0, 0]: got 0.17578125, want 0.17578125
// fusec: remark: random inputs, seed 0: k, v, c, s, pos, kc, vc
// kn: bf16[37, 3, 16]  mean 0.00937  max 1.492  checksum 09a1550b097b2e0d
// vn: bf16[37, 3, 16]  mean 0.004905  max 0.9961  checksum ffafa4a54a59ccd5
// kn: ok, largest error 0 of 0.00391 allowed, mean 0 of 0.000277, at [0, 0, 0]: got 0.6953125, want 0.6953125
// vn: ok, largest error 0 of 0.000977 allowed, mean 0 of 0.000282, at [0, 0, 0]: got 0.17578125, want 0.17578125
// kn over kc: ok, largest error 0 of 0.00391 allowed, mean 0 of 0.000277, at [0, 0, 0]: got 0.6953125, want 0.6953125
// vn over vc: ok, largest error 0 of 0.000977 allowed, mean 0 of 0.000282, at [0, 0, 0]: got 0.17578125, want 0.17578125
// fusec: remark: random inputs, seed 0: k, v, c, s, pos, kc, vc
// kn: bf16[4500, 3, 16]  mean -0.001607  max 1.492  checksum 52b76220f3a890be
// vn: bf16[4500, 3, 16]  mean -0.001276  max 0.9961  checksum be60a7e0d27477f0
// kn: ok, largest error 0 of 0.00391 allowed, mean 0 of 0.000282, at [0, 0, 0]: got 0.6953125, want 0.6953125
// vn: ok, largest error 0 of 0.000977 allowed, mean 0 of 0.000282, at [0, 0, 0]: got 0.17578125, want 0.17578125
// kn over kc: ok, largest error 0 of 0.00391 allowed, mean 0 of 0.000282, at [0, 0, 0]: got 0.6953125, want 0.6953125
// vn over vc: ok, largest error 0 of 0.000977 allowed, mean 0 of 0.000282, at [0, 0, 0]: got 0.17578125, want 0.17578125
// fusec: remark: random inputs, seed 0: k, v, c, s, pos, kc, vc
// y: bf16[3, 7, 2, 20]  mean -0.04663  max 1.992  checksum 1aedf701f39bda40
// y: ok, largest error 0 of 0.00781 allowed, mean 0 of 0.000376, at [0, 0, 0, 0]: got -1.859375, want -1.859375
// y over old: ok, largest error 0 of 0.00781 allowed, mean 0 of 0.000376, at [0, 0, 0, 0]: got -1.859375, want -1.859375
// fusec: remark: random inputs, seed 0: old, x, at
// y: f32[7, 45]  mean 0.3501  max 0.9984  checksum 3122915d596efd7c
// z: f32[7, 45]  mean -0.001413  max 1  checksum da6abf59f7821a14
// y: ok, largest error 0 of 4.76e-07 allowed, mean 0 of 3.27e-07, at [0, 0]: got 0.931465685, want 0.931465685
// z: ok, largest error 0 of 4.77e-07 allowed, mean 0 of 2.86e-07, at [0, 0]: got 0.462256968, want 0.462256968
// y over old: ok, largest error 0 of 4.76e-07 allowed, mean 0 of 3.27e-07, at [0, 0]: got 0.931465685, want 0.931465685
// z over other: ok, largest error 0 of 4.77e-07 allowed, mean 0 of 2.86e-07, at [0, 0]: got 0.462256968, want 0.462256968
// fusec: remark: random inputs, seed 0: old, other, x
// y: f32[9, 45]  mean -0.05102  max 0.9912  checksum 77a025476b2b391d
// y: ok, largest error 0 of 4.76e-07 allowed, mean 0 of 2.82e-07, at [0, 0]: got -0.429792702, want -0.429792702
// y over old: ok, largest error 0 of 4.76e-07 allowed, mean 0 of 2.82e-07, at [0, 0]: got -0.429792702, want -0.429792702
// fusec: remark: random inputs, seed 0: old, at, x
// y: f32[9, 4]  mean -0.2322  max 0.9448  checksum 0c3f2019a6fd68b2
// y: ok, largest error 0 of 4.77e-07 allowed, at [0, 0]: got -1, want -1
// y over old: ok, largest error 0 of 4.77e-07 allowed, at [0, 0]: got -1, want -1
// fusec: remark: random inputs, seed 0: old, at, x
// y: f32[19, 45]  mean -0.05149  max 2.514  checksum 17c98064eeb4b8a4
// z: i32[19]  mean 6.632  max 14  checksum d2fdb34f599229ff
// y: ok, largest error 2.38e-07 of 1.99e-06 allowed, mean 2.97e-08 of 4.94e-07, at [1, 39]: got -1.51159263, want -1.51159286
// z: ok
// y over table: ok, largest error 2.38e-07 of 1.99e-06 allowed, mean 2.97e-08 of 4.94e-07, at [1, 39]: got -1.51159263, want -1.51159286
// z over counts: ok
// fusec: remark: random inputs, seed 0: table, counts, at, x
// pn: f32[1000]  mean 0.00709  max 5.584  checksum acea034e2d4055bd
// mn: f32[1000]  mean 0.01657  max 0.9815  checksum 3c0ef83cc81bc832
// qn: bf16[45]  mean -0.09905  max 0.957  checksum 424bf3e0a7dbac60
// pn: ok, largest error 4.77e-07 of 3.62e-06 allowed, mean 1.85e-08 of 3.58e-07, at [549]: got -5.46427774, want -5.46427727
// mn: ok, largest error 5.96e-08 of 5.87e-07 allowed, mean 5.82e-09 of 2.97e-07, at [13]: got -0.797587216, want -0.797587156
// qn: ok, largest error 0 of 0.000977 allowed, at [0]: got -0.17578125, want -0.17578125
// pn over p: ok, largest error 4.77e-07 of 3.62e-06 allowed, mean 1.85e-08 of 3.58e-07, at [549]: got -5.46427774, want -5.46427727
// mn over m: ok, largest error 5.96e-08 of 5.87e-07 allowed, mean 5.82e-09 of 2.97e-07, at [13]: got -0.797587216, want -0.797587156
// qn over q: ok, largest error 0 of 0.000977 allowed, at [0]: got -0.17578125, want -0.17578125
// fusec: remark: random inputs, seed 0: p, m, q, g, h
// y: f32[37, 40]  mean 0.05878  max 6.701  checksum 43b51e7d7b2cb0a0
// y: ok, largest error 1.43e-06 of 6.4e-06 allowed, mean 2.57e-07 of 1.59e-06, at [7, 18]: got 4.15731239, want 4.15731096
// y over x: ok, largest error 1.43e-06 of 6.4e-06 allowed, mean 2.57e-07 of 1.59e-06, at [7, 18]: got 4.15731239, want 4.15731096
// fusec: remark: random inputs, seed 0: x, a, w
// y: f32[11, 48]  mean -0.03237  max 0.9976  checksum b9c587490463896b
// y: ok, largest error 0 of 4.76e-07 allowed, mean 0 of 2.8e-07, at [0, 0]: got -0.931465685, want -0.931465685
// y over old: ok, largest error 0 of 4.76e-07 allowed, mean 0 of 2.8e-07, at [0, 0]: got -0.931465685, want -0.931465685
// fusec: remark: random inputs, seed 0: old, x
// y: f32[45, 2]  mean 0.1219  max 0.9697  checksum bdb5744d4629282d
// y: ok, largest error 0 of 4.62e-07 allowed, mean 0 of 2.61e-07, at [0, 0]: got -0.429792702, want -0.429792702
// y over old: ok, largest error 0 of 4.62e-07 allowed, mean 0 of 2.61e-07, at [0, 0]: got -0.429792702, want -0.429792702
// fusec: remark: random inputs, seed 0: old, x, is_new
