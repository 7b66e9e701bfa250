// inputs: at 0..V
fn f[N, V](x: bf16[N, V], at: i32[N]) -> (loss: f32, dx: bf16[N, V]) {
    loss = mean(cross_entropy(x, at));
    dx = (softmax(x) - (at[:, None] == iota(V)) as f32) / N;
}
