// A mask inside of a choice whose other side is finite: no score is without it.
// run: fusec run %s --check -D S=1 -D n=70 -D m=90
// run: fusec run %s --check -D S=3 -D n=70 -D m=90
// run: fusec run %s --check -D S=40 -D n=1 -D m=90
// kernels: 1
fn masks_inside[S, n, m](q: f32[S, 16], k: f32[96, 16], v: f32[96, 16]) -> (y: f32[S, 16]) {
    t = where(iota(96) < m, where(iota(96) < n, q @ k.T, -inf), 0);
    y = softmax(t) @ v;
}
