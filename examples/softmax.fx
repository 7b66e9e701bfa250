// Softmax of each row: turns scores into probabilities. The last step of a classifier.
//
//     y[i] = exp(x[i] - max(x)) / sum(exp(x - max(x)))
//
// try: -D N=1024 -D D=768
// small: -D N=3 -D D=17
// small: -D N=1 -D D=1
// small: -D N=7 -D D=1031
// kernels: 1
fn softmax_rows[N, D](x: f32[N, D]) -> (y: f32[N, D]) {
    y = softmax(x, axis = -1);
}
