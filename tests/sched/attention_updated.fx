// A chunk of the keys reads only its own: rows of a cache that is updated are chosen where they are
// multiplied, and neither is stored.
// run: fusec %s --arch=sm_90a --emit=plan -D T=4096 -o %t.plan
// run: grep -E "^kernel|reads|writes" %t.plan
fn decode[T](
    q: bf16[2, 8, 4, 64],
    k: bf16[2, 8, T, 64],
    v: bf16[2, 8, T, 64],
    key: bf16[2, 8, 64],
    value: bf16[2, 8, 64],
    length: i32[2]
) -> (o: bf16[2, 8, 4, 64]) {
    at = length[:, None, None, None];
    keys = where(iota(T)[:, None] == at, key[:, :, None], k);
    values = where(iota(T)[:, None] == at, value[:, :, None], v);
    s = where(iota(T) <= at, (q @ keys.T) * rsqrt(64), -inf);
    o = softmax(s) as bf16 @ values;
}
// ---- expect
// kernel decode_0 attention
//   reads length key k value v q
//   writes partial_max partial_shift partial_sum partial_out
// kernel decode_1 row
//   reads partial_max partial_shift partial_sum partial_out
//   writes o
