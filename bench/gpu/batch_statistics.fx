// Mean and variance of each channel, as batch normalisation takes them.
fn statistics[N, C, H, W](x: bf16[N, C, H, W]) -> (mean_of: f32[C], variance: f32[C]) {
    mean_of = mean(x, axis = [0, 2, 3]);
    variance = var(x, axis = [0, 2, 3]);
}
