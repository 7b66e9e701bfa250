// Nucleus (top-p) filtering: of tokens sorted by falling logit, those are kept that come before
// the probabilities add up to p; the rest get zero. How a language model samples.
//
//     before[i] = probs[0] + .. + probs[i - 1],  y = probs where before < p, rescaled to sum 1
//
// try: -D N=256 -D V=5000
// small: -D N=3 -D V=17
// small: -D N=1 -D V=1
// small: -D N=2 -D V=1031
// inputs: p 0.5..0.95
fn nucleus[N, V](logits: f32[N, V], p: f32) -> (y: f32[N, V]) {
    probs = softmax(logits);
    before = cumsum(probs) - probs;
    kept = where(before < p, probs, 0);
    y = kept / sum(kept, keep = true);
}
