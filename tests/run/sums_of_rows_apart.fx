// run: fusec run %s --check -D B=9 -D C=3 -D S=37
// run: fusec run %s --check -D B=4 -D C=2 -D S=64
// run: fusec run %s --check -D B=3 -D C=5 -D S=130
// run: fusec run %s --check -D B=1 -D C=1 -D S=1
// Reductions over rows that are not neighbours: four of them side by side, and those that are left.
fn apart[B, C, S](x: f32[B, C, S], h: bf16[B, C, S], i: i32[B, C, S], b: bool[B, C, S])
    -> (sums: f32[C], least: f32[C], spread: f32[C], total: i32[C], every: bool[C], first: f32[C]) {
    sums = sum(x, axis = [0, 2]);
    least = min(x + h, axis = [0, 2]);
    m = mean(h as f32, axis = [0, 2], keep = true);
    spread = mean((h - m) * (h - m), axis = [0, 2]);
    total = sum(i, axis = [0, 2]);
    every = all(b, axis = [0, 2]);
    first = sum(x[:4 / 4, :, :], axis = [0, 2]);
}
