// A program without warnings of functions some of which have inputs that are prepared; the other's
// reference copies rows.
// run: fusec %s --target=c -o %t.c
// run: cc -DFUSEC_MAIN -O2 -Wall -Wextra -Werror -Wno-unknown-pragmas -Wno-psabi %t.c -o %t -lm
// run: ./%t M=5 N=6 K=7 > checks
// run: grep -c ok checks
fn rows[N, K](x: f32[N, K], z: f32[N, K]) -> (y: f32[N]) {
    y = sum(exp(log_softmax(z)) * (log_softmax(z) - log_softmax(x)));
}
@constant(w)
fn layer[M, N, K](x: f32[M, K], w: f32[K, N]) -> (y: f32[M, N]) { y = x @ w; }
// ---- expect
// 2
