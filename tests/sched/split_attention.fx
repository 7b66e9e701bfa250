// run: fusec run %s --check -D B=1 -D S=700
// run: fusec run %s --check -D B=3 -D S=515
// run: fusec run %s --check -D B=40 -D S=260
// run: fusec run %s --check -D B=1 -D S=1
// kernels: 2
// One query for each head: chunks of the keys for the multiprocessors of a GPU, and a kernel that combines them.
fn decode[B, S](q: bf16[B, 2, 4, 24], k: bf16[B, 2, S, 24], v: bf16[B, 2, S, 24]) -> (o: bf16[B, 2, 4, 24]) {
    o = softmax((q @ k.T) * 0.2) as bf16 @ v;
}
