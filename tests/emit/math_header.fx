// <math.h> takes as long to parse as a small kernel to compile: files that call none of its functions do
// not include it. What comments mention is no call.
// run: fusec %s --fn softmax_rows --target=c --no-test -o %t.c
// run: grep "define INFINITY\|include <math.h>\|^/. softmax_rows_0:" %t.c
// run: fusec %s --fn gamma_of --target=c --no-test -o %t.c
// run: grep "include <math.h>" %t.c
fn softmax_rows[N, D](x: f32[N, D]) -> (y: f32[N, D]) { y = softmax(x); }
fn gamma_of[N](x: f64[N]) -> (y: f64[N]) { y = exp(x); }
// ---- expect
// #define INFINITY __builtin_inff() /* as of <math.h>, which takes as long to compile as a loop */
// /* softmax_rows_0: max, eq, where, sub, exp, sum, div, mul; N rows of D */
// #include <math.h>
