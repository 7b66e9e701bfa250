// Rows that are normed in one order of their axes and stored in another are one kernel, also with what rotates them
// behind the permutation. Reductions in two orders are two kernels, and so is a transpose of what a kernel would store
// with the elements of a row far apart. Operands of a product are stored in the order in which it reads them.
// run: fusec %s --emit=plan
@one_kernel
fn normed[B, S, H](x: bf16[B, S, H, 64], gain: bf16[64]) -> (y: bf16[B, H, S, 64]) {
    y = permute(rms_norm(x, gain), 0, 2, 1, 3);
}
@one_kernel
fn rotated[B, S, H](x: bf16[B, S, H, 64], g: f32[64], c: f32[S, 64], s: f32[S, 64]) -> (y: bf16[B, H, S, 64]) {
    n = permute(rms_norm(x, g), 0, 2, 1, 3);
    a, b = split(n, 2);
    y = n * c + concat(-b, a) * s;
}
@one_kernel
fn halves[S, H](x: bf16[S, H, 64], gain: bf16[64], c: f32[S, 32], s: f32[S, 32]) -> (y: bf16[H, S, 64]) {
    a, b = split(rms_norm(x, gain) as bf16, 2);
    z = concat(a * c[:, None] - b * s[:, None], b * c[:, None] + a * s[:, None]);
    y = permute(z, 1, 0, 2) as bf16;
}
fn orders[S, H](x: f32[S, H, 64], z: f32[H, S, 64]) -> (y: bf16[H, S, 64]) {
    y = permute(softmax(x), 1, 0, 2) + softmax(z);
}
fn across[S, H](x: f32[S, H, 64]) -> (y: bf16[S, 64, H]) {
    y = permute(softmax(x), 0, 2, 1);
}
@max_kernels(2)
fn scores[S, H](x: bf16[S, H, 64], z: bf16[S, H, 64], gain: bf16[64]) -> (y: bf16[H, S, S]) {
    q = permute(rms_norm(x, gain), 1, 0, 2) as bf16;
    k = permute(rms_norm(z, gain), 1, 0, 2) as bf16;
    y = q @ k.T;
}
// ---- expect
// plan normed -O2
// kernel normed_0 row
//   reads x gain
//   writes y
//   over [B, S, H, 64] along 64
//     %5 mul f32[B, S, H, 64]
//     %6 sum f32[B, S, H, 1]
//     %10 mul f32[B, S, H, 1]
//     %14 add f32[B, S, H, 1]
//     %15 rsqrt f32[B, S, H, 1]
//     %17 mul f32[B, S, H, 64]
//     %20 mul f32[B, S, H, 64]
//     %21 as bf16[B, S, H, 64]
//     %22 permute bf16[B, H, S, 64] -> y
//   bytes_read 128*B*S*H + 128
//   bytes_written 128*B*S*H
//   flops 259*B*S*H
// buffer x input bf16[64*B*S*H] bytes 128*B*S*H live -1..1
// buffer gain input bf16[64] bytes 128 live -1..1
// buffer y output bf16[64*B*S*H] bytes 128*B*S*H live 0..1
// peak 256*B*S*H + 128
//
// plan rotated -O2
// kernel rotated_0 row
//   reads x g c s
//   writes y
//   over [B, S, H, 64] along 64
//     %6 mul f32[B, S, H, 64]
//     %7 sum f32[B, S, H, 1]
//     %11 mul f32[B, S, H, 1]
//     %15 add f32[B, S, H, 1]
//     %16 rsqrt f32[B, S, H, 1]
//     %18 mul f32[B, S, H, 64]
//     %21 mul f32[B, S, H, 64]
//     %27 mul f32[B, S, H, 64]
//     %28 neg f32[B, S, H, 32]
//     %37 lt bool[1, 1, 1, 64]
//     %40 where f32[B, S, H, 64]
//     %44 mul f32[B, S, H, 64]
//     %45 add f32[B, S, H, 64]
//     %46 as bf16[B, S, H, 64]
//     %47 permute bf16[B, H, S, 64] -> y
//   bytes_read 128*B*S*H + 512*S + 256
//   bytes_written 128*B*S*H
//   flops 547*B*S*H + 64
// buffer x input bf16[64*B*S*H] bytes 128*B*S*H live -1..1
// buffer g input f32[64] bytes 256 live -1..1
// buffer c input f32[64*S] bytes 256*S live -1..1
// buffer s input f32[64*S] bytes 256*S live -1..1
// buffer y output bf16[64*B*S*H] bytes 128*B*S*H live 0..1
// peak 256*B*S*H + 512*S + 256
//
// plan halves -O2
// kernel halves_0 row
//   reads x gain c s
//   writes y
//   over [S, H, 64] along 64
//     %7 mul f32[S, H, 64]
//     %8 sum f32[S, H, 1]
//     %12 mul f32[S, H, 1]
//     %16 add f32[S, H, 1]
//     %17 rsqrt f32[S, H, 1]
//     %19 mul f32[S, H, 64]
//     %22 mul f32[S, H, 64]
//     %23 as bf16[S, H, 64]
//     %29 mul f32[S, H, 32]
//     %33 mul f32[S, H, 32]
//     %34 sub f32[S, H, 32]
//     %35 mul f32[S, H, 32]
//     %36 mul f32[S, H, 32]
//     %37 add f32[S, H, 32]
//     %46 lt bool[1, 1, 64]
//     %48 where f32[S, H, 64]
//     %49 as bf16[S, H, 64]
//     %50 permute bf16[H, S, 64] -> y
//   bytes_read 128*S*H + 256*S + 128
//   bytes_written 128*S*H
//   flops 515*S*H + 64
// buffer x input bf16[64*S*H] bytes 128*S*H live -1..1
// buffer gain input bf16[64] bytes 128 live -1..1
// buffer c input f32[32*S] bytes 128*S live -1..1
// buffer s input f32[32*S] bytes 128*S live -1..1
// buffer y output bf16[64*S*H] bytes 128*S*H live 0..1
// peak 256*S*H + 256*S + 128
//
// plan orders -O2
// kernel orders_0 row
//   reads x
//   writes exp_temp exp_sum
//   over [S, H, 64] along 64
//     %3 max f32[S, H, 1]
//     %7 eq bool[S, H, 1]
//     %11 where f32[S, H, 1]
//     %13 sub f32[S, H, 64]
//     %14 exp f32[S, H, 64] -> exp_temp
//     %15 sum f32[S, H, 1] -> exp_sum
//   bytes_read 256*S*H
//   bytes_written 260*S*H
//   flops 258*S*H
// kernel orders_1 row
//   reads exp_sum exp_temp z
//   writes y
//   over [H, S, 64] along 64
//     %16 eq bool[S, H, 1]
//     %20 where f32[S, H, 1]
//     %21 div f32[S, H, 1]
//     %23 mul f32[S, H, 64]
//     %25 max f32[H, S, 1]
//     %27 eq bool[H, S, 1]
//     %29 where f32[H, S, 1]
//     %31 sub f32[H, S, 64]
//     %32 exp f32[H, S, 64]
//     %33 sum f32[H, S, 1]
//     %34 eq bool[H, S, 1]
//     %36 where f32[H, S, 1]
//     %37 div f32[H, S, 1]
//     %39 mul f32[H, S, 64]
//     %40 add f32[H, S, 64]
//     %41 as bf16[H, S, 64] -> y
//   bytes_read 516*S*H
//   bytes_written 128*S*H
//   flops 456*S*H
// buffer x input f32[64*S*H] bytes 256*S*H live -1..2
// buffer z input f32[64*S*H] bytes 256*S*H live -1..2
// buffer y output bf16[64*S*H] bytes 128*S*H live 1..2
// buffer exp_temp temp f32[64*S*H] bytes 256*S*H live 0..1 slot 0
// buffer exp_sum temp f32[S*H] bytes 4*S*H live 0..1 slot 1
// slot 0 bytes 256*S*H
// slot 1 bytes 4*S*H
// apart %14 exp | %23 mul: space, 545259520 bytes
// apart %15 sum | %16 eq: space, 545259520 bytes
// apart %15 sum | %20 where: space, 545259520 bytes
// apart %15 sum | %23 mul: space, 545259520 bytes
// apart %15 sum | %23 mul: bundle, 545259520 bytes
// peak 900*S*H
//
// plan across -O2
// kernel across_0 row
//   reads x
//   writes exp_temp exp_sum
//   over [S, H, 64] along 64
//     %2 max f32[S, H, 1]
//     %6 eq bool[S, H, 1]
//     %10 where f32[S, H, 1]
//     %12 sub f32[S, H, 64]
//     %13 exp f32[S, H, 64] -> exp_temp
//     %14 sum f32[S, H, 1] -> exp_sum
//   bytes_read 256*S*H
//   bytes_written 260*S*H
//   flops 258*S*H
// kernel across_1 pointwise
//   reads exp_sum exp_temp
//   writes y
//   over [S, 64, H]
//     %15 eq bool[S, H, 1]
//     %19 where f32[S, H, 1]
//     %20 div f32[S, H, 1]
//     %22 mul f32[S, H, 64]
//     %24 as bf16[S, 64, H] -> y
//   bytes_read 260*S*H
//   bytes_written 128*S*H
//   flops 67*S*H
// buffer x input f32[64*S*H] bytes 256*S*H live -1..2
// buffer y output bf16[64*S*H] bytes 128*S*H live 1..2
// buffer exp_temp temp f32[64*S*H] bytes 256*S*H live 0..1 slot 0
// buffer exp_sum temp f32[S*H] bytes 4*S*H live 0..1 slot 1
// slot 0 bytes 256*S*H
// slot 1 bytes 4*S*H
// apart %13 exp | %22 mul: space, 545259520 bytes
// apart %14 sum | %15 eq: space, 545259520 bytes
// apart %14 sum | %19 where: space, 545259520 bytes
// apart %14 sum | %22 mul: space, 545259520 bytes
// apart %14 sum | %22 mul: bundle, 545259520 bytes
// peak 644*S*H
//
// plan scores -O2
// kernel scores_0 row
//   reads x gain z
//   writes q k
//   over [S, H, 64] along 64
//     %6 mul f32[S, H, 64]
//     %7 sum f32[S, H, 1]
//     %11 mul f32[S, H, 1]
//     %15 add f32[S, H, 1]
//     %16 rsqrt f32[S, H, 1]
//     %18 mul f32[S, H, 64]
//     %21 mul f32[S, H, 64]
//     %22 as bf16[S, H, 64]
//     %23 permute bf16[H, S, 64] -> q
//     %25 mul f32[S, H, 64]
//     %26 sum f32[S, H, 1]
//     %27 mul f32[S, H, 1]
//     %28 add f32[S, H, 1]
//     %29 rsqrt f32[S, H, 1]
//     %31 mul f32[S, H, 64]
//     %32 mul f32[S, H, 64]
//     %33 as bf16[S, H, 64]
//     %34 permute bf16[H, S, 64] -> k
//   bytes_read 256*S*H + 128
//   bytes_written 256*S*H
//   flops 518*S*H
// kernel scores_1 dot
//   reads q k
//   writes y
//   over [H, S, S]
//     %35 matmul f32[H, S, S]
//     %36 as bf16[H, S, S] -> y
//   bytes_read 256*S*H
//   bytes_written 2*S*S*H
//   flops 128*S*S*H
// buffer x input bf16[64*S*H] bytes 128*S*H live -1..2
// buffer z input bf16[64*S*H] bytes 128*S*H live -1..2
// buffer gain input bf16[64] bytes 128 live -1..2
// buffer y output bf16[S*S*H] bytes 2*S*S*H live 1..2
// buffer q temp bf16[64*S*H] bytes 128*S*H live 0..1 slot 0
// buffer k temp bf16[64*S*H] bytes 128*S*H live 0..1 slot 1
// slot 0 bytes 128*S*H
// slot 1 bytes 128*S*H
// peak 2*S*S*H + 512*S*H + 128
