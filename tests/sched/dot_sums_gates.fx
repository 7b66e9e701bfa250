// run: fusec run %s --check -D B=5 -D I=37 -D H=21
// run: fusec run %s --check -D B=70 -D I=13 -D H=33 -O0
// kernels: 1
// The cell of an LSTM: four sums of two products each, whose left operands are the same, and what is
// computed from them.
fn lstm[B, I, H](
    x: bf16[B, I],
    h: bf16[B, H],
    c: f32[B, H],
    w: bf16[I, 4*H],
    u: bf16[H, 4*H],
    b: f32[4*H]
) -> (y: bf16[B, H], s: f32[B, H]) {
    i, f, g, o = split(x @ w + h @ u + b, 4);
    s = sigmoid(f) * c + sigmoid(i) * tanh(g);
    y = sigmoid(o) * tanh(s);
}
