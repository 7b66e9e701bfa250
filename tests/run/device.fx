// needs: libcuda.so.1
// run: fusec run %s -D N=4 --device=cpu
// run: env FUSEC_CUDA_PATH=. fusec run %s -D N=4 --device=cuda
// exit: 3
// run: env FUSEC_CUDA_PATH=. fusec run %s -D N=4 --device=auto
// A driver that cannot be loaded: the libcuda.so.1 beside this file is text.
fn f[N](x: f32[N]) -> (y: f32[N]) { y = x + 1; }
// ---- expect
// y: f32[4]  mean 0.7442  max 1.839  checksum ed14c6657e7d6571
// fusec: remark: random inputs, seed 0: x
// fusec: error: dlopen: ./libcuda.so.1: invalid ELF header
// y: f32[4]  mean 0.7442  max 1.839  checksum ed14c6657e7d6571
// fusec: remark: random inputs, seed 0: x
