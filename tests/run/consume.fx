// What a call overwrites is not what the check reads; elements at the end, and at every level.
// run: fusec run %s --check --fn=bwd -D N=37 -D D=40 -D F=72
// run: fusec run %s --check --fn=bwd -D N=37 -D D=40 -D F=72 -O 0
// run: fusec run %s --check --fn=loss_bwd -D N=37 -D D=40 -D V=99 --range labels=0..98
// run: fusec run %s --check --fn=later -D N=45
// run: fusec run %s --check --fn=later -D N=45 -O 0
// run: fusec run %s --check --fn=temps -D N=37 -D M=33 -O 0
fn swiglu[N, D, F](x: bf16[N, D], gate: bf16[F, D], up: bf16[F, D], down: bf16[D, F])
    -> (y: bf16[N, D]) {
    h = (silu((x @ gate.T) as bf16) * ((x @ up.T) as bf16)) as bf16;
    y = h @ down.T;
}
@consume
fn fwd, bwd = train(swiglu);

fn loss_of[N, V, D](x: bf16[N, D], w: bf16[V, D], labels: i32[N]) -> (loss: f32[N]) {
    loss = cross_entropy((x @ w.T) as bf16, labels);
}
@consume
fn loss_fwd, loss_bwd = train(loss_of);

@consume(x, y, z)
fn later[N](x: f32[N, N], y: f32[N, N], z: f32[N]) -> (v: f32[N, N]) {
    a = exp(x / 100 + (y @ y) / 100 + z);
    b = cumsum(a, axis = 0);
    c = cumsum(sin(b), axis = 1);
    v = c @ b;
}

fn temps[N, M](x: f32[N, M], w: f32[M, M]) -> (z: f32[N, M]) {
    a = tanh(cumsum(x, axis = 0));
    b = sin(cumsum(a, axis = 1));
    c = exp(b @ w) * a + b + a.T[0:1, 0:1];
    z = c @ w;
}
// ---- expect
// dx: bf16[37, 40]  mean -0.0575  max 16.38  checksum a23cd12c5317b4d1
// dgate: bf16[72, 40]  mean -0.04046  max 8.438  checksum 367079e4be9d84f9
// dup: bf16[72, 40]  mean 0.0026  max 7.312  checksum e786437f94f53bcf
// ddown: bf16[40, 72]  mean -0.05425  max 6.625  checksum fcc6081310b286a8
// dx: ok, largest error 0 of 0.0313 allowed, mean 0 of 0.00214, at [0, 0]: got -6.875, want -6.875
// dgate: ok, largest error 0 of 0.0156 allowed, mean 0 of 0.00115, at [0, 0]: got 3.328125, want 3.328125
// dup: ok, largest error 0 of 0.0156 allowed, mean 0 of 0.00104, at [0, 0]: got 2, want 2
// ddown: ok, largest error 0 of 0.0313 allowed, mean 0 of 0.000974, at [0, 0]: got -4.8125, want -4.8125
// fusec: remark: random inputs, seed 0: x, gate, up, down, keep_1, keep_2, keep_h, dy
// dx: bf16[37, 40]  mean -0.0575  max 16.38  checksum a23cd12c5317b4d1
// dgate: bf16[72, 40]  mean -0.04046  max 8.438  checksum 367079e4be9d84f9
// dup: bf16[72, 40]  mean 0.0026  max 7.312  checksum e786437f94f53bcf
// ddown: bf16[40, 72]  mean -0.05425  max 6.625  checksum fcc6081310b286a8
// dx: ok, largest error 0 of 0.0313 allowed, mean 0 of 0.00214, at [0, 0]: got -6.875, want -6.875
// dgate: ok, largest error 0 of 0.0156 allowed, mean 0 of 0.00115, at [0, 0]: got 3.328125, want 3.328125
// dup: ok, largest error 0 of 0.0156 allowed, mean 0 of 0.00104, at [0, 0]: got 2, want 2
// ddown: ok, largest error 0 of 0.0313 allowed, mean 0 of 0.000974, at [0, 0]: got -4.8125, want -4.8125
// fusec: remark: random inputs, seed 0: x, gate, up, down, keep_1, keep_2, keep_h, dy
// dx: bf16[37, 40]  mean 0.1724  max 53.5  checksum d0512cc3ff8eb2c2
// dw: bf16[99, 40]  mean 0.6813  max 11  checksum b2005a1c8ec475bf
// dx: ok, largest error 0 of 0.0157 allowed, mean 0 of 0.00276, at [0, 0]: got -2.65625, want -2.65625
// dw: ok, largest error 0 of 0.0156 allowed, mean 0 of 0.00157, at [0, 0]: got 3.828125, want 3.828125
// fusec: remark: random inputs, seed 0: x, w, labels, keep_1, keep_2, dloss
// v: f32[45, 45]  mean 1096  max 5.99e+04  checksum 5e5b26f0e352ba32
// v: ok, largest error 0.075 of 0.188 allowed, mean 0.0168 of 0.0379, at [40, 35]: got 2162.85449, want 2162.92944
// fusec: remark: random inputs, seed 0: x, y, z
// v: f32[45, 45]  mean 1096  max 5.99e+04  checksum 5e5b26f0e352ba32
// v: ok, largest error 0.075 of 0.188 allowed, mean 0.0168 of 0.0379, at [40, 35]: got 2162.85449, want 2162.92944
// fusec: remark: random inputs, seed 0: x, y, z
// z: f32[37, 33]  mean -4.379  max 1044  checksum 11bc46f35a7afb28
// z: ok, largest error 0.00134 of 0.00318 allowed, mean 0.000135 of 0.000336, at [18, 2]: got 1043.80322, want 1043.80188
// fusec: remark: random inputs, seed 0: x, w
