// Stores under one condition share a block; of a block of threads that depends on a size, both sides
// are whole.
// run: fusec %s --no-test -o %t.cu
// run: grep -E -A 4 "if \(valid( && thread == 0)?\) \{" %t.cu
// run: grep -B 1 -A 2 "<<<" %t.cu
fn rows[N, D](x: f32[N, D]) -> (most: f32[N], all: f32[N], y: f32[N, D], z: f32[N, D]) {
    most = max(x);
    all = sum(x);
    y = x * 2;
    z = x - 1;
}
// ---- expect
//         if (valid) {
//             store_pack(y + row * D + col, y_pack);
//             store_pack(z + row * D + col, z_pack);
//         }
//     }
// --
//     if (valid && thread == 0) {
//         most[row] = max_1;
//         all[row] = sum_1;
//     }
// }
//     const dim3 block = D <= 1024 ? dim3(32, 8) : dim3(256);
//     rows_0<<<D <= 1024 ? ceil_div(N, 8) : N, block, 0, stream>>>(
//         (const float *)x, (float *)most, (float *)all, (float *)y, (float *)z, N, D);
//     return cudaGetLastError();
