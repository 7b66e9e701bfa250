// A scatter of many indices and @max_kernels: neither its sort nor its sums are cut into steps.
// run: fusec explain %s --arch=sm_90a -o %t.txt
// run: grep ^kernel %t.txt
@max_kernels(2)
fn many(i: i32[60000], x: f32[60000]) -> (y: f32[20000]) { y = scatter(full(0.0, 20000), i, x); }
@max_kernels(2)
fn few(i: i32[60000], x: f32[60000]) -> (y: f32[20]) { y = scatter(full(0.0, 20), i, x); }
@max_kernels(2)
fn counted(i: i32[60000]) -> (n: i32[20000]) { n = scatter(full(0, 20000), i, 1); }
// ---- expect
// kernel many_0: segments over [60000]
// kernel many_1: pointwise over [20000]
// kernel few_0: segments over [60000]
// kernel few_1: pointwise over [20]
// kernel counted_0: segments over [60000]
// kernel counted_1: row over [14, 20000] along 14
