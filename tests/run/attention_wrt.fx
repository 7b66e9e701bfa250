// Cotangents of queries and keys alone: the weights are computed again although no value wants them.
// run: fusec run %s --check -D B=1 -D S=40 --fn of_queries --device=cpu
// run: fusec run %s --check -D B=1 -D S=40 --fn of_keys --device=cpu
// run: fusec run %s --check -D B=1 -D S=40 --fn of_all --device=cpu
fn attention[B, S](
    q: bf16[B, S, 16],
    k: bf16[B, S, 16],
    v: bf16[B, S, 16]
) -> (o: bf16[B, S, 16]) {
    o = (softmax((q @ k.T) * 0.25) as bf16) @ v;
}

@max_kernels(3)
fn of_queries = vjp(attention, wrt = [q]);
@max_kernels(3)
fn of_keys = vjp(attention, wrt = [k]);
fn of_all = vjp(attention);
