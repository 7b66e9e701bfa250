// A take reads the rows of the table that the indices name, in whole sectors, and at most all of it: few
// rows of a large table, elements, which take a sector each, two takes, and a table that is read elsewhere, too.
// run: fusec %s --arch=sm_90a --emit=plan > plan
// run: grep -E "^(plan|  bytes_read)" plan
fn rows(t: bf16[100000, 128], i: i32[64]) -> (y: bf16[64, 128]) { y = take(t, i, axis = 0); }

fn elements(t: f32[100000], i: i32[64]) -> (y: f32[64]) { y = take(t, i); }

fn two(t: bf16[100000, 128], i: i32[64], j: i32[64]) -> (y: bf16[64, 128]) { y = take(t, i, axis = 0) + take(t, j, axis = 0); }

fn often(t: bf16[1000, 128], i: i32[100000]) -> (y: bf16[100000, 128]) { y = take(t, i, axis = 0); }

fn elsewhere(t: f32[100000], i: i32[100000]) -> (y: f32[100000]) { y = take(t, i) + t; }
// ---- expect
// plan rows -O2
//   bytes_read 16640
// plan elements -O2
//   bytes_read 2304
// plan two -O2
//   bytes_read 33280
// plan often -O2
//   bytes_read 656000
// plan elsewhere -O2
//   bytes_read 800000
