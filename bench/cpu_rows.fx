// The kernels that bench/cpu_rows.c times: one function, one kernel each.

fn add_wide[N](a: f32[N], b: f32[N]) -> (y: f32[N]) {
    y = a + b;
}

fn gelu_wide[N](x: f32[N]) -> (y: f32[N]) {
    y = gelu(x);
}

fn gelu_narrow[N](x: bf16[N]) -> (y: bf16[N]) {
    y = gelu(x);
}

fn rms_norm_wide[N, D](x: f32[N, D], gain: f32[D]) -> (y: f32[N, D]) {
    y = rms_norm(x, gain);
}

fn layer_norm_wide[N, D](x: f32[N, D], gain: f32[D], bias: f32[D]) -> (y: f32[N, D]) {
    y = layer_norm(x, gain, bias);
}

fn layer_norm_narrow[N, D](x: bf16[N, D], gain: f32[D], bias: f32[D]) -> (y: bf16[N, D]) {
    y = layer_norm(x, gain, bias);
}

fn softmax_wide[N, D](x: f32[N, D]) -> (y: f32[N, D]) {
    y = softmax(x);
}
