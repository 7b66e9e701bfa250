// An open batch, and 132 multiprocessors: keys are split unless the least batch has more tiles of 64
// queries. `prefill` has 32 x 32, `asserted` 9 x 2 x 8; `few_heads` 2 x 32, `decode` 32. Open queries may
// be many.
// run: fusec explain %s --arch=sm_90a -o %t.txt
// run: grep "^kernel" %t.txt
fn prefill[B](q: bf16[B, 32, 2048, 128], k: bf16[B, 32, 2048, 128], v: bf16[B, 32, 2048, 128])
    -> (y: bf16[B, 32, 2048, 128]) {
    i = iota(2048);
    y = softmax(where(i[:, None] >= i, q @ k.T, -inf)) as bf16 @ v;
}

fn asserted[B, H](q: bf16[B, H, 512, 128], k: bf16[B, H, 2048, 128], v: bf16[B, H, 2048, 128])
    -> (y: bf16[B, H, 512, 128]) {
    assert B >= 9 && H >= 2;
    y = softmax(q @ k.T) as bf16 @ v;
}

fn open_queries[B, T](q: bf16[B, T, 64], k: bf16[B, T, 64], v: bf16[B, T, 64]) -> (y: bf16[B, T, 64]) {
    y = softmax(q @ k.T) as bf16 @ v;
}

fn few_heads[B](q: bf16[B, 2, 2048, 128], k: bf16[B, 2, 2048, 128], v: bf16[B, 2, 2048, 128])
    -> (y: bf16[B, 2, 2048, 128]) {
    y = softmax(q @ k.T) as bf16 @ v;
}

fn decode[B, T](q: bf16[B, 32, 1, 128], k: bf16[B, 32, T, 128], v: bf16[B, 32, T, 128])
    -> (y: bf16[B, 32, 1, 128]) {
    y = softmax(q @ k.T) as bf16 @ v;
}
// ---- expect
// kernel prefill_0: attention over [B, 32, 2048, 128] along 128
// kernel asserted_0: attention over [B, H, 512, 128] along 128
// kernel open_queries_0: attention over [B, T, 64] along 64
// kernel few_heads_0: attention over [B, 2, 8, 2048, 128] along 128
// kernel few_heads_1: row over [B, 2, 8, 2048, 128] along 8
// kernel decode_0: attention over [B, 32, 8, 128] along 128
// kernel decode_1: row over [B, 32, 8, 128] along 8
