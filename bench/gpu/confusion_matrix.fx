// How often each pair of classes occurs.
fn confusion_matrix[N](truth: i32[N], guess: i32[N]) -> (count: i32[10000]) {
    count = scatter(full(0, 10000), clamp(truth, 0, 99) * 100 + clamp(guess, 0, 99), 1);
}
