// Batch statistics of few channels: a cluster shares each, so that all multiprocessors have threads.
// run: fusec %s --target=cuda --arch=sm_90a -o %t.cu
// run: grep launch_bounds %t.cu
// run: fusec %s --target=cuda --arch=sm_80 -o %t.cu
// run: grep launch_bounds %t.cu
fn few(x: f32[256, 64, 64, 64]) -> (y: f32[64]) { y = mean(x, axis = [0, 2, 3]); }
fn more(x: f32[128, 128, 64, 64]) -> (y: f32[128]) { y = mean(x, axis = [0, 2, 3]); }
fn many(x: f32[64, 256, 64, 64]) -> (y: f32[256]) { y = mean(x, axis = [0, 2, 3]); }
// ---- expect
// extern "C" __global__ __cluster_dims__(4, 1, 1) __launch_bounds__(512)
// extern "C" __global__ __cluster_dims__(2, 1, 1) __launch_bounds__(512)
// extern "C" __global__ __launch_bounds__(512)
// extern "C" __global__ __launch_bounds__(512)
// extern "C" __global__ __launch_bounds__(512)
// extern "C" __global__ __launch_bounds__(512)
