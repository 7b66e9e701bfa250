// Scores of heads that are added, in segments of a transposed product's tiles: by warps, and by warpgroups. Such as
// are gated by another product stay as they are.
// run: fusec run %s --check --fn=scores -D M=19 -D N=35 -D H=16 -D D=24
// run: fusec run %s --check --fn=scores -D M=140 -D N=700 -D H=16 -D D=64
// run: fusec run %s --check --fn=gated -D M=70 -D N=200 -D H=16 -D D=64
fn scores[M, N, H, D](q: bf16[M, H, D], k: bf16[N, D], w: f32[M, H]) -> (score: f32[M, N], top: f32[M, N]) {
    p = einsum("mhd,nd->mhn", q, k);
    score = where(iota(M)[:, None] >= iota(N), sum(relu(p) * w[:, :, None], axis = 1), 0);
    top = max(p, axis = 1);
}
fn gated[M, N, H, D](q: bf16[M, H, D], k: bf16[N, D], c: bf16[N, D]) -> (s: f32[M, N]) {
    s = sum(relu(einsum("mhd,nd->mhn", q, k)) * einsum("mhd,nd->mhn", q, c), axis = 1);
}
