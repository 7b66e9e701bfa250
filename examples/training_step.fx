// One step of training as one model: the loss of a GEGLU network, its gradients, and AdamW.
// try: -D N=64 -D D=256
// small: -D N=3 -D D=5
// small: -D N=1 -D D=1
// small: -D N=33 -D D=8
// kernels: 7
// inputs: up_v 0..0.01, down_v 0..0.01, lr 0.0001..0.001, step 1..1000
fn loss_of[N, D](
    x: bf16[N, D],
    target: bf16[N, D],
    up: f32[8*D, D],
    down: f32[D, 4*D]
) -> (loss: f32) {
    v, g = split(x @ (up as bf16).T, 2);
    y = ((v * gelu(g)) as bf16) @ (down as bf16).T;
    loss = mean((y - target) ** 2, axis = [0, 1]);
}

fn derived = value_and_grad(loss_of, wrt = [up, down]);

fn adamw[N, M](
    p: f32[N, M],
    g: f32[N, M],
    m: f32[N, M],
    v: f32[N, M],
    lr: f32,
    step: i32
) -> (p_next: f32[N, M], m_next: f32[N, M], v_next: f32[N, M]) {
    t = step as f32;
    m_next = 0.9 * m + 0.1 * g;
    v_next = 0.999 * v + 0.001 * g * g;
    m_hat = m_next / (1 - 0.9 ** t);
    v_hat = v_next / (1 - 0.999 ** t);
    p_next = p - lr * (m_hat / (sqrt(v_hat) + 1e-8) + 0.01 * p);
}

fn training_step[N, D](
    x: bf16[N, D],
    target: bf16[N, D],
    up: f32[8*D, D],
    up_m: f32[8*D, D],
    up_v: f32[8*D, D],
    down: f32[D, 4*D],
    down_m: f32[D, 4*D],
    down_v: f32[D, 4*D],
    lr: f32,
    step: i32
) -> (
    loss: f32,
    up_next: f32[8*D, D],
    up_m_next: f32[8*D, D],
    up_v_next: f32[8*D, D],
    down_next: f32[D, 4*D],
    down_m_next: f32[D, 4*D],
    down_v_next: f32[D, 4*D]
) {
    loss, dup, ddown = derived(x, target, up, down);
    up_next, up_m_next, up_v_next = adamw(up, dup, up_m, up_v, lr, step);
    down_next, down_m_next, down_v_next = adamw(down, ddown, down_m, down_v, lr, step);
}
