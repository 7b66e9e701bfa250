// The gradient of the queries' first part has fewer columns than that of the keys: one kernel cannot
// compute both in one pass over the scores.
// run: fusec run %s --fn back --check --device=cpu -D B=2 -D H=3 -D N=9 -D R=16 -D P=4
// run: fusec run %s --fn back --check --device=cpu -D B=1 -D H=2 -D N=40 -D R=24 -D P=8 --threads=2
fn latent[B, H, N, R, P](
    q: bf16[B, H, N, R],
    q_rope: bf16[B, N, H, P],
    c: bf16[B, N, R],
    k_rope: bf16[B, N, P]
) -> (o: bf16[B, H, N, R]) {
    s = concat(q, permute(q_rope, 0, 2, 1, 3)) @ concat(c, k_rope)[:, None].T;
    o = softmax(s) as bf16 @ c[:, None];
}

fn back = vjp(latent);
