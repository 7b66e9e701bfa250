// run: fusec %s -Wperf --target cuda -o %t.cu
// run: fusec %s -Wperf --target cuda -D D=320 -o %t.cu
// run: fusec %s -Wperf --target cuda -D D=64 -o %t.cu
// run: fusec %s -Wperf --target cuda -D D=64 --arch sm_75 -o %t.cu
// run: fusec %s -Wperf -D D=320 -o %t.c
// Operands that tensor cores multiply, but sizes or a GPU that they do not.
fn attend[N, D](q: bf16[N, D], k: bf16[N, D], v: bf16[N, 32]) -> (o: bf16[N, 32]) {
    o = softmax(q @ k.T) as bf16 @ v;
}
// ---- expect
// remark_attention.fx:8:9: remark: attention without tensor cores: its depth, D, is open, not a number up to 256
//       o = softmax(q @ k.T) as bf16 @ v;
//           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
// remark_attention.fx:8:9: remark: attention without tensor cores: its depth, 320, is more than 256
//       o = softmax(q @ k.T) as bf16 @ v;
//           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
// remark_attention.fx:8:9: remark: attention without tensor cores: they need sm_80 or later, and this is sm_75
//       o = softmax(q @ k.T) as bf16 @ v;
//           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
