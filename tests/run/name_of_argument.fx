// run: fusec run %s --check -D N=5
// The entry point that is loaded has arguments of such names, and calls the function.
fn dims[N](tensors: f32[N], workspace: f32[3]) -> (kernel: f32[N, 3]) {
    kernel = tensors[:, None] * workspace;
}
