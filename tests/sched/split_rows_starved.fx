// The norm of a gradient that clips it. As one kernel a full reduction has 8 blocks of a GPU, each on a
// multiprocessor of its own; chunks of it read memory at its full rate. Rows of 65536 are read in
// less time than the further launches take. Neighbouring axes are one where neither has enough divisors.
// run: fusec explain %s --target=cuda --arch=sm_90a -o %t.txt
// run: grep -E "^(fn|kernel)" %t.txt
fn clip(g: f32[4194304], most: f32) -> (y: f32[4194304]) {
    y = g * min(1, most / sqrt(sum(g * g)));
}

fn clip_matrix(g: bf16[50257, 768], most: f32) -> (y: bf16[50257, 768]) {
    y = g * min(1, most / sqrt(sum(g * g, axis = [0, 1])));
}

fn norm(x: f32[1, 65536]) -> (y: f32[1, 65536]) {
    y = x * rsqrt(mean(x * x, keep = true));
}

fn standard(x: f32[4, 1048576]) -> (y: f32[4, 1048576]) {
    y = (x - mean(x, keep = true)) * rsqrt(var(x, keep = true));
}
// ---- expect
// fn clip at -O2: 7 ops in 3 kernels
// kernel clip_0: row over [1024, 4096] along 4096
// kernel clip_1: row over [1024] along 1024
// kernel clip_2: pointwise over [4194304]
// fn clip_matrix at -O2: 8 ops in 3 kernels
// kernel clip_matrix_0: row over [928, 41592] along 41592
// kernel clip_matrix_1: row over [928] along 928
// kernel clip_matrix_2: pointwise over [50257, 768]
// fn norm at -O2: 5 ops in 1 kernel
// kernel norm_0: row over [65536] along 65536
// fn standard at -O2: 21 ops in 3 kernels
// kernel standard_0: row over [4, 771, 1360] along 1360
// kernel standard_1: row over [4, 787] along 787
// kernel standard_2: pointwise over [4, 1048576]
