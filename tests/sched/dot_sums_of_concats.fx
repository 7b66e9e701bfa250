// run: fusec %s --emit=plan --arch sm_90a
// Sums along concatenations that are cut in the same places are sums of the products of their parts, which one
// kernel adds up; so are those along one concatenation of many rows, which cuts the other operand. Not where both
// are cut in different places, in short parts, or rows are few, nor where the concatenation is stored.
fn cut[M, N](
    a: bf16[M, 128],
    b: bf16[M, 64],
    c: bf16[M, 40],
    x: bf16[N, 128],
    y: bf16[N, 64],
    z: bf16[N, 40]
) -> (o: f32[M, N]) {
    o = concat(a, b, c) @ concat(x, y, z).T;
}
fn heads[B, H, M, N](
    a: bf16[B, M, H, 128],
    b: bf16[B, M, H, 64],
    x: bf16[B, N, H, 128],
    y: bf16[B, N, H, 64]
) -> (o: f32[B, H, M, N]) {
    o = einsum("bmhd,bnhd->bhmn", concat(a, b), concat(x, y));
}
fn one[M, N](a: bf16[M, 128], b: bf16[M, 64], x: bf16[N, 192]) -> (o: f32[M, N]) {
    o = concat(a, b) @ x.T;
}
fn stored[M, N](a: bf16[M, 128], b: bf16[M, 64], x: bf16[N, 192]) -> (c: bf16[M, 192], o: f32[M, N]) {
    c = concat(a, b);
    o = c @ x.T;
}
fn turned[M, N](x: bf16[M, 192], a: bf16[N, 128], b: bf16[N, 64]) -> (c: bf16[N, 192], o: f32[M, N]) {
    c = concat(a, b);
    o = x @ c.T;
}
fn few[N](a: bf16[8, 128], b: bf16[8, 64], x: bf16[N, 192]) -> (o: f32[8, N]) {
    o = concat(a, b) @ x.T;
}
fn other[M, N](a: bf16[M, 128], b: bf16[M, 64], x: bf16[N, 64], y: bf16[N, 128]) -> (o: f32[M, N]) {
    o = concat(a, b) @ concat(x, y).T;
}
fn short[M, N](a: bf16[M, 60], b: bf16[M, 4], x: bf16[N, 60], y: bf16[N, 4]) -> (o: f32[M, N]) {
    o = concat(a, b) @ concat(x, y).T;
}
// ---- expect
// plan cut -O2
// kernel cut_0 dot
//   reads a x b y c z
//   writes o
//   over [M, N]
//     %7 matmul f32[M, N]
//     %8 matmul f32[M, N]
//     %9 add f32[M, N]
//     %10 matmul f32[M, N]
//     %11 add f32[M, N] -> o
//   bytes_read 464*M + 464*N
//   bytes_written 4*M*N
//   flops 466*M*N
// buffer a input bf16[128*M] bytes 256*M live -1..1
// buffer b input bf16[64*M] bytes 128*M live -1..1
// buffer c input bf16[40*M] bytes 80*M live -1..1
// buffer x input bf16[128*N] bytes 256*N live -1..1
// buffer y input bf16[64*N] bytes 128*N live -1..1
// buffer z input bf16[40*N] bytes 80*N live -1..1
// buffer o output f32[M*N] bytes 4*M*N live 0..1
// peak 4*M*N + 464*M + 464*N
//
// plan heads -O2
// kernel heads_0 dot
//   reads a x b y
//   writes o
//   over [B, H, M, N]
//     %7 matmul f32[B, H, M, N]
//     %10 matmul f32[B, H, M, N]
//     %11 add f32[B, H, M, N] -> o
//   bytes_read 384*B*H*M + 384*B*H*N
//   bytes_written 4*B*H*M*N
//   flops 385*B*H*M*N
// buffer a input bf16[128*B*H*M] bytes 256*B*H*M live -1..1
// buffer b input bf16[64*B*H*M] bytes 128*B*H*M live -1..1
// buffer x input bf16[128*B*H*N] bytes 256*B*H*N live -1..1
// buffer y input bf16[64*B*H*N] bytes 128*B*H*N live -1..1
// buffer o output f32[B*H*M*N] bytes 4*B*H*M*N live 0..1
// peak 4*B*H*M*N + 384*B*H*M + 384*B*H*N
//
// plan one -O2
// kernel one_0 dot
//   reads a x b
//   writes o
//   over [M, N]
//     %5 matmul f32[M, N]
//     %7 matmul f32[M, N]
//     %8 add f32[M, N] -> o
//   bytes_read 384*M + 384*N
//   bytes_written 4*M*N
//   flops 385*M*N
// buffer a input bf16[128*M] bytes 256*M live -1..1
// buffer b input bf16[64*M] bytes 128*M live -1..1
// buffer x input bf16[192*N] bytes 384*N live -1..1
// buffer o output f32[M*N] bytes 4*M*N live 0..1
// peak 4*M*N + 384*M + 384*N
//
// plan stored -O2
// kernel stored_0 pointwise
//   reads a b
//   writes c
//   over [M, 192]
//     %12 lt bool[1, 192]
//     %14 where bf16[M, 192] -> c
//   bytes_read 384*M
//   bytes_written 384*M
//   flops 192*M + 192
// kernel stored_1 dot
//   reads c x
//   writes o
//   over [M, N]
//     %15 matmul f32[M, N] -> o
//   bytes_read 384*M + 384*N
//   bytes_written 4*M*N
//   flops 384*M*N
// buffer a input bf16[128*M] bytes 256*M live -1..2
// buffer b input bf16[64*M] bytes 128*M live -1..2
// buffer x input bf16[192*N] bytes 384*N live -1..2
// buffer c output bf16[192*M] bytes 384*M live 0..2
// buffer o output f32[M*N] bytes 4*M*N live 1..2
// apart c | o: recompute, 393216 bytes
// peak 4*M*N + 768*M + 384*N
//
// plan turned -O2
// kernel turned_0 pointwise
//   reads a b
//   writes c
//   over [N, 192]
//     %12 lt bool[1, 192]
//     %14 where bf16[N, 192] -> c
//   bytes_read 384*N
//   bytes_written 384*N
//   flops 192*N + 192
// kernel turned_1 dot
//   reads x c
//   writes o
//   over [M, N]
//     %15 matmul f32[M, N] -> o
//   bytes_read 384*M + 384*N
//   bytes_written 4*M*N
//   flops 384*M*N
// buffer x input bf16[192*M] bytes 384*M live -1..2
// buffer a input bf16[128*N] bytes 256*N live -1..2
// buffer b input bf16[64*N] bytes 128*N live -1..2
// buffer c output bf16[192*N] bytes 384*N live 0..2
// buffer o output f32[M*N] bytes 4*M*N live 1..2
// apart c | o: recompute, 393216 bytes
// peak 4*M*N + 384*M + 768*N
//
// plan few -O2
// kernel few_0 dot
//   reads a b x
//   writes o
//   over [8, N]
//     %12 lt bool[1, 192]
//     %14 where bf16[8, 192]
//     %15 matmul f32[8, N] -> o
//   bytes_read 384*N + 3072
//   bytes_written 32*N
//   flops 3072*N + 1728
// buffer a input bf16[1024] bytes 2048 live -1..1
// buffer b input bf16[512] bytes 1024 live -1..1
// buffer x input bf16[192*N] bytes 384*N live -1..1
// buffer o output f32[8*N] bytes 32*N live 0..1
// peak 416*N + 3072
//
// plan other -O2
// kernel other_0 dot
//   reads a b x y
//   writes o
//   over [M, N]
//     %13 lt bool[1, 192]
//     %15 where bf16[M, 192]
//     %21 lt bool[1, 192]
//     %23 where bf16[N, 192]
//     %24 matmul f32[M, N] -> o
//   bytes_read 384*M + 384*N
//   bytes_written 4*M*N
//   flops 384*M*N + 192*M + 192*N + 384
// buffer a input bf16[128*M] bytes 256*M live -1..1
// buffer b input bf16[64*M] bytes 128*M live -1..1
// buffer x input bf16[64*N] bytes 128*N live -1..1
// buffer y input bf16[128*N] bytes 256*N live -1..1
// buffer o output f32[M*N] bytes 4*M*N live 0..1
// peak 4*M*N + 384*M + 384*N
//
// plan short -O2
// kernel short_0 dot
//   reads a b x y
//   writes o
//   over [M, N]
//     %13 lt bool[1, 64]
//     %15 where bf16[M, 64]
//     %19 where bf16[N, 64]
//     %20 matmul f32[M, N] -> o
//   bytes_read 128*M + 128*N
//   bytes_written 4*M*N
//   flops 128*M*N + 64*M + 64*N + 64
// buffer a input bf16[60*M] bytes 120*M live -1..1
// buffer b input bf16[4*M] bytes 8*M live -1..1
// buffer x input bf16[60*N] bytes 120*N live -1..1
// buffer y input bf16[4*N] bytes 8*N live -1..1
// buffer o output f32[M*N] bytes 4*M*N live 0..1
// peak 4*M*N + 128*M + 128*N
