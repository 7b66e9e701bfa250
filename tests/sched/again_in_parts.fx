// Parts of an axis of known size are values of their own; together they are worth computing again, and
// only their part of an input is read.
// run: fusec explain %s -o %t.txt --machine=H200
// run: grep -E "^(fn|kernel)|reads|writes" %t.txt
fn f(p: f32[32, 8, 32000], q: f32[32, 8, 32000], token: i32[32, 8]) -> (next: i32[32]) {
    hot = token[:, :, None] == iota(32000);
    a = sum(where(hot, abs(p), 0));
    b = sum(where(hot, abs(q), 0));
    accepted = sum((cumsum((a < b) as i32) == 0) as i32);
    row = (iota(8) == min(accepted, 7)[:, None])[:, :, None];
    next = argmax(sum(where(row, relu(abs(p) - abs(q)), 0), axis = 1));
}
// ---- expect
// fn f at -O2: 194 ops in 3 kernels
// kernel f_0: row over [32, 32000] along 32000
//   reads     62.5 MiB: token, p, q
//   writes    2.0 KiB: sum_temp, sum_temp2, sum_temp3, sum_temp4, sum_temp5, sum_temp6, sum_temp7, sum_temp8, sum_temp9, sum_temp10, sum_temp11, sum_temp12, sum_temp13, sum_temp14, sum_temp15, sum_temp16
//   tile      kind=row,cluster=8,threads=512,row_threads=512,warp_columns=0,vector=1,keep=nothing,unroll=4
// kernel f_1: pointwise over [32]
//   reads     2.0 KiB: sum_temp7, sum_temp8, sum_temp6, sum_temp5, sum_temp4, sum_temp3, sum_temp2, sum_temp, sum_temp15, sum_temp16, sum_temp14, sum_temp13, sum_temp12, sum_temp11, sum_temp10, sum_temp9
//   writes    256 bytes: where_temp
//   tile      kind=pointwise,threads=256,vector=1,unroll=1
// kernel f_2: row over [32, 32000] along 32000
//   reads     62.5 MiB: p, q, where_temp
//   writes    128 bytes: next
//   tile      kind=row,cluster=1,threads=1024,row_threads=1024,warp_columns=0,vector=4,keep=registers,unroll=4
