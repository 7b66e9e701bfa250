// run: fusec run %s --check -D H=2 -D S=67 -D D=16
// run: fusec run %s --check -D H=2 -D S=67 -D D=16 -O0
// Positions are gathered along the axis that a contraction packs an operand along, along the
// columns of a result, and along the keys of an attention.
fn gathered[H, S, D](
    x: f32[S + 4],
    w: f32[5, D],
    q: f16[H, S, D],
    k: f16[H, S, D],
    v: f16[H, S, D],
    near: i8[S, S],
    bias: f32[H, 9]
) -> (y: f32[S, D], z: f32[H, S, S], o: f16[H, S, D]) {
    bucket = abs(near) % 9;
    y = take(x, iota(S)[:, None] + iota(5)) @ w;
    z = q @ k.T + take(bias, bucket[0])[:, None];
    o = softmax(v @ k.T + take(bias, bucket)) as f16 @ q;
}
