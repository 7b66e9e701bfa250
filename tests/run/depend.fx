// run: fusec %s -o %t.json -MD
// run: cat %t.d
// run: fusec %s -o %t.json -MD -MF rule
// run: cat rule
// run: cp %s "a b$c.fx"
// run: fusec "a b$c.fx" -o "x y.json" -MD
// run: cat "x y.d"
fn f[N](x: f32[N]) -> (y: f32[N]) { y = exp(x); }
// ---- expect
// out.json: depend.fx
// out.json: depend.fx
// x\ y.json: a\ b$$c.fx
