// run: fusec run %s --check -D M=7 -D N=3
// run: fusec run %s --check -D M=3 -D N=70
// run: fusec run %s --check -D M=5 -D N=5
// run: fusec run %s --check -D M=7 -D N=3 -O0
// kernels: 2
// An input that is rearranged before its rows are reduced is stored as it is read.
fn of_input[M, N](
    x: f32[M, N]
) -> (sums: f32[M], turned: f32[N, M], largest: f32[N], same: f32[1, N, M]) {
    t = x.T;
    sums = sum(t, axis = 0);
    turned = t;
    largest = max(t);
    same = reshape(t, -1, N, M);
}
