fn layer[B, S, H, D](
    x: bf16[B, S, H, D],
    gain: bf16[D],
    c: f32[S, D/2],
    s: f32[S, D/2]
) -> (y: bf16[B, S, H, D]) {
    a, b = split(rms_norm(x, gain) as bf16, 2);
    y = concat(a * c[:, None] - b * s[:, None], b * c[:, None] + a * s[:, None]);
}

fn g = vjp(layer, wrt = [x, gain]);
