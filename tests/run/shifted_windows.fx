// Rolls of two axes at once: a position is not below 0 as a whole, and is in parts of it.
// run: fusec run %s --fn rolled --check -D B=2 -D H=8 -D W=12
// run: fusec run %s --fn rolled --check -D B=1 -D H=4 -D W=5
// run: fusec run %s --fn windows --check -D B=2 -D H=8 -D W=12
// run: fusec run %s --fn windows --check -D B=1 -D H=4 -D W=4 -O0
fn rolled[B, H, W](x: f32[B, H*W]) -> (y: f32[B, H, W]) {
    u = reshape(x, B, H, W);
    s = concat(u[:, -2:], u[:, :-2], axis = 1);
    y = concat(s[:, :, -2:], s[:, :, :-2], axis = 2);
}

fn windows[B, H, W](x: f32[B, H/4, W/4, 16]) -> (y: f32[B, H, W]) {
    u = reshape(permute(reshape(x, B, H / 4, W / 4, 4, 4), 0, 1, 3, 2, 4), B, H, W);
    s = concat(u[:, -2:], u[:, :-2], axis = 1);
    y = concat(s[:, :, -2:], s[:, :, :-2], axis = 2);
}
