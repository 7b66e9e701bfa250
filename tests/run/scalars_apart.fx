// Parts of a tiny system are computed by one kernel, though their results alone would be more buffers than a kernel
// may have. With so few that the parts need several kernels, one reads what another one stores of them.
// run: fusec run %s --fn=product --limit=kernel_buffers=9 --device=cpu --check -D N=35
// run: fusec run %s --fn=total --limit=kernel_buffers=5 --device=cpu --check -D N=35
// run: fusec run %s --fn=of_eight --device=cpu --check -D N=35
@one_kernel
fn of_eight[N](x: f32[N, 8, 2], z: f32[N, 2, 8]) -> (y: f32[N, 8, 8]) {
    y = x @ z;
}
fn product[N](x: f32[4, 3, N], z: f32[N, 3, 4]) -> (y: f32[4, N, 4]) {
    y = permute(einsum("ijb,bjk->bik", x, z), 1, 0, 2);
}
fn total[N](x: f32[4, 3, N], z: f32[N, 3, 4], u: f32[4, 2, N], v: f32[N, 2, 4], w: f32[N, 4, 4]) -> (y: f32[4, N, 4]) {
    y = permute(einsum("ijb,bjk->bik", x, z) * w + einsum("ijb,bjk->bik", u, v), 1, 0, 2);
}
