// run: fusec run %s --check -D S=900
// run: fusec run %s --check -D S=530
// run: fusec run %s --check -D S=129
// kernels: 3
// Masks from positions and from a tensor, rows that are masked altogether, and the logarithm of the
// sum as a second result: parts may have no key, and no part may.
fn decode[S](
    q: f16[2, 3, 7, 40], k: f16[2, 3, S, 40], v: f16[2, 3, S, 40], length: i32[2]
) -> (o: f16[2, 3, 7, 40], l: f32[2, 3, 7]) {
    row = iota(7)[:, None];
    key = iota(S);
    seen = (key <= row + S - 7) && (row + S - 7 - key < 300) && (key + 40 * length[:, None, None, None] < S) && row != 1;
    s = where(seen, (q @ k.T) * 0.2, -inf);
    o = softmax(s) as f16 @ v;
    l = logsumexp(s);
}
