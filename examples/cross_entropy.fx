// Cross entropy: minus the log-probability that each row of logits gives to its label. The loss
// of language models.
//
//     loss = log(sum(exp(logits))) - logits[label]
//
// try: -D N=128 -D V=50257
// small: -D N=3 -D V=13
// small: -D N=1 -D V=1
// small: -D N=5 -D V=1009
// inputs: labels 0..V
// kernels: 1
fn cross_entropy_rows[N, V](logits: bf16[N, V], labels: i32[N]) -> (loss: f32[N]) {
    loss = cross_entropy(logits, labels);
}
