// One AdamW step over three weight matrices of different shapes, in one kernel: as a training loop
// does for hundreds of them.
//
//     m' = beta1 m + (1 - beta1) g          v' = beta2 v + (1 - beta2) g²
//     p' = p - lr * (m' / (1 - beta1^step) / (sqrt(v' / (1 - beta2^step)) + eps) + decay p)
//
// try: -D V=1024 -D D=256
// small: -D V=11 -D D=3
// small: -D V=1 -D D=1
// inputs: wte_v 0..0.01, up_v 0..0.01, down_v 0..0.01, lr 0.0001..0.001, step 1..1000
// kernels: 1
const beta1 = 0.9;
const beta2 = 0.95;
const eps = 1e-8;
const decay = 0.1;

fn update[N, M](
    p: f32[N, M],
    g: bf16[N, M],
    m: f32[N, M],
    v: f32[N, M],
    lr: f32,
    step: i32
) -> (p_next: f32[N, M], m_next: f32[N, M], v_next: f32[N, M]) {
    m_next = beta1 * m + (1 - beta1) * g;
    v_next = beta2 * v + (1 - beta2) * g * g;
    m_hat = m_next / (1 - beta1 ** (step as f32));
    v_hat = v_next / (1 - beta2 ** (step as f32));
    p_next = p - lr * (m_hat / (sqrt(v_hat) + eps) + decay * p);
}

fn adamw[V, D](
    wte: f32[V, D],
    wte_g: bf16[V, D],
    wte_m: f32[V, D],
    wte_v: f32[V, D],
    up: f32[4*D, D],
    up_g: bf16[4*D, D],
    up_m: f32[4*D, D],
    up_v: f32[4*D, D],
    down: f32[D, 4*D],
    down_g: bf16[D, 4*D],
    down_m: f32[D, 4*D],
    down_v: f32[D, 4*D],
    lr: f32,
    step: i32
) -> (
    wte_next: f32[V, D],
    wte_m_next: f32[V, D],
    wte_v_next: f32[V, D],
    up_next: f32[4*D, D],
    up_m_next: f32[4*D, D],
    up_v_next: f32[4*D, D],
    down_next: f32[D, 4*D],
    down_m_next: f32[D, 4*D],
    down_v_next: f32[D, 4*D]
) {
    wte_next, wte_m_next, wte_v_next = update(wte, wte_g, wte_m, wte_v, lr, step);
    up_next, up_m_next, up_v_next = update(up, up_g, up_m, up_v, lr, step);
    down_next, down_m_next, down_v_next = update(down, down_g, down_m, down_v, lr, step);
}
