// Promises that systems keep element by element, and those that they keep as a whole.
// run: fusec %s --emit=plan > plan
// run: fusec %s --target=cuda --emit=plan > plan
@one_kernel
fn by_element[N](x: f32[N, 4, 4], v: f32[N, 4, 4]) -> (y: f32[N, 4, 4], n: f32[N, 4]) {
    u = x @ v;
    w = u @ v * exp(u);
    n = sum(w, axis = 2);
    y = w / n[:, :, None];
}

@one_kernel
fn whole[N](x: f32[N, 3]) -> (y: f32[N, 3], t: f32) {
    a = x[:, 0:1];
    b = x[:, 1:2];
    c = x[:, 2:3];
    p = sin(a) * b + c * exp(a) * tanh(b);
    q = cos(a) * c * a * b * sin(c);
    y = concat(p, q, tanh(c) * exp(b) * a + sin(a * b * c), axis = 1);
    t = sum(y * x, axis = [0, 1]);
}
