// Softmax of rows that are too long for the registers of a block.
fn softmax_bf16[N, D](x: bf16[N, D]) -> (y: bf16[N, D]) {
    y = softmax(x);
}
