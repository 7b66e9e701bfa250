// run: fusec %s -o %t.c
// run: fusec %s -o %t.cu
// run: fusec %s --target=c -o %t.h
// run: fusec %s -o %t.so
// run: fusec %s -o %t.json
// run: fusec %s -o %t.dot
// run: fusec %s -o %t.anything --target=c
// run: fusec %s > on_stdout.cu
// run: fusec %s --target=c -o - > on_stdout.c
// run: fusec %s -o on_stdout.cu
// run: ls
// run: cc -DFUSEC_MAIN -fsyntax-only %t.c on_stdout.c
fn f[N](x: f32[N]) -> (y: f32[N]) { y = exp(x); }
// ---- expect
// on_stdout.c
// on_stdout.cu
// out.anything
// out.c
// out.cu
// out.dot
// out.h
// out.json
// out.so
// products.fx
