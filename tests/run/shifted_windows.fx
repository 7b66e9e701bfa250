// Windows that are shifted back around the ends: an element is read at (12*i + k - 14) / 12, which must
// not become i + (k - 14) / 12, because C's division truncates. Fixed sizes, and open ones.
// run: fusec run %s --check -D B=2 -D H=8 -D W=12 -D C=3 > checks
// run: fusec run %s --check -O 0 -D B=2 -D H=8 -D W=12 -D C=3 > checks
// run: fusec %s --target=c -o %t.c
// run: cc -Og -ffp-contract=fast -fopenmp -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t B=2 H=8 W=12 C=3 > checks
fn shifted[B, H, W, C](x: f32[B, H/4, W/4, 4, 4, C]) -> (y: f32[B, H, W, C]) {
    u = reshape(permute(x, 0, 1, 3, 2, 4, 5), B, H, W, C);
    down = concat(u[:, -2:], u[:, :-2], axis = 1);
    y = concat(down[:, :, -2:], down[:, :, :-2], axis = 2);
}
// ---- expect
// fusec: remark: random inputs, seed 0: x
// fusec: remark: random inputs, seed 0: x
