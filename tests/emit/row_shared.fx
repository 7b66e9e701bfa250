// What a row keeps takes all shared memory of a block without opting in; threads exchange more.
// run: fusec %s --target=cuda --tile keep=shared,threads=256,row_threads=256 -o %t.cu
// run: grep -E "_shared = |if .*allow_shared|<<<" %t.cu
fn softmax_rows[N](x: bf16[N, 8192]) -> (y: bf16[N, 8192]) {
    y = softmax(x);
}
// ---- expect
// constexpr int softmax_rows_0_shared = 49168;
//     if ((status = allow_shared(softmax_rows_0, softmax_rows_0_shared))) return status;
//     softmax_rows_0<<<N, 256, softmax_rows_0_shared, stream>>>((const bf16 *)x, (bf16 *)y, N);
