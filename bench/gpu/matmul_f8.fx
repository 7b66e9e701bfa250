// A matrix product of f8, with a scale for each row of both operands, beside cuBLASLt.
@precision(f8)
fn product_f8[M, N, K](
    a: f8e4m3[M, K],
    b: f8e4m3[N, K],
    s: f32[M, 1],
    t: f32[1, N]
) -> (c: bf16[M, N]) {
    c = a @ b.T * s * t;
}
