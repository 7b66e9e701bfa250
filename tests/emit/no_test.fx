// With --no-test a file is its kernels and host functions alone.
// run: fusec %s --no-test -o %t.c
// run: fusec %s --no-test -o %t.cu
// run: fusec %s --no-test --arch=sm_90a -o %t.sm_90a.cu
// run: grep -ciE "main|reference|tests and times" %t.c %t.cu %t.sm_90a.cu
// exit: 1
// run: grep -h "Build" %t.c %t.cu
// run: cc -c %t.c
fn scale[N, D](x: bf16[N, D], s: f32[D]) -> (y: bf16[N, D]) {
    y = x * s;
}
// ---- expect
// out.c:0
// out.cu:0
// out.sm_90a.cu:0
//  * Build: cc -O3 -march=native -ffp-contract=fast -fopenmp. */
//  * Build for sm_80 or later: nvcc -O3 -arch=native, or NVRTC. */
