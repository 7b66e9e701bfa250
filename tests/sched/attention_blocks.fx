// Blocks along the diagonal, and a softcap.
// run: fusec run %s --check -D H=2 -D S=201 -D D=8
// run: fusec run %s --check -D H=1 -D S=48 -D D=8
// kernels: 1
fn blocks[H, S, D](q: f32[H, S, D], k: f32[H, S, D], v: f32[H, S, D]) -> (o: f32[H, S, D]) {
    s = tanh(q @ k.T / 30) * 30;
    o = softmax(where(iota(S)[:, None] / 48 == iota(S) / 48, s, -inf)) @ v;
}
