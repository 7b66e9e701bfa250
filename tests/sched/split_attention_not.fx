// run: fusec %s --emit=plan -D B=16 -D Q=2048 -D S=2048 --arch sm_80
// kernels: 1
// Tiles of queries for every multiprocessor; also where their number is open.
fn whole[B, Q, S](q: bf16[B, 8, Q, 64], k: bf16[B, 8, S, 64], v: bf16[B, 8, S, 64]) -> (o: bf16[B, 8, Q, 64]) {
    o = softmax(q @ k.T) as bf16 @ v;
}
