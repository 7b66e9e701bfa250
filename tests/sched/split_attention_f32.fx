// run: fusec run %s --check -D S=1030
// run: fusec run %s --check -D S=64
// kernels: 2
// Without tensor cores. What is made of a row's sum is made again for each column.
@precision(ieee)
fn decode[S](q: f32[1, 2, 3, 5], k: f32[1, 2, S, 5], v: f32[1, 2, S, 5], g: f32[1, 2, 3]) -> (o: f32[1, 2, 3, 5]) {
    o = softmax(q @ k.T) @ v * g[:, :, :, None];
}
