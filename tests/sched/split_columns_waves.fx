// Columns of a length with few divisors: 15 chunks of 129 blocks fill 8 waves of an H200, instead of 5,
// whose third wave would be half empty.
// run: fusec %s --target=cuda --arch=sm_90a -o %t.cu
// run: grep "<<<" %t.cu
fn sums(x: f32[65535, 4099]) -> (y: f32[4099]) { y = sum(x, axis = 0); }
// ---- expect
//     sums_0<<<1922, 1024, 0, stream>>>((const float *)x, sum_parts);
//     sums_1<<<129, 128, 0, stream>>>((float *)y, sum_parts);
