// run: fusec run %s --fn attention --check -D S=5 -D T=70
// run: fusec run %s --fn backward --check -D S=33 -D T=20
// Dropout between the softmax and the second product of an attention, and its backward.
@one_kernel
fn attention[S, T](q: f32[2, S, 16], k: f32[2, T, 16], v: f32[2, T, 16], seed: i64) -> (o: f32[2, S, 16]) {
    p = softmax(where(iota(S)[:, None] + 9 >= iota(T), q @ k.T * 0.25, -inf));
    o = dropout(p, 0.3, seed) @ v;
}

fn derived = vjp(attention);

@max_kernels(7) // of open sizes on a GPU; fewer elsewhere
fn backward[S, T](
    q: f32[2, S, 16],
    k: f32[2, T, 16],
    v: f32[2, T, 16],
    seed: i64,
    do: f32[2, S, 16]
) -> (dq: f32[2, S, 16], dk: f32[2, T, 16], dv: f32[2, T, 16]) {
    dq, dk, dv = derived(q, k, v, seed, do);
}
