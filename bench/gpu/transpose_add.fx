// Pointwise work on both sides of a transpose.
fn transpose_add[B, M, N](x: bf16[B, M, N], z: bf16[B, N, M]) -> (y: bf16[B, N, M]) {
    y = gelu(x.T) + z;
}
