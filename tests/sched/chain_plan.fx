// The plan of a backward of attention: one kernel for dq, and one for dk and dv, which computes the
// scores again with exchanged operands.
// run: fusec %s --target=c --emit=plan -D D=64
fn backward[B, H, S, D](
    q: bf16[B, H, S, D],
    k: bf16[B, H, S, D],
    v: bf16[B, H, S, D],
    o: bf16[B, H, S, D],
    lse: f32[B, H, S],
    do: bf16[B, H, S, D]
) -> (dq: bf16[B, H, S, D], dk: bf16[B, H, S, D], dv: bf16[B, H, S, D]) {
    s = where(iota(S)[:, None] >= iota(S), (q @ k.T) * rsqrt(D), -inf);
    p = exp(s - lse[:, :, :, None]);
    d = sum(do * o, axis = -1, keep = true);
    ds = (p * (do @ v.T - d)) as bf16;
    dv = (p as bf16).T @ do;
    dq = (ds @ k) * rsqrt(D);
    dk = (ds.T @ q) * rsqrt(D);
}
// ---- expect
// plan backward -O2
// kernel backward_0 row
//   reads do o
//   writes d
//   over [B, H, S, 64] along 64
//     %31 mul f32[B, H, S, 64]
//     %32 sum f32[B, H, S, 1] -> d
//   bytes_read 256*B*H*S
//   bytes_written 4*B*H*S
//   flops 128*B*H*S
// kernel backward_1 chain
//   reads q k lse do v d
//   writes dq
//   over [B, H, S, 64] along 64
//     %12 le bool[S, S]
//     %14 matmul f32[B, H, S, S]
//     %18 mul f32[B, H, S, S]
//     %24 where f32[B, H, S, S]
//     %27 sub f32[B, H, S, S]
//     %28 exp f32[B, H, S, S]
//     %33 matmul f32[B, H, S, S]
//     %35 sub f32[B, H, S, S]
//     %36 mul f32[B, H, S, S]
//     %37 as bf16[B, H, S, S]
//     %51 matmul f32[B, H, S, 64]
//     %53 mul f32[B, H, S, 64]
//     %54 as bf16[B, H, S, 64] -> dq
//   bytes_read 520*B*H*S
//   bytes_written 128*B*H*S
//   flops 390*B*H*S*S + 64*B*H*S + S*S
// kernel backward_2 chain
//   reads k q lse do v d
//   writes dv dk
//   over [B, H, S, 64] along 64
//     %12 le bool[S, S]
//     %40 matmul f32[B, H, S, S]
//     %42 mul f32[B, H, S, S]
//     %44 where f32[B, H, S, S]
//     %46 sub f32[B, H, S, S]
//     %47 exp f32[B, H, S, S]
//     %48 as bf16[B, H, S, S]
//     %49 matmul f32[B, H, S, 64]
//     %50 as bf16[B, H, S, 64] -> dv
//     %56 matmul f32[B, H, S, S]
//     %58 sub f32[B, H, S, S]
//     %59 mul f32[B, H, S, S]
//     %60 as bf16[B, H, S, S]
//     %61 matmul f32[B, H, S, 64]
//     %62 mul f32[B, H, S, 64]
//     %63 as bf16[B, H, S, 64] -> dk
//   bytes_read 520*B*H*S
//   bytes_written 256*B*H*S
//   flops 518*B*H*S*S + 64*B*H*S + S*S
// buffer q input bf16[64*B*H*S] bytes 128*B*H*S live -1..3
// buffer k input bf16[64*B*H*S] bytes 128*B*H*S live -1..3
// buffer v input bf16[64*B*H*S] bytes 128*B*H*S live -1..3
// buffer o input bf16[64*B*H*S] bytes 128*B*H*S live -1..3
// buffer lse input f32[B*H*S] bytes 4*B*H*S live -1..3
// buffer do input bf16[64*B*H*S] bytes 128*B*H*S live -1..3
// buffer dq output bf16[64*B*H*S] bytes 128*B*H*S live 1..3
// buffer dk output bf16[64*B*H*S] bytes 128*B*H*S live 2..3
// buffer dv output bf16[64*B*H*S] bytes 128*B*H*S live 2..3
// buffer d temp f32[B*H*S] bytes 4*B*H*S live 0..2 slot 0
// slot 0 bytes 4*B*H*S
// apart %32 sum | %58 sub: attention, 141733920768 bytes
// apart %32 sum | %35 sub: attention, 141733920768 bytes
// apart %31 mul | %33 matmul: attention, 141733920768 bytes
// apart %14 matmul | %40 matmul: attention, 558345748480 bytes
// apart %14 matmul | %40 matmul: attention, 558345748480 bytes
// apart %24 where | %44 where: attention, 558345748480 bytes
// apart %27 sub | %46 sub: attention, 558345748480 bytes
// apart %33 matmul | %49 matmul: attention, 558345748480 bytes
// apart %33 matmul | %56 matmul: attention, 558345748480 bytes
// apart %35 sub | %58 sub: attention, 558345748480 bytes
// apart %40 matmul | %51 matmul: attention, 558345748480 bytes
// apart %31 mul | %33 matmul: bundle, 141733920768 bytes
// apart %14 matmul | %40 matmul: bundle, 558345748480 bytes
// apart %14 matmul | %40 matmul: bundle, 558345748480 bytes
// apart %24 where | %44 where: bundle, 558345748480 bytes
// apart %27 sub | %46 sub: bundle, 558345748480 bytes
// apart %33 matmul | %49 matmul: bundle, 558345748480 bytes
// apart %33 matmul | %56 matmul: bundle, 558345748480 bytes
// apart %35 sub | %58 sub: bundle, 558345748480 bytes
// apart %40 matmul | %51 matmul: bundle, 558345748480 bytes
// peak 1032*B*H*S
