// Sums along a short axis in front of a longer reduction, as of squared distances, are written out: one kernel of the
// longer one. So are products and softmaxes of few classes; a reduction that leaves the short axis is one for each element.
// run: fusec %s --arch=sm_90a --emit=plan > plan
// run: grep -E "^(plan|kernel|  reads|  writes|  over)" plan
fn nearest(a: f32[4096, 3], b: f32[2048, 3]) -> (d: f32[4096]) {
    d = min(sum((a[:, None] - b) ** 2), axis = 1);
}

fn classes(x: f32[100000, 4], t: i32[100000]) -> (l: f32) {
    l = mean(cross_entropy(x, t));
}

fn towards(a: f32[4096, 3], b: f32[2048, 3]) -> (d: f32[4096, 3]) {
    v = a[:, None] - b;
    d = sum(v * exp(-sum(v * v, keep = true)), axis = 1);
}

fn alone(a: f32[4096, 3]) -> (d: f32[4096]) {
    d = sum(a * a);
}
// ---- expect
// plan nearest -O2
// kernel nearest_0 row
//   reads a b
//   writes d
//   over [4096, 2048] along 2048
// plan classes -O2
// kernel classes_0 row
//   reads x t
//   writes sum_parts
//   over [20, 5000] along 5000
// kernel classes_1 row
//   reads sum_parts
//   writes l
//   over [20] along 20
// plan towards -O2
// kernel towards_0 row
//   reads a b
//   writes sum_temp sum_temp2 sum_temp3
//   over [4096, 2048] along 2048
// kernel towards_1 pointwise
//   reads sum_temp2 sum_temp3 sum_temp
//   writes where_temp
//   over [4096]
// kernel towards_2 pointwise
//   reads where_temp
//   writes d
//   over [4096, 3]
// plan alone -O2
// kernel alone_0 row
//   reads a
//   writes d
//   over [4096, 3] along 3
