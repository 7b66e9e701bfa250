// Running sums of bf16, with pointwise work on both sides.
fn running_sums[N, D](x: bf16[N, D]) -> (y: bf16[N, D]) {
    y = cumsum(abs(x)) / D;
}
