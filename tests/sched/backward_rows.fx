// Backward passes of rows: a kernel for dx, and one for the sums over the rows.
// run: fusec %s --emit=plan --target=c
// run: fusec %s --emit=plan --target=cuda
fn softmax_rows[N, D](x: bf16[N, D]) -> (y: bf16[N, D]) {
    y = softmax(x);
}

@one_kernel
fn softmax_bwd = vjp(softmax_rows);

fn losses[N, D](x: bf16[N, D], k: i32[N]) -> (l: f32[N]) {
    l = cross_entropy(x, k);
}

@one_kernel
fn losses_bwd = vjp(losses);

fn rms[N, D](x: bf16[N, D], gain: bf16[D]) -> (y: bf16[N, D]) {
    y = rms_norm(x, gain);
}

@max_kernels(2)
fn rms_bwd = vjp(rms);

fn norm[N, D](x: bf16[N, D], gain: f32[D], bias: f32[D]) -> (y: bf16[N, D]) {
    y = layer_norm(x, gain, bias);
}

@max_kernels(2)
fn norm_bwd = vjp(norm);
// ---- expect
// plan softmax_rows -O2
// kernel softmax_rows_0 row
//   reads x
//   writes y
//   over [N, D] along D
//     %3 max f32[N, 1]
//     %7 eq bool[N, 1]
//     %11 where f32[N, 1]
//     %13 sub f32[N, D]
//     %14 exp f32[N, D]
//     %15 sum f32[N, 1]
//     %16 eq bool[N, 1]
//     %20 where f32[N, 1]
//     %21 div f32[N, 1]
//     %23 mul f32[N, D]
//     %24 as bf16[N, D] -> y
//   bytes_read 2*N*D
//   bytes_written 2*N*D
//   flops 5*N*D + 5*N
// buffer x input bf16[N*D] bytes 2*N*D live -1..1
// buffer y output bf16[N*D] bytes 2*N*D live 0..1
// peak 4*N*D
//
// plan softmax_bwd -O2
// kernel softmax_bwd_0 row
//   reads x dy
//   writes dx
//   over [N, D] along D
//     %4 max f32[N, 1]
//     %8 eq bool[N, 1]
//     %12 where f32[N, 1]
//     %14 sub f32[N, D]
//     %15 exp f32[N, D]
//     %16 sum f32[N, 1]
//     %17 eq bool[N, 1]
//     %21 where f32[N, 1]
//     %22 div f32[N, 1]
//     %24 mul f32[N, D]
//     %26 mul f32[N, D]
//     %27 sum f32[N, 1]
//     %29 sub f32[N, D]
//     %30 mul f32[N, D]
//     %31 as bf16[N, D] -> dx
//   bytes_read 4*N*D
//   bytes_written 2*N*D
//   flops 9*N*D + 5*N
// buffer x input bf16[N*D] bytes 2*N*D live -1..1
// buffer dy input bf16[N*D] bytes 2*N*D live -1..1
// buffer dx output bf16[N*D] bytes 2*N*D live 0..1
// peak 6*N*D
//
// plan losses -O2
// kernel losses_0 row
//   reads k x
//   writes l
//   over [N, D] along D
//     %9 max i32[N]
//     %12 min i32[N]
//     %18 eq bool[N, D]
//     %22 where f32[N, D]
//     %23 sum f32[N, 1]
//     %24 max f32[N, 1]
//     %28 eq bool[N, 1]
//     %30 where f32[N, 1]
//     %32 sub f32[N, D]
//     %33 exp f32[N, D]
//     %34 sum f32[N, 1]
//     %38 eq bool[N, 1]
//     %39 log f32[N, 1]
//     %40 add f32[N, 1]
//     %41 where f32[N, 1]
//     %42 sub f32[N, 1] -> l
//   bytes_read 2*N*D + 4*N
//   bytes_written 4*N
//   flops 7*N*D + 9*N
// buffer x input bf16[N*D] bytes 2*N*D live -1..1
// buffer k input i32[N] bytes 4*N live -1..1
// buffer l output f32[N] bytes 4*N live 0..1
// peak 2*N*D + 8*N
//
// plan losses_bwd -O2
// kernel losses_bwd_0 row
//   reads k x dl
//   writes dx
//   over [N, D] along D
//     %10 max i32[N]
//     %13 min i32[N]
//     %19 eq bool[N, D]
//     %26 where f32[N, D]
//     %28 max f32[N, 1]
//     %32 eq bool[N, 1]
//     %34 where f32[N, 1]
//     %36 sub f32[N, D]
//     %37 exp f32[N, D]
//     %38 sum f32[N, 1]
//     %42 eq bool[N, 1]
//     %43 log f32[N, 1]
//     %44 add f32[N, 1]
//     %45 where f32[N, 1]
//     %46 eq bool[N, 1]
//     %47 where f32[N, 1]
//     %49 sub f32[N, D]
//     %50 exp f32[N, D]
//     %51 sub f32[N, D]
//     %53 mul f32[N, D]
//     %54 as bf16[N, D] -> dx
//   bytes_read 2*N*D + 8*N
//   bytes_written 2*N*D
//   flops 10*N*D + 10*N
// buffer x input bf16[N*D] bytes 2*N*D live -1..1
// buffer k input i32[N] bytes 4*N live -1..1
// buffer dl input f32[N] bytes 4*N live -1..1
// buffer dx output bf16[N*D] bytes 2*N*D live 0..1
// peak 4*N*D + 8*N
//
// plan rms -O2
// kernel rms_0 row
//   reads x gain
//   writes y
//   over [N, D] along D
//     %5 mul f32[N, D]
//     %6 sum f32[N, 1]
//     %11 div f32[N, 1]
//     %15 add f32[N, 1]
//     %16 rsqrt f32[N, 1]
//     %18 mul f32[N, D]
//     %21 mul f32[N, D]
//     %22 as bf16[N, D] -> y
//   bytes_read 2*N*D + 2*D
//   bytes_written 2*N*D
//   flops 4*N*D + 3*N
// buffer x input bf16[N*D] bytes 2*N*D live -1..1
// buffer gain input bf16[D] bytes 2*D live -1..1
// buffer y output bf16[N*D] bytes 2*N*D live 0..1
// peak 4*N*D + 2*D
//
// plan rms_bwd -O2
// kernel rms_bwd_0 row
//   reads x dy gain
//   writes rsqrt_18_value dx
//   over [N, D] along D
//     %7 mul f32[N, D]
//     %8 sum f32[N, 1]
//     %13 div f32[N, 1]
//     %17 add f32[N, 1]
//     %18 rsqrt f32[N, 1] -> rsqrt_18_value
//     %21 mul f32[N, D]
//     %22 mul f32[N, D]
//     %23 sum f32[N, 1]
//     %24 div f32[N, 1]
//     %25 mul f32[N, 1]
//     %26 mul f32[N, 1]
//     %27 mul f32[N, 1]
//     %29 mul f32[N, D]
//     %31 mul f32[N, D]
//     %32 sub f32[N, D]
//     %37 as bf16[N, D] -> dx
//   bytes_read 4*N*D + 2*D
//   bytes_written 2*N*D + 4*N
//   flops 8*N*D + 7*N
// kernel rms_bwd_1 row
//   reads x rsqrt_18_value dy
//   writes dgain
//   over [N, D] along N
//     %33 mul f32[N, D]
//     %34 mul f32[N, D]
//     %35 sum f32[1, D]
//     %38 as bf16[D] -> dgain
//   bytes_read 4*N*D + 4*N
//   bytes_written 2*D
//   flops 3*N*D
// buffer x input bf16[N*D] bytes 2*N*D live -1..2
// buffer gain input bf16[D] bytes 2*D live -1..2
// buffer dy input bf16[N*D] bytes 2*N*D live -1..2
// buffer dx output bf16[N*D] bytes 2*N*D live 0..2
// buffer dgain output bf16[D] bytes 2*D live 1..2
// buffer rsqrt_18_value temp f32[N] bytes 4*N live 0..1 slot 0
// slot 0 bytes 4*N
// apart %18 rsqrt | %33 mul: axes, 4202496 bytes
// apart %21 mul | %34 mul: axes, 4202496 bytes
// apart %29 mul | %33 mul: axes, 4202496 bytes
// apart %31 mul | %33 mul: axes, 4202496 bytes
// apart %21 mul | %34 mul: bundle, 4202496 bytes
// apart %29 mul | %33 mul: bundle, 4202496 bytes
// apart %31 mul | %33 mul: bundle, 4202496 bytes
// peak 6*N*D + 4*N + 4*D
//
// plan norm -O2
// kernel norm_0 row
//   reads x gain bias
//   writes y
//   over [N, D] along D
//     %5 sum f32[N, 1]
//     %10 div f32[N, 1]
//     %12 sub f32[N, D]
//     %13 mul f32[N, D]
//     %14 sum f32[N, 1]
//     %15 div f32[N, 1]
//     %19 add f32[N, 1]
//     %20 rsqrt f32[N, 1]
//     %22 mul f32[N, D]
//     %25 mul f32[N, D]
//     %28 add f32[N, D]
//     %29 as bf16[N, D] -> y
//   bytes_read 2*N*D + 8*D
//   bytes_written 2*N*D
//   flops 7*N*D + 4*N
// buffer x input bf16[N*D] bytes 2*N*D live -1..1
// buffer gain input f32[D] bytes 4*D live -1..1
// buffer bias input f32[D] bytes 4*D live -1..1
// buffer y output bf16[N*D] bytes 2*N*D live 0..1
// peak 4*N*D + 8*D
//
// plan norm_bwd -O2
// kernel norm_bwd_0 row
//   reads x dy gain
//   writes mul_24_value dx
//   over [N, D] along D
//     %7 sum f32[N, 1]
//     %12 div f32[N, 1]
//     %14 sub f32[N, D]
//     %15 mul f32[N, D]
//     %16 sum f32[N, 1]
//     %17 div f32[N, 1]
//     %21 add f32[N, 1]
//     %22 rsqrt f32[N, 1]
//     %24 mul f32[N, D] -> mul_24_value
//     %27 mul f32[N, D]
//     %28 mul f32[N, D]
//     %29 sum f32[N, 1]
//     %30 div f32[N, 1]
//     %32 mul f32[N, D]
//     %33 sum f32[N, 1]
//     %34 div f32[N, 1]
//     %36 sub f32[N, D]
//     %37 sub f32[N, D]
//     %38 mul f32[N, D]
//     %44 as bf16[N, D] -> dx
//   bytes_read 4*N*D + 4*D
//   bytes_written 6*N*D
//   flops 13*N*D + 6*N
// kernel norm_bwd_1 row
//   reads dy mul_24_value
//   writes dgain dbias
//   over [N, D] along N
//     %39 mul f32[N, D]
//     %40 sum f32[1, D] -> dgain
//     %42 sum f32[1, D] -> dbias
//   bytes_read 6*N*D
//   bytes_written 8*D
//   flops 3*N*D
// buffer x input bf16[N*D] bytes 2*N*D live -1..2
// buffer gain input f32[D] bytes 4*D live -1..2
// buffer bias input f32[D] bytes 4*D live -1..2
// buffer dy input bf16[N*D] bytes 2*N*D live -1..2
// buffer dx output bf16[N*D] bytes 2*N*D live 0..2
// buffer dgain output f32[D] bytes 4*D live 1..2
// buffer dbias output f32[D] bytes 4*D live 1..2
// buffer mul_24_value temp f32[N*D] bytes 4*N*D live 0..1 slot 0
// slot 0 bytes 4*N*D
// apart %24 mul | %39 mul: axes, 10485760 bytes
// apart %27 mul | %39 mul: axes, 10485760 bytes
// apart %32 mul | %39 mul: axes, 10485760 bytes
// apart %27 mul | %39 mul: bundle, 10485760 bytes
// apart %32 mul | %39 mul: bundle, 10485760 bytes
// peak 10*N*D + 16*D
// plan softmax_rows -O2
// kernel softmax_rows_0 row
//   reads x
//   writes y
//   over [N, D] along D
//     %3 max f32[N, 1]
//     %7 eq bool[N, 1]
//     %11 where f32[N, 1]
//     %13 sub f32[N, D]
//     %14 exp f32[N, D]
//     %15 sum f32[N, 1]
//     %16 eq bool[N, 1]
//     %20 where f32[N, 1]
//     %21 div f32[N, 1]
//     %23 mul f32[N, D]
//     %24 as bf16[N, D] -> y
//   bytes_read 2*N*D
//   bytes_written 2*N*D
//   flops 5*N*D + 5*N
// buffer x input bf16[N*D] bytes 2*N*D live -1..1
// buffer y output bf16[N*D] bytes 2*N*D live 0..1
// peak 4*N*D
//
// plan softmax_bwd -O2
// kernel softmax_bwd_0 row
//   reads x dy
//   writes dx
//   over [N, D] along D
//     %4 max f32[N, 1]
//     %8 eq bool[N, 1]
//     %12 where f32[N, 1]
//     %14 sub f32[N, D]
//     %15 exp f32[N, D]
//     %16 sum f32[N, 1]
//     %17 eq bool[N, 1]
//     %21 where f32[N, 1]
//     %22 div f32[N, 1]
//     %24 mul f32[N, D]
//     %26 mul f32[N, D]
//     %27 sum f32[N, 1]
//     %29 sub f32[N, D]
//     %30 mul f32[N, D]
//     %31 as bf16[N, D] -> dx
//   bytes_read 4*N*D
//   bytes_written 2*N*D
//   flops 9*N*D + 5*N
// buffer x input bf16[N*D] bytes 2*N*D live -1..1
// buffer dy input bf16[N*D] bytes 2*N*D live -1..1
// buffer dx output bf16[N*D] bytes 2*N*D live 0..1
// peak 6*N*D
//
// plan losses -O2
// kernel losses_0 row
//   reads k x
//   writes l
//   over [N, D] along D
//     %9 max i32[N]
//     %12 min i32[N]
//     %18 eq bool[N, D]
//     %22 where f32[N, D]
//     %23 sum f32[N, 1]
//     %24 max f32[N, 1]
//     %28 eq bool[N, 1]
//     %30 where f32[N, 1]
//     %32 sub f32[N, D]
//     %33 exp f32[N, D]
//     %34 sum f32[N, 1]
//     %38 eq bool[N, 1]
//     %39 log f32[N, 1]
//     %40 add f32[N, 1]
//     %41 where f32[N, 1]
//     %42 sub f32[N, 1] -> l
//   bytes_read 2*N*D + 4*N
//   bytes_written 4*N
//   flops 7*N*D + 9*N
// buffer x input bf16[N*D] bytes 2*N*D live -1..1
// buffer k input i32[N] bytes 4*N live -1..1
// buffer l output f32[N] bytes 4*N live 0..1
// peak 2*N*D + 8*N
//
// plan losses_bwd -O2
// kernel losses_bwd_0 row
//   reads k x dl
//   writes dx
//   over [N, D] along D
//     %10 max i32[N]
//     %13 min i32[N]
//     %19 eq bool[N, D]
//     %26 where f32[N, D]
//     %28 max f32[N, 1]
//     %32 eq bool[N, 1]
//     %34 where f32[N, 1]
//     %36 sub f32[N, D]
//     %37 exp f32[N, D]
//     %38 sum f32[N, 1]
//     %42 eq bool[N, 1]
//     %43 log f32[N, 1]
//     %44 add f32[N, 1]
//     %45 where f32[N, 1]
//     %46 eq bool[N, 1]
//     %47 where f32[N, 1]
//     %49 sub f32[N, D]
//     %50 exp f32[N, D]
//     %51 sub f32[N, D]
//     %53 mul f32[N, D]
//     %54 as bf16[N, D] -> dx
//   bytes_read 2*N*D + 8*N
//   bytes_written 2*N*D
//   flops 10*N*D + 10*N
// buffer x input bf16[N*D] bytes 2*N*D live -1..1
// buffer k input i32[N] bytes 4*N live -1..1
// buffer dl input f32[N] bytes 4*N live -1..1
// buffer dx output bf16[N*D] bytes 2*N*D live 0..1
// peak 4*N*D + 8*N
//
// plan rms -O2
// kernel rms_0 row
//   reads x gain
//   writes y
//   over [N, D] along D
//     %5 mul f32[N, D]
//     %6 sum f32[N, 1]
//     %11 div f32[N, 1]
//     %15 add f32[N, 1]
//     %16 rsqrt f32[N, 1]
//     %18 mul f32[N, D]
//     %21 mul f32[N, D]
//     %22 as bf16[N, D] -> y
//   bytes_read 2*N*D + 2*D
//   bytes_written 2*N*D
//   flops 4*N*D + 3*N
// buffer x input bf16[N*D] bytes 2*N*D live -1..1
// buffer gain input bf16[D] bytes 2*D live -1..1
// buffer y output bf16[N*D] bytes 2*N*D live 0..1
// peak 4*N*D + 2*D
//
// plan rms_bwd -O2
// kernel rms_bwd_0 row
//   reads x dy gain
//   writes rsqrt_18_value dx
//   over [N, D] along D
//     %7 mul f32[N, D]
//     %8 sum f32[N, 1]
//     %13 div f32[N, 1]
//     %17 add f32[N, 1]
//     %18 rsqrt f32[N, 1] -> rsqrt_18_value
//     %21 mul f32[N, D]
//     %22 mul f32[N, D]
//     %23 sum f32[N, 1]
//     %24 div f32[N, 1]
//     %25 mul f32[N, 1]
//     %26 mul f32[N, 1]
//     %27 mul f32[N, 1]
//     %29 mul f32[N, D]
//     %31 mul f32[N, D]
//     %32 sub f32[N, D]
//     %37 as bf16[N, D] -> dx
//   bytes_read 4*N*D + 2*D
//   bytes_written 2*N*D + 4*N
//   flops 8*N*D + 7*N
// kernel rms_bwd_1 row
//   reads x rsqrt_18_value dy
//   writes dgain
//   over [N, D] along N
//     %33 mul f32[N, D]
//     %34 mul f32[N, D]
//     %35 sum f32[1, D]
//     %38 as bf16[D] -> dgain
//   bytes_read 4*N*D + 4*N
//   bytes_written 2*D
//   flops 3*N*D
// buffer x input bf16[N*D] bytes 2*N*D live -1..2
// buffer gain input bf16[D] bytes 2*D live -1..2
// buffer dy input bf16[N*D] bytes 2*N*D live -1..2
// buffer dx output bf16[N*D] bytes 2*N*D live 0..2
// buffer dgain output bf16[D] bytes 2*D live 1..2
// buffer rsqrt_18_value temp f32[N] bytes 4*N live 0..1 slot 0
// slot 0 bytes 4*N
// apart %18 rsqrt | %33 mul: axes, 4202496 bytes
// apart %21 mul | %34 mul: axes, 4202496 bytes
// apart %29 mul | %33 mul: axes, 4202496 bytes
// apart %31 mul | %33 mul: axes, 4202496 bytes
// apart %21 mul | %34 mul: bundle, 4202496 bytes
// apart %29 mul | %33 mul: bundle, 4202496 bytes
// apart %31 mul | %33 mul: bundle, 4202496 bytes
// peak 6*N*D + 4*N + 4*D
//
// plan norm -O2
// kernel norm_0 row
//   reads x gain bias
//   writes y
//   over [N, D] along D
//     %5 sum f32[N, 1]
//     %10 div f32[N, 1]
//     %12 sub f32[N, D]
//     %13 mul f32[N, D]
//     %14 sum f32[N, 1]
//     %15 div f32[N, 1]
//     %19 add f32[N, 1]
//     %20 rsqrt f32[N, 1]
//     %22 mul f32[N, D]
//     %25 mul f32[N, D]
//     %28 add f32[N, D]
//     %29 as bf16[N, D] -> y
//   bytes_read 2*N*D + 8*D
//   bytes_written 2*N*D
//   flops 7*N*D + 4*N
// buffer x input bf16[N*D] bytes 2*N*D live -1..1
// buffer gain input f32[D] bytes 4*D live -1..1
// buffer bias input f32[D] bytes 4*D live -1..1
// buffer y output bf16[N*D] bytes 2*N*D live 0..1
// peak 4*N*D + 8*D
//
// plan norm_bwd -O2
// kernel norm_bwd_0 row
//   reads x dy gain
//   writes mul_24_value dx
//   over [N, D] along D
//     %7 sum f32[N, 1]
//     %12 div f32[N, 1]
//     %14 sub f32[N, D]
//     %15 mul f32[N, D]
//     %16 sum f32[N, 1]
//     %17 div f32[N, 1]
//     %21 add f32[N, 1]
//     %22 rsqrt f32[N, 1]
//     %24 mul f32[N, D] -> mul_24_value
//     %27 mul f32[N, D]
//     %28 mul f32[N, D]
//     %29 sum f32[N, 1]
//     %30 div f32[N, 1]
//     %32 mul f32[N, D]
//     %33 sum f32[N, 1]
//     %34 div f32[N, 1]
//     %36 sub f32[N, D]
//     %37 sub f32[N, D]
//     %38 mul f32[N, D]
//     %44 as bf16[N, D] -> dx
//   bytes_read 4*N*D + 4*D
//   bytes_written 6*N*D
//   flops 13*N*D + 6*N
// kernel norm_bwd_1 row
//   reads dy mul_24_value
//   writes dgain dbias
//   over [N, D] along N
//     %39 mul f32[N, D]
//     %40 sum f32[1, D] -> dgain
//     %42 sum f32[1, D] -> dbias
//   bytes_read 6*N*D
//   bytes_written 8*D
//   flops 3*N*D
// buffer x input bf16[N*D] bytes 2*N*D live -1..2
// buffer gain input f32[D] bytes 4*D live -1..2
// buffer bias input f32[D] bytes 4*D live -1..2
// buffer dy input bf16[N*D] bytes 2*N*D live -1..2
// buffer dx output bf16[N*D] bytes 2*N*D live 0..2
// buffer dgain output f32[D] bytes 4*D live 1..2
// buffer dbias output f32[D] bytes 4*D live 1..2
// buffer mul_24_value temp f32[N*D] bytes 4*N*D live 0..1 slot 0
// slot 0 bytes 4*N*D
// apart %24 mul | %39 mul: axes, 10485760 bytes
// apart %27 mul | %39 mul: axes, 10485760 bytes
// apart %32 mul | %39 mul: axes, 10485760 bytes
// apart %27 mul | %39 mul: bundle, 10485760 bytes
// apart %32 mul | %39 mul: bundle, 10485760 bytes
// peak 10*N*D + 16*D
