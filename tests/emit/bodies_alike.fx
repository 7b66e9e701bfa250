// Tensors of other sizes that are computed alike share a function, which is told how many elements there
// are; what calls another function, log instead of exp, has one of its own.
// run: fusec %s --target=cuda --no-test -o %t.cu
// run: grep -E -A 1 "^DEVICE void alike_0|alike_0_[a-z]<4>" %t.cu
fn alike[N, M](a: f32[N, N], b: f32[M, N], c: f32[M, M], rate: f32)
    -> (x: f32[N, N], y: f32[M, N], z: f32[M, M]) {
    x = exp(a) * rate;
    y = exp(b) * rate;
    z = log(c) * rate;
}
// ---- expect
// DEVICE void alike_0_a(const float *__restrict__ a, const float *__restrict__ rate,
//                       float *__restrict__ x, idx count, idx block) {
// --
// DEVICE void alike_0_b(const float *__restrict__ c, const float *__restrict__ rate,
//                       float *__restrict__ z, idx count, idx block) {
// --
//             alike_0_a<4>(a, rate, x, N*N, block);
//             return;
// --
//             alike_0_a<4>(b, rate, y, N*M, block);
//             return;
// --
//         alike_0_b<4>(c, rate, z, M*M, block);
//         return;
