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
) -> (p1: f32[N, M], m1: f32[N, M], v1: f32[N, M]) {
    m1 = beta1 * m + (1 - beta1) * g;
    v1 = beta2 * v + (1 - beta2) * g * g;
    m_hat = m1 / (1 - beta1 ** (step as f32));
    v_hat = v1 / (1 - beta2 ** (step as f32));
    p1 = p - lr * (m_hat / (sqrt(v_hat) + eps) + decay * p);
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
    wte1: f32[V, D],
    wte_m1: f32[V, D],
    wte_v1: f32[V, D],
    up1: f32[4*D, D],
    up_m1: f32[4*D, D],
    up_v1: f32[4*D, D],
    down1: f32[D, 4*D],
    down_m1: f32[D, 4*D],
    down_v1: f32[D, 4*D]
) {
    wte1, wte_m1, wte_v1 = update(wte, wte_g, wte_m, wte_v, lr, step);
    up1, up_m1, up_v1 = update(up, up_g, up_m, up_v, lr, step);
    down1, down_m1, down_v1 = update(down, down_g, down_m, down_v, lr, step);
}
