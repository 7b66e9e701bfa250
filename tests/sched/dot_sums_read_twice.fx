// run: fusec run %s --check -D B=37 -D H=65
// run: fusec run %s --check -D B=3 -D H=8
// kernels: 3
// A part of a sum that other parts of it, or what follows from it, read once more.
fn gates[B, H](x: f32[B, H], h: f32[B, H], c: f32[B, H], d: f32[B, H], wx: f32[H, H], wh: f32[H, H],
               wc: f32[H, H], wd: f32[H, H]) -> (y: f32[B, H], z: f32[B, H]) {
    a = x @ wx + h @ wh;
    y = (a + c @ wc) + a;
    z = tanh(a) * (a + d @ wd);
}
