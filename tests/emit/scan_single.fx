// Running sums of rows that cannot be moved in packs: warps transpose single elements in shared memory.
// Rows with too many of them for that go in steps.
// run: fusec %s --target=cuda --arch=sm_90a -D D=4099 -o %t.cu
// run: grep -E "(block|warp)_scan<.*carry" %t.cu
// run: fusec %s --target=cuda --arch=sm_90a -D D=515 -o %t.cu
// run: grep -E "(block|warp)_scan<.*carry" %t.cu
// run: fusec %s --target=cuda --arch=sm_90a -D D=16383 -o %t.cu
// run: grep -E "(block|warp)_scan<.*carry" %t.cu
fn sums[N, D](x: f32[N, D]) -> (y: f32[N, D]) {
    y = cumsum(x);
}
// ---- expect
//     block_scan<Sum, 16>(cumsum_items, carry);
//     block_scan<Sum, 2>(cumsum_items, carry);
//         block_scan<Sum, 16>(cumsum_items, carry);
