// Arguments of the self-test: its default sizes satisfy the conditions of the model.
// run: fusec %s -o %t.c
// run: cc -DFUSEC_MAIN -O1 -Wall -Wextra -Werror -Wno-unknown-pragmas %t.c -o %t -lm
// run: ./%t N=3
// exit: 2
// run: ./%t M=x
// exit: 2
// run: ./%t N=0
// exit: 2
// run: ./%t Q=1
// exit: 2
// run: ./%t N
// exit: 2
fn tied[N, M, K, W](x: f32[N, M], y: f32[K]) -> (z: f32[K], w: f32[W, 3], v: f32[N, M]) {
    assert K == 4*N*M + 3;
    assert W % 24 == 0;
    assert W <= N;
    z = y * 2;
    w = full(1.5, W, 3) + iota(W)[:, None] as f32;
    v = x * (N as f32);
}
fn fixed(a: f32[4], b: i32) -> (c: f32[4]) {
    c = a * (b as f32);
}
// ---- expect
// the sizes break a condition of the model: K == 4*N*M + 3
// usage: ./out [NAME=SIZE..]
//   tied N=1024 M=1024 K=4194307 W=264
//   fixed
// not a size: M=x
// usage: ./out [NAME=SIZE..]
//   tied N=1024 M=1024 K=4194307 W=264
//   fixed
// not a size: N=0
// usage: ./out [NAME=SIZE..]
//   tied N=1024 M=1024 K=4194307 W=264
//   fixed
// not a size: Q=1
// usage: ./out [NAME=SIZE..]
//   tied N=1024 M=1024 K=4194307 W=264
//   fixed
// not a size: N
// usage: ./out [NAME=SIZE..]
//   tied N=1024 M=1024 K=4194307 W=264
//   fixed
