// run: env CC=no-such-compiler fusec run %s -D N=4 --device=cpu
// exit: 3
fn f[N](x: f32[N]) -> (y: f32[N]) { y = exp(x); }
