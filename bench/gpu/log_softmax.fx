fn log_softmax_bf16[N, D](x: bf16[N, D]) -> (y: bf16[N, D]) {
    y = log_softmax(x);
}
