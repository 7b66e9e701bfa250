// An attention of few queries is no batch of tiny systems: it stays one kernel.
// run: fusec %s --emit=plan -D S=5 -D T=70 > plan
// run: grep "^kernel" plan
fn f[S, T](q: f32[2, S, 8], k: f32[2, T, 8], v: f32[2, T, 8]) -> (o: f32[2, S, 8]) {
    o = softmax(q @ k.T) @ v;
}
// ---- expect
// kernel f_0 attention
