// Other keys than queries, columns than depth, a bias, and documents by their numbers: a mask of loaded
// values, which skips nothing.
// run: fusec run %s --check -D B=2 -D H=2 -D N=70 -D M=150 -D D=16 -D C=40
// run: fusec run %s --check -D B=2 -D H=2 -D N=1 -D M=3 -D D=2 -D C=1
fn cross[B, H, N, M, D, C](
    x: f32[B, N, H, D],
    k: f32[B, M, H, D],
    v: f32[B, M, H, C],
    bias: f32[H, N, M],
    mine: i32[N],
    theirs: i32[M]
) -> (o: f32[B, H, N, C]) {
    q = permute(x, 0, 2, 1, 3) * rsqrt(D);
    s = q @ permute(k, 0, 2, 3, 1) + bias;
    p = softmax(where(mine[:, None] == theirs, s, -inf));
    o = p @ permute(v, 0, 2, 1, 3) + 1;
}
