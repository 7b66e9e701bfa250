// run: fusec %s --target=cuda --arch=sm_90a -D M=65536 -D N=4096 --emit=plan
// A block takes 32 columns: 4096 are too few blocks for a GPU, so columns are split along their length.
fn f[M, N](x: f32[M, N]) -> (s: f32[N]) { s = sum(x, axis = 0); }
// ---- expect
// plan f -O2
// kernel f_0 row
//   reads x
//   writes sum_parts
//   over [8, 8192, 4096] along 8192
//     %3 sum f32[8, 1, 4096] -> sum_parts
//   bytes_read 1073741824
//   bytes_written 131072
//   flops 268435456
// kernel f_1 row
//   reads sum_parts
//   writes s
//   over [8, 4096] along 8
//     %5 sum f32[1, 4096] -> s
//   bytes_read 131072
//   bytes_written 16384
//   flops 32768
// buffer x input f32[268435456] bytes 1073741824 live -1..2
// buffer s output f32[4096] bytes 16384 live 1..2
// buffer sum_parts temp f32[32768] bytes 131072 live 0..1 slot 0
// slot 0 bytes 131072
// apart %3 sum | %5 sum: space, 262144 bytes
// peak 1073889280
