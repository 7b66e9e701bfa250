// Tiny systems in a batch as long as they are: permuted, a running sum is along an axis of the
// batch.
// run: fusec run %s --check
fn f(a: f32[4, 8, 4, 4], b: f32[4, 8, 4, 4]) -> (y: f32[4, 8, 4, 4], z: f32[4, 8, 4]) {
    c = a @ b;
    z = permute(cumsum(c[:, :, :, 0], axis = 2), 2, 1, 0);
    y = c @ b + z[:, :, :, None];
}
