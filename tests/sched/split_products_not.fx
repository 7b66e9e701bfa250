// run: fusec %s --emit=plan -D S=64 -D T=4096 -D D=64 --arch sm_80
// kernels: 2
// Few elements and many terms, but attention is split into chunks of keys, and its products stay whole.
fn decode[S, T, D](q: bf16[S, D], k: bf16[T, D], v: bf16[T, D]) -> (y: bf16[S, D]) {
    y = softmax(q @ k.T) @ v;
}
