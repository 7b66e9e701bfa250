// A prefix that all see, and lengths, from tensors: random lengths of 0 to 9, so that some rows are
// masked altogether and give zeros.
// run: fusec run %s --check -D B=6 -D H=2 -D S=70 -D D=16
// run: fusec run %s --check -D B=3 -D H=1 -D S=7 -D D=5
// kernels: 1
fn lengths[B, H, S, D](
    q: f16[B, H, S, D],
    k: f16[B, H, S, D],
    v: f16[B, H, S, D],
    prefix: i32[B],
    length: i64[B]
) -> (o: f16[B, H, S, D]) {
    s = (q @ k.T) * rsqrt(D);
    i = iota(S)[:, None];
    j = iota(S);
    seen = (j <= i || j < prefix[:, None, None, None]) && (j as i64) < length[:, None, None, None];
    o = (softmax(where(seen, s, -inf)) as f16) @ v;
}
