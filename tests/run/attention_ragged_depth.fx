// Attentions of one query, and of rows that are parts of wider ones, whose depth is no multiple of 8: what is
// copied 16 bytes at a time needs rows that end at such a place.
// run: fusec run %s --check
fn ragged(k: f16[65, 17], v: f16[65, 17], q: f16[1, 17], x: bf16[2, 40, 24], y: bf16[2, 70, 24], z: bf16[2, 70, 24]) ->
        (one: f16[1, 17], parts: bf16[2, 40, 20]) {
    w = softmax(q @ k.T) as f16;
    one = w @ v;
    p = softmax(x[:, :, 0:20] @ transpose(y[:, :, 0:20])) as bf16;
    parts = p @ z[:, :, 0:20];
}
// ---- expect
// one: f16[1, 17]  mean 0.03946  max 0.2172  checksum 83f0ec814091aebd
// parts: bf16[2, 40, 20]  mean 0.001313  max 0.4902  checksum b46caf761d51ec1b
// one: ok, largest error 0 of 6.11e-05 allowed, at [0, 0]: got 0.0779418945, want 0.0779418945
// parts: ok, largest error 0 of 6.13e-05 allowed, mean 0 of 7.31e-05, at [0, 0, 0]: got 0.0151977539, want 0.0151977539
// fusec: remark: random inputs, seed 0: k, v, q, x, y, z
