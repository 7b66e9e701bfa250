// Files that use wgmma say so where they are compiled for another architecture; others do not.
// run: fusec %s --target=cuda --arch=sm_90a -D M=4096 -D N=4096 -D K=4096 -o %t.cu
// run: grep -A2 __CUDA_ARCH_FEAT_SM90_ALL %t.cu
// run: fusec %s --target=cuda --arch=sm_80 -D M=4096 -D N=4096 -D K=4096 -o %t.cu
// run: grep -c __CUDA_ARCH_FEAT_SM90_ALL %t.cu
// exit: 1
fn f[M, N, K](a: bf16[M, K], b: bf16[K, N]) -> (c: bf16[M, N]) { c = a @ b; }
// ---- expect
// #if defined __CUDA_ARCH__ && !defined __CUDA_ARCH_FEAT_SM90_ALL
// #error "this file is for sm_90a alone: -gencode=arch=compute_90a,code=sm_90a"
// #endif
// 0
