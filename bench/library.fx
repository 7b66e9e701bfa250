// One operation: what a call of libfusec costs beside it is the library's.
fn shifted[N, D](x: f32[N, D]) -> (y: f32[N, D]) {
    y = x + 1;
}
