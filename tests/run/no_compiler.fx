// run: env CC=no-such-compiler fusec run %s -D N=4
// exit: 3
fn f[N](x: f32[N]) -> (y: f32[N]) { y = exp(x); }
// ---- expect
// fusec: remark: random inputs, seed 0: x
// fusec: error: the C compiler cannot be run: no-such-compiler: No such file or directory; install gcc or clang, or set CC
// no-such-compiler -O3 -shared -fPIC -march=native -mprefer-vector-width=512 -ffp-contract=fast -fopenmp -o /tmp/fusec-zOh7Nl/fusec.so /tmp/fusec-zOh7Nl/fusec.c -lm
