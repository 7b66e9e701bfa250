// The place of each row's largest element.
fn largest[N, D](x: bf16[N, D]) -> (at: i32[N]) {
    at = argmax(x);
}
