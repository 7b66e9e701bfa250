// run: fusec run %s --check -D B=37 -D H=65
// run: fusec run %s --check -D B=66 -D H=136
// run: fusec run %s --check -D B=3 -D H=8 -O0
// kernels: 2
// A part of a sum of products that is an output, too, is the whole sum of a kernel of its own.
fn cell[B, H](x: f32[B, H], h: f32[B, H], c: f32[B, H], wx: f32[H, H], wh: f32[H, H], wc: f32[H, H])
    -> (a: f32[B, H], y: f32[B, H]) {
    a = x @ wx + h @ wh;
    y = tanh(a + c @ wc);
}
