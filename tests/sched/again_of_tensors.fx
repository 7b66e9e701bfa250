// Gradients of several shapes are scaled, their norm is taken, and they are clipped: each kernel of these
// tensors, of several loop nests, too, computes the scaled values from those of f16 again.
// run: fusec %s --arch=sm_90a --emit=plan > plan
// run: grep -E "^(kernel|  reads|  writes|bytes|peak)" plan
fn f(a: f16[2048, 1024], b: f16[1024, 4096], inv: f32) -> (ya: f32[2048, 1024], yb: f32[1024, 4096], norm: f32) {
    ga = a * inv;
    gb = b * inv;
    norm = sqrt(sum(ga * ga, axis = [0, 1]) + sum(gb * gb, axis = [0, 1]));
    k = min(1 / (norm + 1e-6), 1);
    ya = ga * k;
    yb = gb * k;
}
// ---- expect
// kernel f_0 row
//   reads b inv
//   writes sum_parts
// kernel f_1 row
//   reads a inv
//   writes sum_parts2
// kernel f_2 row
//   reads sum_parts
//   writes sum_temp
// kernel f_3 row
//   reads sum_parts2 sum_temp
//   writes norm k
// kernel f_4 pointwise
//   reads a inv k b
//   writes ya yb
// peak 37754892
