// run: fusec run %s --fn moved --check -D B=2 -D S=9 -D H=3 -D D=33
// run: fusec run %s --fn added --check -D B=2 -D S=9 -D H=3 -D D=33
// run: fusec run %s --fn normed --check -D B=2 -D S=9 -D H=3 -D D=33
// Loops over rows that are in the order of loads, or of stores.
fn moved[B, S, H, D](x: f32[B, S, H, D]) -> (y: f32[B, H, S, D]) { y = permute(x, 0, 2, 1, 3); }

fn added[B, S, H, D](x: bf16[B, S, H, D], z: f32[B, H, S, D]) -> (y: f32[B, H, S, D]) {
    y = permute(x, 0, 2, 1, 3) + z;
}

fn normed[B, S, H, D](x: f32[B, S, H, D]) -> (y: f32[B, H, S, D]) {
    y = softmax(permute(x, 0, 2, 1, 3));
}
