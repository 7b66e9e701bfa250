// Limits on what comes out: each is kept by one run and exceeded by another.
// run: fusec %s -O0 --limit kernels=2 --emit=plan
// exit: 1
// run: fusec %s -O0 --limit kernels=3 -o %t.c
// run: fusec %s --limit emitted_bytes=400 -o %t.c
// exit: 1
// run: fusec %s --limit emitted_bytes=400000 -o %t.c
// run: fusec %s --limit elements=59 -D N=60 -o %t.c
// exit: 1
// run: fusec %s --limit elements=60 -D N=60 -o %t.c
// run: fusec %s --limit nodes=3 -o %t.c
// exit: 1
// run: fusec %s --limit nodes=4 -o %t.c
fn f[N](x: f32[N]) -> (y: f32[N]) {
    y = tanh(exp(x) * x);
}
// ---- expect
