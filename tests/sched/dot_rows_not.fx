// What stays a kernel of its own after a contraction: columns and open rows, rows that are longer
// than a tile, running sums, and rows of a part that vectors cross.
// run: fusec %s --target=c --emit=plan -D M=50 --fn columns
// run: fusec %s --target=c --emit=plan --fn unknown
// run: fusec %s --target=c --emit=plan --fn long
// run: fusec %s --target=c --emit=plan --fn scan
// run: fusec %s --target=c --emit=plan --fn parts
// run: fusec run %s --check -D M=50 --fn columns > checks
// run: fusec run %s --check -D N=7 --fn unknown > checks
// run: fusec run %s --check --fn scan > checks
// run: fusec run %s --check --fn parts > checks
fn columns[M](x: f32[M, 8], w: f32[16, 8]) -> (y: f32[M, 16]) {
    y = softmax(x @ w.T, axis = 0);
}
fn unknown[N](x: f32[20, 8], w: f32[N, 8]) -> (y: f32[20, N]) {
    y = softmax(x @ w.T);
}
fn long(x: f32[20, 8], w: f32[5000, 8]) -> (y: f32[20, 5000]) {
    y = softmax(x @ w.T);
}
fn scan(x: f32[20, 8], w: f32[16, 8]) -> (y: f32[20, 16]) {
    y = cumsum(x @ w.T, axis = 1);
}
fn parts(x: f32[20, 8], w: f32[3, 5, 8]) -> (y: f32[20, 3, 5]) {
    y = softmax(einsum("mk,hdk->mhd", x, w));
}
// ---- expect
// plan columns -O2
// kernel columns_0 dot
//   reads x w
//   writes matmul_temp
//   over [50, 16]
//     %3 matmul f32[50, 16] -> matmul_temp
//   bytes_read 2112
//   bytes_written 3200
//   flops 12800
// kernel columns_1 row
//   reads matmul_temp
//   writes y
//   over [50, 16] along 50
//     %4 max f32[1, 16]
//     %8 eq bool[1, 16]
//     %12 where f32[1, 16]
//     %14 sub f32[50, 16]
//     %15 exp f32[50, 16]
//     %16 sum f32[1, 16]
//     %17 eq bool[1, 16]
//     %21 where f32[1, 16]
//     %22 div f32[1, 16]
//     %24 mul f32[50, 16] -> y
//   bytes_read 3200
//   bytes_written 3200
//   flops 4080
// buffer x input f32[400] bytes 1600 live -1..2
// buffer w input f32[128] bytes 512 live -1..2
// buffer y output f32[800] bytes 3200 live 1..2
// buffer matmul_temp temp f32[800] bytes 3200 live 0..1 slot 0
// slot 0 bytes 3200
// apart %3 matmul | %14 sub: axes, 6400 bytes
// apart %3 matmul | %4 max: axes, 6400 bytes
// peak 8512
// plan unknown -O2
// kernel unknown_0 dot
//   reads x w
//   writes matmul_temp
//   over [20, N]
//     %3 matmul f32[20, N] -> matmul_temp
//   bytes_read 32*N + 640
//   bytes_written 80*N
//   flops 320*N
// kernel unknown_1 row
//   reads matmul_temp
//   writes y
//   over [20, N] along N
//     %4 max f32[20, 1]
//     %8 eq bool[20, 1]
//     %12 where f32[20, 1]
//     %14 sub f32[20, N]
//     %15 exp f32[20, N]
//     %16 sum f32[20, 1]
//     %17 eq bool[20, 1]
//     %21 where f32[20, 1]
//     %22 div f32[20, 1]
//     %24 mul f32[20, N] -> y
//   bytes_read 80*N
//   bytes_written 80*N
//   flops 100*N + 100
// buffer x input f32[160] bytes 640 live -1..2
// buffer w input f32[8*N] bytes 32*N live -1..2
// buffer y output f32[20*N] bytes 80*N live 1..2
// buffer matmul_temp temp f32[20*N] bytes 80*N live 0..1 slot 0
// slot 0 bytes 80*N
// apart %3 matmul | %14 sub: tile, 163840 bytes
// apart %3 matmul | %4 max: tile, 163840 bytes
// peak 192*N + 640
// plan long -O2
// kernel long_0 dot
//   reads x w
//   writes matmul_temp
//   over [20, 5000]
//     %3 matmul f32[20, 5000] -> matmul_temp
//   bytes_read 160640
//   bytes_written 400000
//   flops 1600000
// kernel long_1 row
//   reads matmul_temp
//   writes y
//   over [20, 5000] along 5000
//     %4 max f32[20, 1]
//     %8 eq bool[20, 1]
//     %12 where f32[20, 1]
//     %14 sub f32[20, 5000]
//     %15 exp f32[20, 5000]
//     %16 sum f32[20, 1]
//     %17 eq bool[20, 1]
//     %21 where f32[20, 1]
//     %22 div f32[20, 1]
//     %24 mul f32[20, 5000] -> y
//   bytes_read 400000
//   bytes_written 400000
//   flops 500100
// buffer x input f32[160] bytes 640 live -1..2
// buffer w input f32[40000] bytes 160000 live -1..2
// buffer y output f32[100000] bytes 400000 live 1..2
// buffer matmul_temp temp f32[100000] bytes 400000 live 0..1 slot 0
// slot 0 bytes 400000
// apart %3 matmul | %14 sub: tile, 800000 bytes
// apart %3 matmul | %4 max: tile, 800000 bytes
// peak 960640
// plan scan -O2
// kernel scan_0 dot
//   reads x w
//   writes matmul_temp
//   over [20, 16]
//     %3 matmul f32[20, 16] -> matmul_temp
//   bytes_read 1152
//   bytes_written 1280
//   flops 5120
// kernel scan_1 row
//   reads matmul_temp
//   writes y
//   over [20, 16] along 16
//     %4 cumsum f32[20, 16] -> y
//   bytes_read 1280
//   bytes_written 1280
//   flops 320
// buffer x input f32[160] bytes 640 live -1..2
// buffer w input f32[128] bytes 512 live -1..2
// buffer y output f32[320] bytes 1280 live 1..2
// buffer matmul_temp temp f32[320] bytes 1280 live 0..1 slot 0
// slot 0 bytes 1280
// apart %3 matmul | y: scan, 2560 bytes
// peak 3712
// plan parts -O2
// kernel parts_0 dot
//   reads x w
//   writes matmul_temp
//   over [20, 3, 5]
//     %3 matmul f32[20, 3, 5] -> matmul_temp
//   bytes_read 1120
//   bytes_written 1200
//   flops 4800
// kernel parts_1 row
//   reads matmul_temp
//   writes y
//   over [20, 3, 5] along 5
//     %4 max f32[20, 3, 1]
//     %8 eq bool[20, 3, 1]
//     %12 where f32[20, 3, 1]
//     %14 sub f32[20, 3, 5]
//     %15 exp f32[20, 3, 5]
//     %16 sum f32[20, 3, 1]
//     %17 eq bool[20, 3, 1]
//     %21 where f32[20, 3, 1]
//     %22 div f32[20, 3, 1]
//     %24 mul f32[20, 3, 5] -> y
//   bytes_read 1200
//   bytes_written 1200
//   flops 1800
// buffer x input f32[160] bytes 640 live -1..2
// buffer w input f32[120] bytes 480 live -1..2
// buffer y output f32[300] bytes 1200 live 1..2
// buffer matmul_temp temp f32[300] bytes 1200 live 0..1 slot 0
// slot 0 bytes 1200
// apart %3 matmul | %4 max: tile, 2400 bytes
// apart %3 matmul | %14 sub: tile, 2400 bytes
// peak 3520
// fusec: remark: random inputs, seed 0: x, w
// fusec: remark: random inputs, seed 0: x, w
// fusec: remark: random inputs, seed 0: x, w
// fusec: remark: random inputs, seed 0: x, w
