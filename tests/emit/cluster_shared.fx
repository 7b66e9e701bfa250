// A block's part of a row takes all of the shared memory that blocks have by default, and the exchange with
// others a bit more: the kernel asks for it.
// run: fusec %s --target=cuda --arch=sm_90a -o %t.cu
// run: grep -E "SharedMemorySize|<<<" %t.cu
fn f(x: f32[100, 98304]) -> (y: f32[100, 98304]) { y = softmax(x); }
// ---- expect
//                                   cudaFuncAttributeMaxDynamicSharedMemorySize, 49168);
//     f_0<<<100 * 8, 256, 49168, stream>>>((const float *)x, (float *)y);
