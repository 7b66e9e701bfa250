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
//     %19 eq bool[S, 1]
//     %22 mul f32[S, 1]
//     %23 ceil f32[S, 1]
//     %27 where f32[S, 1]
//     %29 mul f32[S, S]
//     %31 sub f32[S, S]
//     %32 exp2 f32[S, S]
//     %33 sum f32[S, 1]
//     %35 matmul f32[S, D]
//     %36 eq bool[S, 1]
//     %40 where f32[S, 1]
//     %41 div f32[S, 1]
//     %43 mul f32[S, D] -> a
//   bytes_read 12*S*D
//   bytes_written 4*S*D
//   flops 4*S*S*D + 7*S*S + S*D + 7*S
// kernel two_1 attention
//   reads r k v
//   writes b
//   over [S, D] along D
//     %10 le bool[S, S]
//     %44 matmul f32[S, S]
//     %45 where f32[S, S]
//     %46 max f32[S, 1]
//     %47 eq bool[S, 1]
//     %48 mul f32[S, 1]
//     %49 ceil f32[S, 1]
//     %50 where f32[S, 1]
//     %51 mul f32[S, S]
//     %53 sub f32[S, S]
//     %54 exp2 f32[S, S]
//     %55 sum f32[S, 1]
//     %56 matmul f32[S, D]
//     %57 eq bool[S, 1]
//     %58 where f32[S, 1]
//     %59 div f32[S, 1]
//     %61 mul f32[S, D] -> b
//   bytes_read 12*S*D
//   bytes_written 4*S*D
//   flops 4*S*S*D + 7*S*S + S*D + 7*S
// buffer q input f32[S*D] bytes 4*S*D live -1..2
// buffer k input f32[S*D] bytes 4*S*D live -1..2
// buffer v input f32[S*D] bytes 4*S*D live -1..2
// buffer r input f32[S*D] bytes 4*S*D live -1..2
// buffer a output f32[S*D] bytes 4*S*D live 0..2
// buffer b output f32[S*D] bytes 4*S*D live 1..2
// apart %11 matmul | %44 matmul: attention, 8388608 bytes
// apart %15 where | %45 where: attention, 8388608 bytes
// apart %35 matmul | %56 matmul: attention, 8388608 bytes
// apart %11 matmul | %44 matmul: bundle, 8388608 bytes
// apart %15 where | %45 where: bundle, 8388608 bytes
// apart %35 matmul | %56 matmul: bundle, 8388608 bytes
// peak 24*S*D
// fusec: remark: random inputs, seed 0: q, k, v, r
