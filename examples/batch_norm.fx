// Batch normalisation at inference, with the running statistics of each channel, and the ReLU that
// follows it in a ResNet.
//
//     y = relu((x - mean) / sqrt(variance + eps) * gain + bias)
//
// try: -D N=8 -D C=64 -D H=56 -D W=56
// small: -D N=2 -D C=3 -D H=5 -D W=7
// small: -D N=1 -D C=1 -D H=1 -D W=1
// inputs: variance 0.1..2
// kernels: 1
fn batch_norm[N, C, H, W](
    x: f32[N, C, H, W],
    mean: f32[C],
    variance: f32[C],
    gain: f32[C],
    bias: f32[C]
) -> (y: f32[N, C, H, W]) {
    scale = gain * rsqrt(variance + 1e-5);
    shift = bias - mean * scale;
    y = relu(x * scale[:, None, None] + shift[:, None, None]);
}
