// inputs: y 0..C
fn loss[N, C](x: f32[N, C], y: i32[N]) -> (l: f32) {
    t = (y[:, None] == iota(C)) as f32;
    p = sigmoid(x);
    ce = softplus(x) - x * t;
    pt = p * t + (1 - p) * (1 - t);
    at = 0.25 * t + 0.75 * (1 - t);
    l = sum(at * (1 - pt) ** 2 * ce, axis = [0, 1]) / N;
}
fn f = value_and_grad(loss);
