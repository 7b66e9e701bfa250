// Reductions of a product along its rows and other axes: along the rows in the kernel that multiplies, and then
// along the others; the product is not stored. Not if another kernel reads it, and not on a CPU.
// run: fusec %s --arch=sm_90a --emit=plan > plan
// run: grep -E "^(plan|kernel|  reads|  writes|  over)" plan
// run: fusec %s --fn loss --target=c --emit=plan > plan
// run: grep -E "^(plan|kernel|  reads|  writes|  over)" plan
fn largest(q: bf16[8, 1024, 128], k: bf16[8, 1024, 128]) -> (m: f32[8]) {
    s = (q @ k.T) * 0.1;
    m = max(where(iota(1024)[:, None] >= iota(1024), s, -inf), axis = [1, 2]);
}

fn loss(x: bf16[2048, 512], w: bf16[1024, 512], y: f32[2048, 1024]) -> (l: f32) { l = mean((x @ w.T - y) ** 2, axis = [0, 1]); }

fn stored(x: bf16[2048, 512], w: bf16[1024, 512]) -> (p: bf16[2048, 1024], l: f32) {
    p = x @ w.T;
    l = sum(p, axis = [0, 1]);
}
// ---- expect
// plan largest -O2
// kernel largest_0 dot
//   reads q k
//   writes max_parts_parts
//   over [8, 1024, 8, 128] along 128
// kernel largest_1 row
//   reads max_parts_parts
//   writes max_parts
//   over [8, 1024, 8] along 8
// kernel largest_2 row
//   reads max_parts
//   writes m
//   over [8, 1024] along 1024
// plan loss -O2
// kernel loss_0 dot
//   reads x w y
//   writes sum_parts_parts
//   over [2048, 8, 128] along 128
// kernel loss_1 row
//   reads sum_parts_parts
//   writes sum_parts
//   over [2048, 8] along 8
// kernel loss_2 row
//   reads sum_parts
//   writes l
//   over [2048] along 2048
// plan stored -O2
// kernel stored_0 dot
//   reads x w
//   writes p
//   over [2048, 1024]
// kernel stored_1 row
//   reads p
//   writes sum_parts
//   over [512, 4, 1024] along 4, 1024
// kernel stored_2 row
//   reads sum_parts
//   writes l
//   over [512] along 512
// plan loss -O2
// kernel loss_0 dot
//   reads x w y
//   writes mul_temp
//   over [2048, 1024]
// kernel loss_1 row
//   reads mul_temp
//   writes sum_parts
//   over [512, 4, 1024] along 4, 1024
// kernel loss_2 row
//   reads sum_parts
//   writes l
//   over [512] along 512
