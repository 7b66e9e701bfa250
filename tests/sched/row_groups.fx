// Rows that are reduced, and groups of a row, are one kernel, in the shape of the groups.
// run: fusec %s --emit=plan --machine=h200 -D N=8192 -D G=32
// run: fusec %s --emit=plan --target=c
@one_kernel
fn quantised[N, G](x: bf16[N, G*128], r: bf16[N, G*128], gain: f32[G*128]) -> (total: bf16[N, G*128], q: f8e4m3[N, G*128], s: f32[N, G]) {
    total = x + r;
    h = reshape(rms_norm(total, gain), N, G, 128);
    s = max(max(abs(h)), 1e-10) / 448;
    q = reshape(h / s[:, :, None], N, G*128) as f8e4m3;
}
// ---- expect
// plan quantised -O2
// kernel quantised_0 row
//   reads x r gain
//   writes total s q
//   over [8192, 32, 128] along 32, 128, in groups along 128
//     %8 add f32[8192, 32, 128]
//     %9 as bf16[8192, 32, 128] -> total
//     %12 mul f32[8192, 32, 128]
//     %13 sum f32[8192, 1, 1]
//     %18 mul f32[8192, 1]
//     %22 add f32[8192, 1]
//     %23 rsqrt f32[8192, 1]
//     %26 mul f32[8192, 32, 128]
//     %30 mul f32[8192, 32, 128]
//     %31 abs f32[8192, 32, 128]
//     %32 max f32[8192, 32, 1]
//     %37 max f32[8192, 32]
//     %41 div f32[8192, 32] -> s
//     %44 div f32[8192, 32, 128]
//     %45 as f8e4m3[8192, 32, 128] -> q
//   bytes_read 134234112
//   bytes_written 101711872
//   flops 268984320
// buffer x input bf16[33554432] bytes 67108864 live -1..1
// buffer r input bf16[33554432] bytes 67108864 live -1..1
// buffer gain input f32[4096] bytes 16384 live -1..1
// buffer total output bf16[33554432] bytes 67108864 live 0..1
// buffer q output f8e4m3[33554432] bytes 33554432 live 0..1
// buffer s output f32[262144] bytes 1048576 live 0..1
// peak 235945984
// plan quantised -O2
// kernel quantised_0 row
//   reads x r gain
//   writes total s q
//   over [N, G, 128] along G, 128, in groups along 128
//     %8 add f32[N, G, 128]
//     %9 as bf16[N, G, 128] -> total
//     %12 mul f32[N, G, 128]
//     %13 sum f32[N, 1, 1]
//     %19 div f32[N, 1]
//     %23 add f32[N, 1]
//     %24 rsqrt f32[N, 1]
//     %27 mul f32[N, G, 128]
//     %31 mul f32[N, G, 128]
//     %32 abs f32[N, G, 128]
//     %33 max f32[N, G, 1]
//     %38 max f32[N, G]
//     %42 div f32[N, G] -> s
//     %45 div f32[N, G, 128]
//     %46 as f8e4m3[N, G, 128] -> q
//   bytes_read 512*N*G + 512*G
//   bytes_written 388*N*G
//   flops 1026*N*G + 3*N
// buffer x input bf16[128*N*G] bytes 256*N*G live -1..1
// buffer r input bf16[128*N*G] bytes 256*N*G live -1..1
// buffer gain input f32[128*G] bytes 512*G live -1..1
// buffer total output bf16[128*N*G] bytes 256*N*G live 0..1
// buffer q output f8e4m3[128*N*G] bytes 128*N*G live 0..1
// buffer s output f32[N*G] bytes 4*N*G live 0..1
// peak 900*N*G + 512*G
