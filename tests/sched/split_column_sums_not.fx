// run: fusec %s --target=cuda --arch=sm_90a --emit=plan
// Not split: few elements, enough columns, columns that are read again and fill a GPU, an open length.
fn f[M](a: f32[1024, 64], b: f32[1024, 65536], c: f32[16384, 8192], d: f32[M, 512])
    -> (p: f32[64], q: f32[65536], r: f32[16384, 8192], s: f32[512]) {
    p = sum(a, axis = 0);
    q = sum(b, axis = 0);
    r = c - mean(c, axis = 0);
    s = sum(d, axis = 0);
}
// ---- expect
// plan f -O2
// kernel f_0 row
//   reads a
//   writes p
//   over [1024, 64] along 1024
//     %5 sum f32[1, 64] -> p
//   bytes_read 262144
//   bytes_written 256
//   flops 65536
// kernel f_1 row
//   reads b
//   writes q
//   over [1024, 65536] along 1024
//     %7 sum f32[1, 65536] -> q
//   bytes_read 268435456
//   bytes_written 262144
//   flops 67108864
// kernel f_2 row
//   reads c
//   writes r
//   over [16384, 8192] along 16384
//     %9 sum f32[1, 8192]
//     %13 mul f32[1, 8192]
//     %15 sub f32[16384, 8192] -> r
//   bytes_read 536870912
//   bytes_written 536870912
//   flops 268443648
// kernel f_3 row
//   reads d
//   writes s
//   over [M, 512] along M
//     %16 sum f32[1, 512] -> s
//   bytes_read 2048*M
//   bytes_written 2048
//   flops 512*M
// buffer a input f32[65536] bytes 262144 live -1..4
// buffer b input f32[67108864] bytes 268435456 live -1..4
// buffer c input f32[134217728] bytes 536870912 live -1..4
// buffer d input f32[512*M] bytes 2048*M live -1..4
// buffer p output f32[64] bytes 256 live 0..4
// buffer q output f32[65536] bytes 262144 live 1..4
// buffer r output f32[134217728] bytes 536870912 live 2..4
// buffer s output f32[512] bytes 2048 live 3..4
// peak 2048*M + 1342703872
