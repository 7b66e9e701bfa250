// Parts of an axis of known size are values of their own; together they are worth computing again, and
// only their part of an input is read.
// run: fusec explain %s -o %t.txt --machine=H200
// run: grep -E "^(fn|kernel)|reads|writes" %t.txt
fn f(p: f32[32, 8, 32000], q: f32[32, 8, 32000], token: i32[32, 8]) -> (next: i32[32]) {
    hot = token[:, :, None] == iota(32000);
    a = max(where(hot, abs(p), 0));
    b = max(where(hot, abs(q), 0));
    accepted = sum((cumsum((a < b) as i32) == 0) as i32);
    row = (iota(8) == min(accepted, 7)[:, None])[:, :, None];
    next = argmax(max(where(row, relu(abs(p) - abs(q)), 0), axis = 1));
}
// ---- expect
// fn f at -O2: 194 ops in 3 kernels
// kernel f_0: row over [32, 32000] along 32000
//   reads     62.5 MiB: token, p, q
//   writes    2.0 KiB: max_temp, max_temp2, max_temp3, max_temp4, max_temp5, max_temp6, max_temp7, max_temp8, max_temp9, max_temp10, max_temp11, max_temp12, max_temp13, max_temp14, max_temp15, max_temp16
//   tile      kind=row,cluster=1,threads=1024,row_threads=1024,warp_columns=0,vector=4,keep=registers,unroll=4
// kernel f_1: pointwise over [32]
//   reads     2.0 KiB: max_temp7, max_temp8, max_temp6, max_temp5, max_temp4, max_temp3, max_temp2, max_temp, max_temp15, max_temp16, max_temp14, max_temp13, max_temp12, max_temp11, max_temp10, max_temp9
//   writes    256 bytes: where_temp
//   tile      kind=pointwise,threads=256,vector=1,unroll=1
// kernel f_2: row over [32, 32000] along 32000
//   reads     62.5 MiB: p, q, where_temp
//   writes    128 bytes: next
//   tile      kind=row,cluster=1,threads=1024,row_threads=1024,warp_columns=0,vector=4,keep=registers,unroll=4
