// An operand of more elements than an int counts: its offsets are 64 bits wide, whatever the results.
// run: fusec %s --target=cuda --arch=sm_80 -o %t.cu
// run: grep "const idx at_" %t.cu
fn wide(x: f64[65536, 65536], w: f64[65536, 64]) -> (y: f64[65536, 64]) {
    y = x @ w;
}
// ---- expect
//         const idx at_m = m_start + row / group_m * (threads_m * group_m) + ty + row % group_m;
//                 const idx at_n = n_start + col / group_n * (threads_n * group_n) + tx;
//                 const idx at_n =
