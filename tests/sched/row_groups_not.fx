// Groups of rows that are too long to be kept, of two lengths, and beside running sums, are kernels of their own.
// run: fusec %s --emit=plan --machine=h200
fn long_rows(x: f32[100, 1024, 128]) -> (y: f32[100, 1024, 128]) {
    h = x / sum(x, axis = [1, 2], keep = true);
    y = h - max(h, keep = true);
}
fn lengths(x: f32[1000, 512]) -> (a: f32[1000, 8], b: f32[1000, 16]) {
    y = x - mean(x, keep = true);
    a = max(reshape(y, 1000, 8, 64));
    b = max(reshape(y, 1000, 16, 32));
}
fn running(x: f32[1000, 512]) -> (y: f32[1000, 512], a: f32[1000, 8]) {
    y = cumsum(x - mean(x, keep = true), axis = 1);
    a = max(reshape(y, 1000, 8, 64));
}
// ---- expect
// plan long_rows -O2
// kernel long_rows_0 row
//   reads x
//   writes h
//   over [100, 1024, 128] along 1024, 128
//     %2 sum f32[100, 1, 1]
//     %4 div f32[100, 1024, 128] -> h
//   bytes_read 52428800
//   bytes_written 52428800
//   flops 26214400
// kernel long_rows_1 row
//   reads h
//   writes y
//   over [100, 1024, 128] along 128
//     %5 max f32[100, 1024, 1]
//     %7 sub f32[100, 1024, 128] -> y
//   bytes_read 52428800
//   bytes_written 52428800
//   flops 26214400
// buffer x input f32[13107200] bytes 52428800 live -1..2
// buffer y output f32[13107200] bytes 52428800 live 1..2
// buffer h temp f32[13107200] bytes 52428800 live 0..1 slot 0
// slot 0 bytes 52428800
// apart %4 div | %5 max: axes, 104857600 bytes
// apart %4 div | y: axes, 104857600 bytes
// peak 157286400
//
// plan lengths -O2
// kernel lengths_0 row
//   reads x
//   writes y a
//   over [1000, 8, 64] along 8, 64, in groups along 64
//     %3 sum f32[1000, 1, 1]
//     %8 mul f32[1000, 1]
//     %11 sub f32[1000, 8, 64] -> y
//     %12 max f32[1000, 8, 1] -> a
//   bytes_read 2048000
//   bytes_written 2080000
//   flops 1537000
// kernel lengths_1 row
//   reads y
//   writes b
//   over [1000, 16, 32] along 32
//     %15 max f32[1000, 16, 1] -> b
//   bytes_read 2048000
//   bytes_written 64000
//   flops 512000
// buffer x input f32[512000] bytes 2048000 live -1..2
// buffer a output f32[8000] bytes 32000 live 0..2
// buffer b output f32[16000] bytes 64000 live 1..2
// buffer y temp f32[512000] bytes 2048000 live 0..1 slot 0
// slot 0 bytes 2048000
// apart %11 sub | %15 max: space, 4096000 bytes
// apart %12 max | %15 max: space, 4096000 bytes
// apart %12 max | %15 max: bundle, 4096000 bytes
// peak 4192000
//
// plan running -O2
// kernel running_0 row
//   reads x
//   writes y
//   over [1000, 512] along 512
//     %2 sum f32[1000, 1]
//     %6 mul f32[1000, 1]
//     %8 sub f32[1000, 512]
//     %9 cumsum f32[1000, 512] -> y
//   bytes_read 2048000
//   bytes_written 2048000
//   flops 1537000
// kernel running_1 row
//   reads y
//   writes a
//   over [1000, 8, 64] along 64
//     %11 max f32[1000, 8, 1] -> a
//   bytes_read 2048000
//   bytes_written 32000
//   flops 512000
// buffer x input f32[512000] bytes 2048000 live -1..2
// buffer y output f32[512000] bytes 2048000 live 0..2
// buffer a output f32[8000] bytes 32000 live 1..2
// apart y | %11 max: space, 2048000 bytes
// peak 4128000
