// The same for values of rows, and for axes that are split.
// run: fusec run %s --check -D B=6 -D G=5 -D K=7
@one_kernel
fn rows[B, G, K](x: f32[B, G*K], gain: f32[K]) -> (y: f16[B, G, K]) {
    p = softmax(x);
    y = reshape(p, B, G, K) * gain;
}
