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
//     %26 mul f32[B, H, S, 64]
//     %27 sum f32[B, H, S, 1] -> d
//   bytes_read 256*B*H*S
//   bytes_written 4*B*H*S
//   flops 128*B*H*S
// kernel backward_1 chain
//   reads k q lse do v d
//   writes dv matmul_temp dk
//   over [B, H, S, 64] along 64
//     %12 le bool[S, S]
//     %31 matmul f32[B, H, S, S]
//     %32 mul f32[B, H, S, S]
//     %33 where f32[B, H, S, S]
//     %35 sub f32[B, H, S, S]
//     %36 exp f32[B, H, S, S]
//     %37 as bf16[B, H, S, S]
//     %38 matmul f32[B, H, S, 64]
//     %39 as bf16[B, H, S, 64] -> dv
//     %40 matmul f32[B, H, S, S]
//     %42 sub f32[B, H, S, S]
//     %43 mul f32[B, H, S, S]
//     %44 as bf16[B, H, S, S]
//     %46 matmul f32[B, H, S, 64] -> matmul_temp
//     %51 matmul f32[B, H, S, 64]
//     %52 mul f32[B, H, S, 64]
//     %53 as bf16[B, H, S, 64] -> dk
//   bytes_read 520*B*H*S
//   bytes_written 512*B*H*S
//   flops 646*B*H*S*S + 64*B*H*S + S*S
// kernel backward_2 pointwise
//   reads matmul_temp
//   writes dq
//   over [B, H, S, 64]
//     %48 mul f32[B, H, S, 64]
//     %49 as bf16[B, H, S, 64] -> dq
//   bytes_read 256*B*H*S
//   bytes_written 128*B*H*S
//   flops 64*B*H*S
// buffer q input bf16[64*B*H*S] bytes 128*B*H*S live -1..3
// buffer k input bf16[64*B*H*S] bytes 128*B*H*S live -1..3
// buffer v input bf16[64*B*H*S] bytes 128*B*H*S live -1..3
// buffer o input bf16[64*B*H*S] bytes 128*B*H*S live -1..3
// buffer lse input f32[B*H*S] bytes 4*B*H*S live -1..3
// buffer do input bf16[64*B*H*S] bytes 128*B*H*S live -1..3
// buffer dq output bf16[64*B*H*S] bytes 128*B*H*S live 2..3
// buffer dk output bf16[64*B*H*S] bytes 128*B*H*S live 1..3
// buffer dv output bf16[64*B*H*S] bytes 128*B*H*S live 1..3
// buffer d temp f32[B*H*S] bytes 4*B*H*S live 0..1 slot 0
// buffer matmul_temp temp f32[64*B*H*S] bytes 256*B*H*S live 1..2 slot 1
// slot 0 bytes 4*B*H*S
// slot 1 bytes 256*B*H*S
// apart %46 matmul | %48 mul: across, 549755813888 bytes
// apart %27 sum | %42 sub: attention, 146028888064 bytes
// apart %26 mul | %38 matmul: attention, 146028888064 bytes
// apart %26 mul | %38 matmul: bundle, 146028888064 bytes
// peak 1288*B*H*S
