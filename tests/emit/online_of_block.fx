// The threads of a row exchange maximum and sum of an online softmax with one barrier; so do the blocks of a
// cluster.
// run: fusec %s --target=cuda --arch=sm_90a -o %t.cu
// run: grep -E "(block|cluster)_online<[0-9, ]*>\(" %t.cu
fn of_blocks(x: bf16[4096, 16384]) -> (y: f32[4096]) { y = logsumexp(x as f32); }
fn of_clusters(x: bf16[512, 131072]) -> (y: bf16[512, 131072]) { y = softmax(x); }
// ---- expect
//     block_online<0>(max_1, exp_sum);
//     cluster_online<0, 8, 4>(max_1, exp_sum);
