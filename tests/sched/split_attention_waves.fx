// 140 heads of one query: some multiprocessors of 132 would have two blocks, so each head has two chunks
// of keys. Not with 180 heads, and not of many queries.
// run: fusec explain %s --arch=sm_90a -o %t.txt
// run: grep "^kernel" %t.txt
fn decode(q: bf16[140, 1, 64], k: bf16[140, 2841, 64], v: bf16[140, 2841, 64]) -> (y: bf16[140, 1, 64]) {
    y = softmax(q @ k.T) as bf16 @ v;
}

fn more_heads(q: bf16[180, 1, 64], k: bf16[180, 2841, 64], v: bf16[180, 2841, 64]) -> (y: bf16[180, 1, 64]) {
    y = softmax(q @ k.T) as bf16 @ v;
}

fn many_queries(q: bf16[140, 60, 64], k: bf16[140, 2841, 64], v: bf16[140, 2841, 64])
    -> (y: bf16[140, 60, 64]) {
    y = softmax(q @ k.T) as bf16 @ v;
}
// ---- expect
// kernel decode_0: attention over [140, 2, 64] along 64
// kernel decode_1: row over [140, 2, 64] along 2
// kernel more_heads_0: attention over [180, 64] along 64
// kernel many_queries_0: attention over [140, 60, 64] along 64
