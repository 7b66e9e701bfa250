fn f[M, N, H, D](q: bf16[M, H, D], k: bf16[N, D], w: f32[M, H]) -> (score: f32[M, N]) {
    p = einsum("mhd,nd->mhn", q, k);
    score = where(iota(M)[:, None] >= iota(N), sum(relu(p) * w[:, :, None], axis = 1), 0);
}
