// run: fusec %s --target=c --keep %t -o /dev/null
// run: ls %t
// The source that is kept has the suffix of its target.
fn f[N](x: f32[N]) -> (y: f32[N]) { y = exp(x); }
// ---- expect
// keep_c.ast
// keep_c.c
// keep_c.graph
// keep_c.kernel
// keep_c.plan
// keep_c.plan.json
