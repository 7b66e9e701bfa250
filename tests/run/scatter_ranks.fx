// Scatters of as many elements by the same indices, with an axis of size 1, or along others of
// equal axes: each has a kernel of its own.
// run: fusec run %s --check
fn f(
    i: i32[16384],
    k: i32[64],
    a: f32[16384, 4],
    b: f32[16384, 1, 4],
    c: f32[64, 64],
    d: f32[1, 64, 64]
) -> (w: f32[8, 4], x: f32[8, 1, 4], y: f32[64, 8], z: f32[1, 8, 64]) {
    w = scatter(full(0.0, 8, 4), i % 8, a);
    x = scatter(full(0.0, 8, 1, 4), i % 8, b);
    y = scatter(full(0.0, 64, 8), k % 8, c, axis = 1);
    z = scatter(full(0.0, 1, 8, 64), k % 8, d, axis = 1);
}
