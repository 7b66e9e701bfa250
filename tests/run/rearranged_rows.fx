// run: fusec run %s --check -D B=2 -D S=9 -D H=3 -D D=33
// run: fusec run %s --check -D B=2 -D S=9 -D H=3 -D D=33 -O0
// run: fusec run %s --check -D B=1 -D S=1 -D H=1 -D D=1
// kernels: 2
// Results of rows are stored where the outputs have them, elements in another order among them.
fn rearranged[B, S, H, D](
    x: f32[B, S, H*D],
    gain: f32[D]
) -> (heads: f32[B, H, S, D], columns: f32[B, H*D, S], moments: f32[S, B]) {
    heads = permute(rms_norm(reshape(x, B, S, H, D), gain), 0, 2, 1, 3);
    p = softmax(x);
    columns = permute(p, 0, 2, 1);
    moments = max(x).T;
}
