// How many rows of logits have their largest element at the label: argmax, a comparison and an
// integer sum.
//
//     correct = count(argmax(logits) == labels)
//
// try: -D N=1024 -D C=1000
// small: -D N=7 -D C=3
// small: -D N=1 -D C=1
// small: -D N=101 -D C=17
// inputs: labels 0..C
fn accuracy[N, C](logits: bf16[N, C], labels: i32[N]) -> (correct: i32) {
    correct = sum(argmax(logits) == labels);
}
