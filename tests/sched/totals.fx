// The last of running sums is their sum where it meets the others: one kernel has both. It stays an
// element of what is stored down columns, by itself, and where it is not the last.
// run: fusec %s --emit=plan --arch=sm_90a -D N=300 -D D=4096
// run: fusec run %s --check --fn=shares -D N=33 -D D=1000
// run: fusec run %s --check --fn=shares -D N=5 -D D=1
// run: fusec run %s --check --fn=from_end -D N=33 -D D=1000
// run: fusec run %s --check --fn=down -D N=100 -D D=33
// run: fusec run %s --check --fn=alone -D N=33 -D D=1000
// run: fusec run %s --check --fn=first -D N=33 -D D=1000
fn shares[N, D](x: bf16[N, D]) -> (y: bf16[N, D], c: f32[N, D]) {
    c = cumsum(exp(x));
    y = c / c[:, D - 1:];
}
fn from_end[N, D](x: f32[N, D]) -> (y: f32[N, D]) {
    c = cumsum(x * x + 1, reverse = true);
    y = log(c) - log(c[:, :1]);
}
fn down[N, D](x: f32[N, D]) -> (y: f32[N, D]) {
    c = cumsum(x * x + 1, axis = 0);
    y = c / c[-1:];
}
fn alone[N, D](x: f32[N, D]) -> (c: f32[N, D], last: f32[N]) {
    c = cumsum(x);
    last = c[:, D - 1];
}
fn first[N, D](x: f32[N, D]) -> (y: f32[N, D]) {
    c = cumsum(x * x + 1);
    y = c / c[:, :1];
}
// ---- expect
// plan shares -O2
// kernel shares_0 row
//   reads x
//   writes c y
//   over [300, 4096] along 4096
//     %3 exp f32[300, 4096]
//     %4 cumsum f32[300, 4096] -> c
//     %5 sum f32[300, 1]
//     %7 div f32[300, 4096]
//     %8 as bf16[300, 4096] -> y
//   bytes_read 2457600
//   bytes_written 7372800
//   flops 4915200
// buffer x input bf16[1228800] bytes 2457600 live -1..1
// buffer y output bf16[1228800] bytes 2457600 live 0..1
// buffer c output f32[1228800] bytes 4915200 live 0..1
// peak 9830400
//
// plan from_end -O2
// kernel from_end_0 row
//   reads x
//   writes y
//   over [300, 4096] along 4096 from its end
//     %2 mul f32[300, 4096]
//     %6 add f32[300, 4096]
//     %7 cumsum f32[300, 4096]
//     %8 log f32[300, 4096]
//     %9 sum f32[300, 1]
//     %10 log f32[300, 1]
//     %12 sub f32[300, 4096] -> y
//   bytes_read 4915200
//   bytes_written 4915200
//   flops 7373100
// buffer x input f32[1228800] bytes 4915200 live -1..1
// buffer y output f32[1228800] bytes 4915200 live 0..1
// peak 9830400
//
// plan down -O2
// kernel down_0 row
//   reads x
//   writes c
//   over [300, 4096] along 300
//     %2 mul f32[300, 4096]
//     %6 add f32[300, 4096]
//     %7 cumsum f32[300, 4096] -> c
//   bytes_read 4915200
//   bytes_written 4915200
//   flops 3686400
// kernel down_1 pointwise
//   reads c
//   writes y
//   over [300, 4096]
//     %10 div f32[300, 4096] -> y
//   bytes_read 4915200
//   bytes_written 4915200
//   flops 1228800
// buffer x input f32[1228800] bytes 4915200 live -1..2
// buffer y output f32[1228800] bytes 4915200 live 1..2
// buffer c temp f32[1228800] bytes 4915200 live 0..1 slot 0
// slot 0 bytes 4915200
// apart %7 cumsum | y: aligned, 9830400 bytes
// apart %7 cumsum | y: aligned, 9830400 bytes
// peak 14745600
//
// plan alone -O2
// kernel alone_0 row
//   reads x
//   writes c
//   over [300, 4096] along 4096
//     %2 cumsum f32[300, 4096] -> c
//   bytes_read 4915200
//   bytes_written 4915200
//   flops 1228800
// kernel alone_1 pointwise
//   reads c
//   writes last
//   over [300]
//     %3 slice f32[300, 1] -> last
//   bytes_read 4915200
//   bytes_written 1200
//   flops 0
// buffer x input f32[1228800] bytes 4915200 live -1..2
// buffer c output f32[1228800] bytes 4915200 live 0..2
// buffer last output f32[300] bytes 1200 live 1..2
// apart c | %3 slice: aligned, 4915200 bytes
// peak 9831600
//
// plan first -O2
// kernel first_0 row
//   reads x
//   writes c
//   over [300, 4096] along 4096
//     %2 mul f32[300, 4096]
//     %6 add f32[300, 4096]
//     %7 cumsum f32[300, 4096] -> c
//   bytes_read 4915200
//   bytes_written 4915200
//   flops 3686400
// kernel first_1 pointwise
//   reads c
//   writes y
//   over [300, 4096]
//     %10 div f32[300, 4096] -> y
//   bytes_read 4915200
//   bytes_written 4915200
//   flops 1228800
// buffer x input f32[1228800] bytes 4915200 live -1..2
// buffer y output f32[1228800] bytes 4915200 live 1..2
// buffer c temp f32[1228800] bytes 4915200 live 0..1 slot 0
// slot 0 bytes 4915200
// apart %7 cumsum | y: aligned, 9830400 bytes
// apart %7 cumsum | y: aligned, 9830400 bytes
// peak 14745600
// y: bf16[33, 1000]  mean 0.5013  max 1  checksum f103b761ffffe794
// c: f32[33, 1000]  mean 590.8  max 1218  checksum f8b9f7cea5fbd9e6
// y: ok, largest error 0.00391 of 0.00391 allowed, mean 2.63e-05 of 0.000315, at [26, 839]: got 0.8359375, want 0.83203125
// c: ok, largest error 0.00146 of 0.00351 allowed, mean 0.000308 of 0.000941, at [0, 984]: got 1161.93433, want 1161.93286
// fusec: remark: random inputs, seed 0: x
// y: bf16[5, 1]  mean 1  max 1  checksum a67c829a2ec3b1fb
// c: f32[5, 1]  mean 1.109  max 1.818  checksum 2f562cef89bdbe3e
// y: ok, largest error 0 of 0.00781 allowed, at [0, 0]: got 1, want 1
// c: ok, largest error 5.96e-08 of 8.67e-07 allowed, at [4, 0]: got 0.731615663, want 0.731615603
// fusec: remark: random inputs, seed 0: x
// y: f32[33, 1000]  mean -0.9966  max 9.537e-07  checksum 8722e25923468090
// y: ok, largest error 1.64e-06 of 6.77e-06 allowed, mean 3.94e-07 of 1.64e-06, at [20, 211]: got -0.236145973, want -0.236147612
// fusec: remark: random inputs, seed 0: x
// y: f32[100, 33]  mean 0.505  max 1  checksum bb8f13884cf37b5c
// y: ok, largest error 2.98e-07 of 9.54e-07 allowed, mean 6.24e-08 of 4e-07, at [90, 16]: got 0.910975695, want 0.910975993
// fusec: remark: random inputs, seed 0: x
// c: f32[33, 1000]  mean -1.174  max 42.12  checksum 346443919d47715b
// last: f32[33]  mean -1.442  max 36.73  checksum 6a53e826bf88486a
// c: ok, largest error 4.58e-05 of 0.000113 allowed, mean 5.36e-06 of 1.73e-05, at [18, 861]: got -39.3094559, want -39.3094101
// last: ok, largest error 3.81e-05 of 0.000136 allowed, at [18]: got -40.253376, want -40.2533379
// fusec: remark: random inputs, seed 0: x
// y: f32[33, 1000]  mean 522.5  max 1337  checksum bdca5d9a0727afc9
// y: ok, largest error 0.00146 of 0.00357 allowed, mean 0.000242 of 0.000776, at [31, 974]: got 1277.68372, want 1277.68518
// fusec: remark: random inputs, seed 0: x
