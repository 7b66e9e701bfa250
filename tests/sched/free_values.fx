// Cheap values that read nothing, or little, are computed by every reader: the sides of
// concatenations, one-hot rows, products of a row and a column. Costly ones and those that read as
// much as they are stay stored.
// run: fusec %s --fn=sides --emit=plan
// run: fusec run %s --fn=sides --check -D N=5 -D D=7 > checks
// run: fusec %s --fn=one_hot --emit=plan
// run: fusec run %s --fn=one_hot --check -D N=9 -D V=40 -D D=5 > checks
// run: fusec run %s --fn=outer --check -D N=33 -D D=20 > checks
// run: fusec run %s --fn=stored --check -D N=33 -D D=20 > checks
// run: fusec run %s --fn=outputs --check -D N=33 -D D=20 > checks
@one_kernel
fn sides[N, D](a: f32[N, D], b: f32[N, D]) -> (y: f32[N, 2*D], z: f32[N, 2*D]) {
    y = concat(a, b, axis = 1);
    z = concat(b, a, axis = 1);
}

// `next` is read by the free comparison alone, and is free with it.
@max_kernels(2)
fn one_hot[N, V, D](labels: i32[N], w: f32[V, D], x: f32[N, V]) -> (y: f32[N, D], z: f32[N]) {
    next = labels * 2 - 1;
    hot = (next[:, None] == iota(V)[None, :]) as f32;
    y = hot @ w;
    z = sum(hot * x, axis = 1);
}

@max_kernels(2)
fn outer[N, D](a: f32[N], b: f32[D], x: f32[N, D]) -> (y: f32[N], z: f32[D]) {
    p = a[:, None] * b;
    y = sum(p * x, axis = 1);
    z = max(p + x, axis = 0);
}

// Sines are stored, and so is what is made of an inner result.
fn stored[N, D](x: f32[N, D]) -> (y: f32[N], z: f32[D]) {
    p = sin(iota(N)[:, None] as f32 * iota(D) as f32);
    hot = argmax(x, axis = 1)[:, None] == iota(D);
    y = sum(where(hot, x, p), axis = 1);
    z = sum(where(hot, x * x, p), axis = 0);
}

fn outputs[N, D](x: f32[N, D]) -> (m: bool[N, D], y: f32[N, D], z: f32[N], t: bool[D, N]) {
    m = iota(N)[:, None] >= iota(D)[None, :];
    y = where(m, x, 0.0);
    z = sum(where(m, 1.0, x), axis = 1);
    t = m.T;
}
// ---- expect
// plan sides -O2
// kernel sides_0 pointwise
//   reads a b
//   writes y z
//   over [N, 2*D]
//     %12 lt bool[1, 2*D]
//     %14 where f32[N, 2*D] -> y
//     %17 where f32[N, 2*D] -> z
//   bytes_read 8*N*D
//   bytes_written 16*N*D
//   flops 4*N*D + 2*D
// buffer a input f32[N*D] bytes 4*N*D live -1..1
// buffer b input f32[N*D] bytes 4*N*D live -1..1
// buffer y output f32[2*N*D] bytes 8*N*D live 0..1
// buffer z output f32[2*N*D] bytes 8*N*D live 0..1
// peak 24*N*D
// fusec: remark: random inputs, seed 0: a, b
// plan one_hot -O2
// kernel one_hot_0 dot
//   reads labels w
//   writes y
//   over [N, D]
//     %7 mul i32[N]
//     %11 sub i32[N]
//     %17 eq bool[N, V]
//     %18 as f32[N, V]
//     %20 matmul f32[N, D] -> y
//   bytes_read 4*V*D + 4*N
//   bytes_written 4*N*D
//   flops 2*N*V*D + N*V + 2*N
// kernel one_hot_1 row
//   reads labels x
//   writes z
//   over [N, V] along V
//     %7 mul i32[N]
//     %11 sub i32[N]
//     %17 eq bool[N, V]
//     %18 as f32[N, V]
//     %21 mul f32[N, V]
//     %22 sum f32[N, 1] -> z
//   bytes_read 4*N*V + 4*N
//   bytes_written 4*N
//   flops 3*N*V + 2*N
// buffer labels input i32[N] bytes 4*N live -1..2
// buffer w input f32[V*D] bytes 4*V*D live -1..2
// buffer x input f32[N*V] bytes 4*N*V live -1..2
// buffer y output f32[N*D] bytes 4*N*D live 0..2
// buffer z output f32[N] bytes 4*N live 1..2
// apart y | %21 mul: beside, 4096 bytes
// apart y | %21 mul: beside, 4096 bytes
// apart y | %21 mul: bundle, 4096 bytes
// apart y | %21 mul: bundle, 4096 bytes
// peak 4*N*V + 4*N*D + 4*V*D + 8*N
// fusec: remark: random inputs, seed 0: labels, w, x
// fusec: remark: random inputs, seed 0: a, b, x
// fusec: remark: random inputs, seed 0: x
// fusec: remark: random inputs, seed 0: x
