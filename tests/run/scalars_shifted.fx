// Elements that are the same in all steps of the loops, in views along these.
// run: fusec run %s --check -D N=64
fn f[N](x: f32[N], v: f32[N]) -> (y: f32[N, 3], z: f32[N, 3]) {
    one = full(1.0, N);
    a = sin(x) * x + exp(x) * v;
    b = cos(x) * v + exp(v);
    c = concat(one[:, None], a[:, None], b[:, None], axis = 1);
    d = pad(c[1:], 0, 0, 1);
    y = d * exp(c) + sin(c) * d * d + exp(sin(d)) + cos(d) * c + tanh(c) * d + c * c * c;
    z = concat(y[:, 1:2], y[:, 0:1], y[:, 2:3], axis = 1);
}
