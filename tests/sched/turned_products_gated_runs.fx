// A product that another gates is not transposed. With one function, so that the sizes are known.
// run: fusec run %s --check -D M=70 -D N=200 -D H=16 -D D=64
fn gated[M, N, H, D](q: bf16[M, H, D], k: bf16[N, D], c: bf16[N, D]) -> (s: f32[M, N]) {
    s = sum(relu(einsum("mhd,nd->mhn", q, k)) * einsum("mhd,nd->mhn", q, c), axis = 1);
}
