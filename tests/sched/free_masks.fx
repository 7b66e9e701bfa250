// A mask of two attentions is stored for neither: each computes it, and skips the tiles that it
// leaves empty.
// run: fusec %s --emit=plan
// run: fusec run %s --check -D S=70 -D D=8 > checks
// kernels: 2
fn two[S, D](q: f32[S, D], k: f32[S, D], v: f32[S, D], r: f32[S, D]) -> (a: f32[S, D], b: f32[S, D]) {
    i = iota(S);
    mask = i[:, None] >= i[None, :];
    a = softmax(where(mask, q @ k.T, -inf)) @ v;
    b = softmax(where(mask, r @ k.T, -inf)) @ v;
}
// ---- expect
// plan two -O2
// kernel two_0 attention
//   reads q k v
//   writes a
//   over [S, D] along D
//     %10 le bool[S, S]
//     %11 matmul f32[S, S]
//     %15 where f32[S, S]
//     %17 max f32[S, 1]
//     %21 lt bool[S, 1]
//     %24 mul f32[S, 1]
//     %25 ceil f32[S, 1]
//     %29 where f32[S, 1]
//     %31 mul f32[S, S]
//     %33 sub f32[S, S]
//     %34 exp2 f32[S, S]
//     %35 sum f32[S, 1]
//     %37 matmul f32[S, D]
//     %38 eq bool[S, 1]
//     %42 where f32[S, 1]
//     %43 div f32[S, 1]
//     %45 mul f32[S, D] -> a
//   bytes_read 12*S*D
//   bytes_written 4*S*D
//   flops 4*S*S*D + 7*S*S + S*D + 7*S
// kernel two_1 attention
//   reads r k v
//   writes b
//   over [S, D] along D
//     %10 le bool[S, S]
//     %46 matmul f32[S, S]
//     %47 where f32[S, S]
//     %48 max f32[S, 1]
//     %49 lt bool[S, 1]
//     %50 mul f32[S, 1]
//     %51 ceil f32[S, 1]
//     %52 where f32[S, 1]
//     %53 mul f32[S, S]
//     %55 sub f32[S, S]
//     %56 exp2 f32[S, S]
//     %57 sum f32[S, 1]
//     %58 matmul f32[S, D]
//     %59 eq bool[S, 1]
//     %60 where f32[S, 1]
//     %61 div f32[S, 1]
//     %63 mul f32[S, D] -> b
//   bytes_read 12*S*D
//   bytes_written 4*S*D
//   flops 4*S*S*D + 7*S*S + S*D + 7*S
// buffer q input f32[S*D] bytes 4*S*D live -1..2
// buffer k input f32[S*D] bytes 4*S*D live -1..2
// buffer v input f32[S*D] bytes 4*S*D live -1..2
// buffer r input f32[S*D] bytes 4*S*D live -1..2
// buffer a output f32[S*D] bytes 4*S*D live 0..2
// buffer b output f32[S*D] bytes 4*S*D live 1..2
// apart %11 matmul | %46 matmul: attention, 8388608 bytes
// apart %15 where | %47 where: attention, 8388608 bytes
// apart %37 matmul | %58 matmul: attention, 8388608 bytes
// apart %11 matmul | %46 matmul: bundle, 8388608 bytes
// apart %15 where | %47 where: bundle, 8388608 bytes
// apart %37 matmul | %58 matmul: bundle, 8388608 bytes
// peak 24*S*D
// fusec: remark: random inputs, seed 0: q, k, v, r
