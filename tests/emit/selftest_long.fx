// A reference of very many nodes is left out.
// run: fusec %s -o %t.c
// run: cc -DFUSEC_MAIN -O1 -w %t.c -o %t -lm
// run: ./%t N=40
// run: grep -c "no reference" %t.c
// run: grep -c "^static void fx_reference" %t.c
// exit: 1
fn a(x: f32) -> (y: f32) { y = sin(x * 1.25 + 0.5); }
fn b(x: f32) -> (y: f32) { y = a(a(a(a(a(x))))); }
fn c(x: f32) -> (y: f32) { y = b(b(b(b(b(x))))); }
fn long[N](x: f32[N]) -> (y: f32) { y = c(c(c(c(c(c(x[0])))))) ; }
