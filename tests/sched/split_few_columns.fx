// run: fusec %s --target=c --emit=plan
// Threads of a CPU take strips of 64 columns: few columns are split along their length, whole, with a rest, and where
// the elements are read again. Not split: few elements, enough columns, short columns, an open length.
fn f[M](a: f32[16384, 64], b: bf16[2, 100003, 50], c: f32[8192, 256], d: f32[1024, 64], e: f32[4096, 4096], g: f32[M, 64])
    -> (p: f32[64], q: f32[2, 50], r: f32[8192, 256], s: f32[64], t: f32[4096], u: f32[64]) {
    p = sum(a, axis = 0);
    q = max(b as f32, axis = 1);
    r = c - mean(c, axis = 0);
    s = sum(d, axis = 0);
    t = sum(e, axis = 0);
    u = sum(g, axis = 0);
}
// ---- expect
// plan f -O2
// kernel f_0 row
//   reads a
//   writes sum_parts
//   over [32, 512, 64] along 512
//     %8 sum f32[32, 1, 64] -> sum_parts
//   bytes_read 4194304
//   bytes_written 8192
//   flops 1048576
// kernel f_1 row
//   reads sum_parts
//   writes p
//   over [32, 64] along 32
//     %10 sum f32[1, 64] -> p
//   bytes_read 8192
//   bytes_written 256
//   flops 2048
// kernel f_2 row
//   reads b
//   writes max_parts
//   over [2, 25, 4000, 50] along 4000
//     %15 max f32[2, 25, 1, 50] -> max_parts
//   bytes_read 20000000
//   bytes_written 10000
//   flops 10000000
// kernel f_3 row
//   reads max_parts b
//   writes q
//   over [2, 28, 50] along 28
//     %24 lt bool[1, 28, 1]
//     %29 where f32[2, 28, 50]
//     %30 max f32[2, 1, 50] -> q
//   bytes_read 10600
//   bytes_written 400
//   flops 5628
// kernel f_4 row
//   reads c
//   writes sum_parts2
//   over [16, 512, 256] along 512
//     %33 sum f32[16, 1, 256] -> sum_parts2
//   bytes_read 8388608
//   bytes_written 16384
//   flops 2097152
// kernel f_5 row
//   reads sum_parts2
//   writes mean
//   over [16, 256] along 16
//     %35 sum f32[1, 256]
//     %39 mul f32[1, 256] -> mean
//   bytes_read 16384
//   bytes_written 1024
//   flops 4352
// kernel f_6 pointwise
//   reads c mean
//   writes r
//   over [8192, 256]
//     %41 sub f32[8192, 256] -> r
//   bytes_read 8389632
//   bytes_written 8388608
//   flops 2097152
// kernel f_7 row
//   reads d
//   writes s
//   over [1024, 64] along 1024
//     %42 sum f32[1, 64] -> s
//   bytes_read 262144
//   bytes_written 256
//   flops 65536
// kernel f_8 row
//   reads e
//   writes t
//   over [4096, 4096] along 4096
//     %44 sum f32[1, 4096] -> t
//   bytes_read 67108864
//   bytes_written 16384
//   flops 16777216
// kernel f_9 row
//   reads g
//   writes u
//   over [M, 64] along M
//     %46 sum f32[1, 64] -> u
//   bytes_read 256*M
//   bytes_written 256
//   flops 64*M
// buffer a input f32[1048576] bytes 4194304 live -1..10
// buffer b input bf16[10000300] bytes 20000600 live -1..10
// buffer c input f32[2097152] bytes 8388608 live -1..10
// buffer d input f32[65536] bytes 262144 live -1..10
// buffer e input f32[16777216] bytes 67108864 live -1..10
// buffer g input f32[64*M] bytes 256*M live -1..10
// buffer p output f32[64] bytes 256 live 1..10
// buffer q output f32[100] bytes 400 live 3..10
// buffer r output f32[2097152] bytes 8388608 live 6..10
// buffer s output f32[64] bytes 256 live 7..10
// buffer t output f32[4096] bytes 16384 live 8..10
// buffer u output f32[64] bytes 256 live 9..10
// buffer sum_parts temp f32[2048] bytes 8192 live 0..1 slot 0
// buffer max_parts temp f32[2500] bytes 10000 live 2..3 slot 0
// buffer sum_parts2 temp f32[4096] bytes 16384 live 4..5 slot 0
// buffer mean temp f32[256] bytes 1024 live 5..6 slot 1
// slot 0 bytes 16384
// slot 1 bytes 1024
// apart %15 max | %29 where: space, 20020600 bytes
// apart %33 sum | %35 sum: space, 32768 bytes
// apart %8 sum | %10 sum: space, 16384 bytes
// apart %39 mul | r: space, 2048 bytes
// apart %15 max | %29 where: space, 20020600 bytes
// apart %33 sum | r: space, 8388608 bytes
// apart %15 max | %29 where: bundle, 20020600 bytes
// apart %33 sum | r: bundle, 8388608 bytes
// peak 256*M + 108378088
