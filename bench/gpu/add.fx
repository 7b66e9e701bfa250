// Three tensors' worth of memory traffic, and nothing else.
fn add_of[N](a: f32[N], b: f32[N]) -> (c: f32[N]) {
    c = a + b;
}
