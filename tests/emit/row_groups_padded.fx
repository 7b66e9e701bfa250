// Lanes of a group are a power of two, and those of a long one several items.
// run: fusec %s --fn odd --arch=sm_90a --no-test -o %t.cu
// run: grep -E "group_column|group_reduce<|each = |% 12" %t.cu
// run: fusec %s --fn long_groups --arch=sm_90a --no-test -o %t.cu
// run: grep -E "group_column|group_reduce<|each = |col %" %t.cu
fn odd(x: f32[1000, 10, 12]) -> (y: f32[1000, 10, 12], m: f32[1000, 10]) {
    y = x - mean(x, axis = [1, 2], keep = true);
    m = max(y);
}
fn long_groups(x: f32[1000, 4, 2048]) -> (y: f32[1000, 4, 2048], m: f32[1000, 4]) {
    y = x - mean(x, axis = [1, 2], keep = true);
    m = max(y);
}
// ---- expect
// template <int COLUMNS, int PADDED> DEVICE int group_column(int at) {
//         const int col = group_column<12, 16>((item * 8 + lane) * VEC);
//         const int col = group_column<12, 16>((item * 8 + lane) * VEC);
//         constexpr int each = (16 + 8 * VEC - 1) / (8 * VEC); /* items of a group */
//                 const int col = group_column<12, 16>((item * 8 + lane) * VEC);
//             max_1 = group_reduce<Max, 0, 16 / VEC, 8>(max_1);
//                 const int col = group_column<12, 16>((item * 8 + lane) * VEC);
//                     if (valid && col % 12 == 0) m[row * 10 + j0] = max_1;
//         constexpr int each = (2048 + 256 * VEC - 1) / (256 * VEC); /* items of a group */
//             max_1 = group_reduce<Max, 1, 2048 / VEC, 256>(max_1);
//                 if (col % 2048 == 0) m[row * 4 + j0] = max_1;
