// The output layer of a language model and its loss, as one: a product with the vocabulary, of which
// only the loss of each row is wanted. The logits, N x V, are never stored.
//
//     loss = log(sum(exp(x wᵀ))) - (x wᵀ)[label]
//
// try: -D N=8 -D V=50257 -D D=768
// small: -D N=3 -D V=2053 -D D=7
// small: -D N=1 -D V=1 -D D=1
// small: -D N=33 -D V=2600 -D D=8
// inputs: labels 0..V
fn linear_cross_entropy[N, V, D](x: bf16[N, D], w: bf16[V, D], labels: i32[N]) -> (loss: f32[N]) {
    loss = cross_entropy(x @ w.T, labels);
}
