// run: fusec %s --target=c --emit=plan
// Columns that are fewer than the lanes of a vector: several rows are one on a CPU, with a rest, and of each outer row. Not:
// enough columns, few rows, rows that are read again, positions of the largest.
fn f(a: f32[30000, 7], b: u8[4, 70, 301, 3], c: f32[30000, 16], d: f32[100, 200, 3], e: f32[30000, 5])
    -> (p: f32[7], q: i32[4, 3], r: f32[16], s: f32[100, 3], t: f32[30000, 5], u: i32[5]) {
    p = sum(a, axis = 0);
    q = max(b as i32, axis = [1, 2]);
    r = sum(c, axis = 0);
    s = sum(d, axis = 1);
    t = e - mean(e, axis = 0);
    u = argmax(e, axis = 0);
}
// ---- expect
// plan f -O2
// kernel f_0 row
//   reads a
//   writes sum_parts
//   over [1875, 16, 7] along 1875
//     %8 sum f32[1, 1, 16, 7] -> sum_parts
//   bytes_read 840000
//   bytes_written 448
//   flops 210000
// kernel f_1 row
//   reads sum_parts
//   writes p
//   over [16, 7] along 16
//     %10 sum f32[1, 1, 7] -> p
//   bytes_read 448
//   bytes_written 28
//   flops 112
// kernel f_2 row
//   reads b
//   writes max_parts
//   over [4, 658, 32, 3] along 658
//     %17 max i32[4, 1, 32, 3] -> max_parts
//   bytes_read 252672
//   bytes_written 1536
//   flops 252672
// kernel f_3 row
//   reads max_parts b
//   writes q
//   over [4, 46, 3] along 46
//     %26 lt bool[1, 46, 1]
//     %31 where i32[4, 46, 3]
//     %32 max i32[4, 1, 3] -> q
//   bytes_read 1704
//   bytes_written 48
//   flops 1150
// kernel f_4 row
//   reads c
//   writes sum_parts2
//   over [12, 2500, 16] along 2500
//     %36 sum f32[12, 1, 16] -> sum_parts2
//   bytes_read 1920000
//   bytes_written 768
//   flops 480000
// kernel f_5 row
//   reads sum_parts2
//   writes r
//   over [12, 16] along 12
//     %38 sum f32[1, 16] -> r
//   bytes_read 768
//   bytes_written 64
//   flops 192
// kernel f_6 row
//   reads d
//   writes s
//   over [100, 200, 3] along 200
//     %40 sum f32[100, 1, 3] -> s
//   bytes_read 240000
//   bytes_written 1200
//   flops 60000
// kernel f_7 row
//   reads e
//   writes t u
//   over [30000, 5] along 30000
//     %42 sum f32[1, 5]
//     %46 div f32[1, 5]
//     %48 sub f32[30000, 5] -> t
//     %49 argmax i32[1, 5] -> u
//   bytes_read 600000
//   bytes_written 600020
//   flops 450005
// buffer a input f32[210000] bytes 840000 live -1..8
// buffer b input u8[252840] bytes 252840 live -1..8
// buffer c input f32[480000] bytes 1920000 live -1..8
// buffer d input f32[60000] bytes 240000 live -1..8
// buffer e input f32[150000] bytes 600000 live -1..8
// buffer p output f32[7] bytes 28 live 1..8
// buffer q output i32[12] bytes 48 live 3..8
// buffer r output f32[16] bytes 64 live 5..8
// buffer s output f32[300] bytes 1200 live 6..8
// buffer t output f32[150000] bytes 600000 live 7..8
// buffer u output i32[5] bytes 20 live 7..8
// buffer sum_parts temp f32[112] bytes 448 live 0..1 slot 0
// buffer max_parts temp i32[384] bytes 1536 live 2..3 slot 0
// buffer sum_parts2 temp f32[192] bytes 768 live 4..5 slot 0
// slot 0 bytes 1536
// apart %17 max | %31 where: space, 255912 bytes
// apart %36 sum | %38 sum: space, 1536 bytes
// apart %8 sum | %10 sum: space, 896 bytes
// apart %17 max | %31 where: space, 255912 bytes
// apart %17 max | %31 where: bundle, 255912 bytes
// peak 4455736
