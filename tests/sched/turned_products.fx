// Products that are only reduced, along the innermost rows of their left operand: these are columns of the transposed
// product, in segments of a tile, and nothing but sums is stored. Not where the scores are an output, too, where an
// axis lies between, or where segments would cross tiles.
// run: fusec %s --arch=sm_90a --emit=plan --fn=scores -D M=1024 -D N=4096 -D H=16 -D D=128
// run: fusec %s --arch=sm_90a --emit=plan --fn=stored -D M=1024 -D N=4096 -D H=16 -D D=128
// run: fusec %s --arch=sm_90a --emit=plan --fn=outer -D M=1024 -D N=4096 -D H=16 -D D=128
// run: fusec %s --arch=sm_90a --emit=plan --fn=scores -D M=1024 -D N=4096 -D H=12 -D D=128
fn scores[M, N, H, D](q: bf16[M, H, D], k: bf16[N, D], w: f32[M, H]) -> (score: f32[M, N], top: f32[M, N]) {
    p = einsum("mhd,nd->mhn", q, k);
    score = where(iota(M)[:, None] >= iota(N), sum(relu(p) * w[:, :, None], axis = 1), 0);
    top = max(p, axis = 1);
}
fn stored[M, N, H, D](q: bf16[M, H, D], k: bf16[N, D]) -> (p: f32[M, H, N], s: f32[M, N]) {
    p = einsum("mhd,nd->mhn", q, k);
    s = sum(p, axis = 1);
}
fn outer[M, N, H, D](q: bf16[H, M, D], k: bf16[N, D]) -> (s: f32[M, N]) {
    s = sum(relu(einsum("hmd,nd->hmn", q, k)), axis = 0);
}
