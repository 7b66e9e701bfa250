// Operands that tensor cores do not transpose, and those whose batch is innermost in memory, are copied so that k is
// innermost, if products are large enough, and an operand that is read twice once; a result whose batch would be
// innermost is permuted by a kernel of its own. Not of bf16, which tensor cores transpose, by fused multiply-adds, or
// of attentions.
// run: fusec %s --emit=plan --arch=sm_90a > all
// run: grep -E "^kernel|^    .*matmul|permute.* ->" all
@precision(tf32)
fn right(a: f32[512, 512], b: f32[512, 1024]) -> (y: f32[512, 1024]) { y = a @ b; }
@precision(tf32x3)
fn both(a: f32[4096, 512]) -> (y: f32[512, 512]) { z = a - 1; y = z.T @ z; }
fn integers(a: i8[2048, 2048], b: i8[2048, 2048]) -> (y: i32[2048, 2048]) { y = a @ b; }
@precision(tf32)
fn small(a: f32[128, 128], b: f32[128, 128]) -> (y: f32[128, 128]) { y = a @ b; }
fn halves(a: bf16[512, 512], b: bf16[512, 1024]) -> (y: bf16[512, 1024]) { y = a @ b; }
fn exact(a: f32[512, 512], b: f32[512, 1024]) -> (y: f32[512, 1024]) { y = a @ b; }
fn triangle(l: bf16[256, 256, 64], r: bf16[256, 256, 64]) -> (y: bf16[256, 256, 64]) { y = einsum("ikc,jkc->ijc", l, r); }
@precision(tf32)
fn attended(q: f32[16, 512, 64], k: f32[16, 64, 512], v: f32[16, 512, 64]) -> (y: f32[16, 512, 64]) { y = softmax(q @ k) @ v; }
// ---- expect
// kernel right_0 pointwise
//     %3 permute f32[1024, 512] -> permute_temp
// kernel right_1 dot
//     %4 matmul f32[512, 1024] -> y
// kernel both_0 pointwise
//     %6 permute f32[512, 4096] -> permute_temp
// kernel both_1 dot
//     %9 matmul f32[4, 512, 512] -> y_parts
// kernel both_2 pointwise
// kernel integers_0 pointwise
//     %3 permute i8[2048, 2048] -> permute_temp
// kernel integers_1 dot
//     %4 matmul i32[2048, 2048] -> y
// kernel small_0 dot
//     %4 matmul f32[128, 128] -> y
// kernel halves_0 dot
//     %4 matmul f32[512, 1024]
// kernel exact_0 dot
//     %4 matmul f32[512, 1024] -> y
// kernel triangle_0 pointwise
//     %3 permute bf16[64, 256, 256] -> permute_temp
// kernel triangle_1 pointwise
//     %4 permute bf16[64, 256, 256] -> permute_temp2
// kernel triangle_2 dot
//     %5 matmul f32[64, 256, 256]
//     %7 permute bf16[64, 256, 256] -> permute_temp3
// kernel triangle_3 pointwise
//     %8 permute bf16[256, 256, 64] -> y
// kernel attended_0 attention
//     %9 matmul f32[16, 2, 512, 512]
//     %88 matmul f32[16, 2, 512, 64] -> partial_out
// kernel attended_1 row
