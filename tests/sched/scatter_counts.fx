// Sums of equal numbers are counts: of a sort that another scatter needs, or that of too many rows takes; else the
// indices of each part are counted, and there is no sort. A count is computed where it is read.
// run: fusec %s --emit=plan
fn shared(i: i32[100000], x: f32[100000, 8]) -> (y: f32[1000, 8]) {
    y = scatter(full(0.0, 1000, 8), i, x) / max(scatter(full(0.0, 1000), i, 1.0), 1)[:, None];
}
fn alone(i: i32[100000], w: f32[1000]) -> (y: f32[1000]) { y = scatter(w, i, 0.5); }
fn many(i: i32[100000]) -> (n: i32[1000000]) { n = scatter(full(0, 1000000), i, 1); }
// ---- expect
// plan shared -O2
// kernel shared_0 segments
//   reads i x
//   writes part_sums
//   over [100000, 8]
//     %7 max i32[100000]
//     %10 min i32[100000]
//     %11 binned f32[108, 1000, 8] -> part_sums
//   bytes_read 3600000
//   bytes_written 3456000
//   flops 200000
// kernel shared_1 segments
//   reads i
//   writes tally
//   over [100000]
//     %7 max i32[100000]
//     %10 min i32[100000]
//     %16 tally i32[24, 1000] -> tally
//   bytes_read 400000
//   bytes_written 96000
//   flops 200000
// kernel shared_2 row
//   reads tally
//   writes max_temp
//   over [24, 1000] along 24
//     %17 sum i32[1, 1000]
//     %19 as f32[1000]
//     %21 max f32[1000] -> max_temp
//   bytes_read 96000
//   bytes_written 4000
//   flops 25000
// kernel shared_3 row
//   reads part_sums max_temp
//   writes y
//   over [108, 1000, 8] along 108
//     %12 sum f32[1, 1000, 8]
//     %24 div f32[1000, 8] -> y
//   bytes_read 3460000
//   bytes_written 32000
//   flops 872000
// buffer i input i32[100000] bytes 400000 live -1..4
// buffer x input f32[800000] bytes 3200000 live -1..4
// buffer y output f32[8000] bytes 32000 live 3..4
// buffer part_sums temp f32[864000] bytes 3456000 live 0..3 slot 0
// buffer tally temp i32[24000] bytes 96000 live 1..2 slot 1
// buffer max_temp temp f32[1000] bytes 4000 live 2..3 slot 2
// slot 0 bytes 3456000
// slot 1 bytes 96000
// slot 2 bytes 4000
// apart %11 binned | %12 sum: scatter, 6912000 bytes
// apart %16 tally | %17 sum: scatter, 192000 bytes
// apart %21 max | y: space, 8000 bytes
// apart %11 binned | %16 tally: scatter, 400000 bytes
// apart %11 binned | %16 tally: scatter, 400000 bytes
// apart %11 binned | %16 tally: bundle, 400000 bytes
// apart %11 binned | %16 tally: bundle, 400000 bytes
// peak 7188000
//
// plan alone -O2
// kernel alone_0 segments
//   reads i
//   writes tally
//   over [100000]
//     %9 max i32[100000]
//     %12 min i32[100000]
//     %13 tally i32[24, 1000] -> tally
//   bytes_read 400000
//   bytes_written 96000
//   flops 200000
// kernel alone_1 row
//   reads tally w
//   writes y
//   over [24, 1000] along 24
//     %14 sum i32[1, 1000]
//     %16 as f32[1000]
//     %18 mul f32[1000]
//     %19 add f32[1000] -> y
//   bytes_read 100000
//   bytes_written 4000
//   flops 26000
// buffer i input i32[100000] bytes 400000 live -1..2
// buffer w input f32[1000] bytes 4000 live -1..2
// buffer y output f32[1000] bytes 4000 live 1..2
// buffer tally temp i32[24000] bytes 96000 live 0..1 slot 0
// slot 0 bytes 96000
// apart %13 tally | %14 sum: scatter, 192000 bytes
// peak 504000
//
// plan many -O2
// kernel many_0 segments
//   reads i
//   writes tally
//   over [100000]
//     %6 max i32[100000]
//     %9 min i32[100000]
//     %10 tally i32[128, 256] -> tally
//   bytes_read 400000
//   bytes_written 131072
//   flops 200000
// kernel many_1 segments
//   reads i tally
//   writes groups
//   over [100000]
//     %6 max i32[100000]
//     %9 min i32[100000]
//     %11 groups i32[100257] -> groups
//   bytes_read 531072
//   bytes_written 401028
//   flops 200000
// kernel many_2 segments
//   reads i groups
//   writes grouped_temp
//   over [100000]
//     %6 max i32[100000]
//     %9 min i32[100000]
//     %12 grouped i32[1100001] -> grouped_temp
//   bytes_read 801028
//   bytes_written 4400004
//   flops 200000
// kernel many_3 pointwise
//   reads grouped_temp
//   writes n
//   over [1000000]
//     %15 sub i32[1000000] -> n
//   bytes_read 4400004
//   bytes_written 4000000
//   flops 1000000
// buffer i input i32[100000] bytes 400000 live -1..4
// buffer n output i32[1000000] bytes 4000000 live 3..4
// buffer tally temp i32[32768] bytes 131072 live 0..1 slot 0
// buffer groups temp i32[100257] bytes 401028 live 1..2 slot 1
// buffer grouped_temp temp i32[1100001] bytes 4400004 live 2..3 slot 0
// slot 0 bytes 4400004
// slot 1 bytes 401028
// apart %12 grouped | n: scatter, 8800008 bytes
// apart %12 grouped | n: scatter, 8800008 bytes
// apart %11 groups | %12 grouped: scatter, 1202056 bytes
// apart %10 tally | %11 groups: scatter, 662144 bytes
// apart %11 groups | %12 grouped: scatter, 1202056 bytes
// apart %11 groups | %12 grouped: scatter, 1202056 bytes
// apart %10 tally | %11 groups: scatter, 662144 bytes
// apart %10 tally | %11 groups: scatter, 662144 bytes
// apart %11 groups | %12 grouped: bundle, 1202056 bytes
// apart %11 groups | %12 grouped: bundle, 1202056 bytes
// apart %10 tally | %11 groups: bundle, 662144 bytes
// apart %10 tally | %11 groups: bundle, 662144 bytes
// peak 9201032
