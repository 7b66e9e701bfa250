// Rows that a reduction has in one order of their axes, and what moves or scales them in another.
// run: fusec run %s --check -D S=5 -D H=3
// run: fusec run %s --check -D S=1 -D H=40
fn f[S, H](x: bf16[2, S, H, 34], g: f32[34], c: f32[S, 34], s: f32[S, 34], w: f32[H, S, 16], v: f32[S, H, 16]) ->
        (turned: bf16[2, H, S, 34], own: f32[S, H, 16], flipped: bf16[H, S, 16], part: f32[H, S, 4],
         flat: f16[4 * H, 2, S, 8], two: bf16[H, S, 16], scores: f32[H, S, S], halves: bf16[H, S, 16]) {
    n = permute(rms_norm(x, g), 0, 2, 1, 3);
    a, b = split(n, 2);
    turned = n * c[None, None] + concat(-b, a) * s[None, None];
    own = softmax(v);
    m = permute(own, 1, 0, 2);
    flipped = flip(m, axis = 2) * w;
    part = m[:, :, 4:8] + 1;
    q = softmax(reshape(x[:, :, :, :32], 2, S, 4 * H, 8) as f32);
    flat = permute(q, 2, 0, 1, 3) * 3;
    k = permute(rms_norm(v, w[0, 0]), 1, 0, 2) as bf16;
    scores = (flipped as bf16) @ k.T;
    l, r = split((own * w[0, 0]) as bf16, 2);
    halves = permute(concat(l * c[:, None, :8] - r, r * c[:, None, :8] + l), 1, 0, 2) as bf16;
    two = m + softmax(w);
}
