// Attention of f32 to every key, multiplied in three products of tf32.
@precision(tf32x3)
fn attention[B, H, S, D](
    q: f32[B, H, S, D],
    k: f32[B, H, S, D],
    v: f32[B, H, S, D]
) -> (o: f32[B, H, S, D]) {
    o = softmax((q @ k.T) * rsqrt(D)) @ v;
}
