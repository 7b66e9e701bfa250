// The backward of attention in C: dq has the same bits with every number of threads, whether each has
// batches of its own, or others compute the scores again.
// run: fusec explain %s --target=c --fn bwd > %t.plan
// run: grep -m1 "adds to" %t.plan
// run: fusec run %s --fn bwd -D H=3 -D S=130 --device=cpu --threads=1 --out=%t.1.safetensors > %t.log
// run: fusec run %s --fn bwd -D H=3 -D S=130 --device=cpu --threads=2 --out=%t.2.safetensors > %t.log
// run: fusec run %s --fn bwd -D H=3 -D S=130 --device=cpu --threads=7 --out=%t.7.safetensors > %t.log
// run: cmp %t.1.safetensors %t.2.safetensors
// run: cmp %t.1.safetensors %t.7.safetensors
fn attention[H, S](q: bf16[H, S, 40], k: bf16[H, S, 40], v: bf16[H, S, 40]) -> (o: bf16[H, S, 40]) {
    o = (softmax(where(iota(S)[:, None] >= iota(S), q @ k.T * rsqrt(40), -inf)) as bf16) @ v;
}
fn fwd, bwd = train(attention);
// ---- expect
//   adds to   matmul_temp, in order
// fusec: remark: random inputs, seed 0: q, k, v, o, keep_2, do
// fusec: remark: random inputs, seed 0: q, k, v, o, keep_2, do
// fusec: remark: random inputs, seed 0: q, k, v, o, keep_2, do
