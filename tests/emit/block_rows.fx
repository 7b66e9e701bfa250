// Short rows that packs do not divide are copied to and from shared memory; rows of whole packs, and few rows, are not.
// run: fusec %s --arch=sm_90a --no-test -o %t.cu
// run: grep -E "^ +copy_block" %t.cu
fn odd(x: bf16[100000, 33]) -> (y: bf16[100000, 33]) { y = softmax(x); }

fn of_two(x: bf16[65536, 15], r: f32[65536, 15]) -> (y: f32[65536, 15], z: bf16[65536, 15]) {
    z = x * r;
    y = x - max(x * r, keep = true);
}

fn even(x: bf16[100000, 32]) -> (y: bf16[100000, 32]) { y = softmax(x); }

fn few(x: bf16[1000, 33]) -> (y: bf16[1000, 33]) { y = softmax(x); }
// ---- expect
//     copy_block<32 * 33>(x_rows, x + block_row * 33, (100000 - block_row) * 33);
//     copy_block<32 * 33>(y + block_row * 33, y_rows, (100000 - block_row) * 33);
//     copy_block<32 * 15>(x_rows, x + block_row * 15, (65536 - block_row) * 15);
//     copy_block<32 * 15>(z + block_row * 15, z_rows, (65536 - block_row) * 15);
