// Pointwise maths on a narrow type.
fn gelu_of[N](x: bf16[N]) -> (y: bf16[N]) {
    y = gelu(x);
}
