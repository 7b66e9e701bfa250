// A block exchanges all sums of a stage at once. Each call has memory of its own; where a row of a
// chunk has one call alone, a barrier separates it from that of the row before.
// run: fusec %s --arch=sm_90a -o %t.cu
// run: grep -E "stage|block_reduce<Sum|the row before" %t.cu
fn layer[N](x: f32[N, 4096], gain: f32[4096], bias: f32[4096]) -> (y: f32[N, 4096]) {
    y = layer_norm(x, gain, bias);
}
fn layer_bwd = vjp(layer);

fn root[N](x: f32[N, 4096], gain: f32[4096]) -> (y: f32[N, 4096]) {
    y = rms_norm(x, gain);
}
fn root_bwd = vjp(root);
// ---- expect
//     // stage 1 of 3: sum
//     block_reduce<Sum, 0>(sum_1);
//     // stage 2 of 3: sum
//     block_reduce<Sum, 1>(squares);
//     // stage 3 of 3: y
//         // stage 1 of 3: sum, sum, sum_parts2
//         block_reduce<Sum, 0>(sum_1, sum_2);
//         // stage 2 of 3: sum, sum
//         block_reduce<Sum, 1>(sum_3, sum_4);
//         // stage 3 of 3: dx, sum_parts
//     // stage 1 of 2: sum
//     block_reduce<Sum, 0>(squares);
//     // stage 2 of 2: y
//         __syncthreads(); /* block_reduce's memory may still be read for the row before */
//         // stage 1 of 2: sum, sum
//         block_reduce<Sum, 0>(sum_1, sum_2);
//         // stage 2 of 2: dx, sum_parts
