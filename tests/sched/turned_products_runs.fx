// Scores of heads that are added, in segments of a transposed product's tiles: by warps, and by warpgroups.
// run: fusec run %s --check -D M=19 -D N=35 -D H=16 -D D=24
// run: fusec run %s --check -D M=140 -D N=700 -D H=16 -D D=64
fn scores[M, N, H, D](q: bf16[M, H, D], k: bf16[N, D], w: f32[M, H]) -> (score: f32[M, N], top: f32[M, N]) {
    p = einsum("mhd,nd->mhn", q, k);
    score = where(iota(M)[:, None] >= iota(N), sum(relu(p) * w[:, :, None], axis = 1), 0);
    top = max(p, axis = 1);
}
