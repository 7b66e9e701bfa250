// One explicit step of the heat equation on a plate whose rim is kept cold: a five-point stencil,
// written as slices of a padded array.
//
//     next[i, j] = t[i, j] + rate * (t[i-1, j] + t[i+1, j] + t[i, j-1] + t[i, j+1] - 4 t[i, j])
//
// try: -D H=1024 -D W=1024
// small: -D H=5 -D W=7
// small: -D H=1 -D W=1
// small: -D H=3 -D W=127
fn heat[H, W](t: f32[H, W], rate: f32) -> (next: f32[H, W]) {
    u = pad(pad(t, 0, 1, 1), 1, 1, 1);
    around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:];
    next = t + rate * (around - 4 * t);
}
