// A block's part of a row takes all of the shared memory that blocks have by default, and the exchange with
// others a bit more: the kernel asks for it.
// run: fusec %s --target=cuda --arch=sm_90a -o %t.cu
// run: grep -E "_shared = |if .*allow_shared|<<<" %t.cu
fn f(x: f32[100, 98304]) -> (y: f32[100, 98304]) { y = softmax(x); }
// ---- expect
// constexpr int f_0_shared = 49168;
//     if ((status = allow_shared(f_0, f_0_shared))) return status;
//     f_0<<<100 * 8, 256, f_0_shared, stream>>>((const float *)x, (float *)y);
