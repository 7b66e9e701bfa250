// run: fusec run %s --check -D N=12 -D D=16
// run: fusec run %s --check -D N=5 -D D=32 -O0
// A row that is gathered may lie outside of a padded tensor: that is not known before its packs are loaded.
// inputs: i 0..2*N
@one_kernel
fn gathered[N, D](x: f32[D], w: f32[N, D], i: i32[N]) -> (y: f32[N, D], z: f32) {
    rows = pad(broadcast(x, N, D), 0, N, 0);
    y = take(rows, i, axis = 0) * w;
    z = sum(y, axis = [0, 1]);
}
