// A graph attention network of one layer, trained: each node takes what its edges bring, weighted by a
// softmax over them. Edges are pairs of nodes; `scatter` adds up what arrives at a node.
//
//     a[e] = softmax over the edges e into node i of leaky(left[source] + right[i])
//     y[i] = sum over them of a[e] h[source]
//
// try: -D N=512 -D E=4096 -D D=64
// small: -D N=5 -D E=13 -D D=3
// small: -D N=3 -D E=1 -D D=1
// small: -D N=40 -D E=90 -D D=16
// inputs: source 0..N, target 0..N, rate 0.001..0.01
fn loss_of[N, E, D](
    x: f32[N, D],
    source: i32[E],
    target: i32[E],
    goal: f32[N, D],
    w: f32[D, D],
    left: f32[D],
    right: f32[D]
) -> (loss: f32) {
    h = x @ w;
    raw = take(sum(h * left), source) + take(sum(h * right), target);
    score = max(raw, 0.2 * raw);
    most = stop_gradient(scatter(full(-1e30, N), target, score, with = max));
    e = exp(score - take(most, target));
    all = scatter(full(0.0, N), target, e);
    a = e / take(all, target);
    y = scatter(full(0.0, N, D), target, a[:, None] * take(h, source, axis = 0));
    loss = mean((y - goal) ** 2, axis = [0, 1]);
}

fn derived = value_and_grad(loss_of, wrt = [w, left, right]);

fn graph_attention[N, E, D](
    x: f32[N, D],
    source: i32[E],
    target: i32[E],
    goal: f32[N, D],
    w: f32[D, D],
    w_speed: f32[D, D],
    left: f32[D],
    right: f32[D],
    rate: f32
) -> (
    loss: f32,
    w_next: f32[D, D],
    w_speed_next: f32[D, D],
    left_next: f32[D],
    right_next: f32[D]
) {
    loss, dw, dleft, dright = derived(x, source, target, goal, w, left, right);
    w_speed_next = 0.9 * w_speed + dw;
    w_next = w - rate * w_speed_next;
    left_next = left - rate * dleft;
    right_next = right - rate * dright;
}
