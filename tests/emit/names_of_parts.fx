// A function does not have the name of what is declared beside a kernel of another: the constant for its shared memory.
// run: fusec %s --target=cuda -o %t.cu
// run: grep -E "constexpr int gemm|C. int gemms?_?[0-9a-z_]*[(]" %t.cu
fn gemm[M](x: f32[M, 200], w: f32[200, 200]) -> (y: f32[M, 200]) { y = x @ w; }
fn gemm_0_shared[M](x: f32[M, 100]) -> (y: f32[M, 100]) { y = x * 2; }
fn gemms_0_shared[M](x: f32[M, 100]) -> (y: f32[M, 100]) { y = x * 3; }
fn gemms[M](x: f32[M, 100], w: f32[100, 100]) -> (y: f32[M, 100]) { y = x @ w; }
// ---- expect
// names_of_parts.fx:5:4: warning: function 'gemm_0_shared' is emitted as 'gemm_0_shared_': another function, or what is declared beside it, has that name
//   fn gemm_0_shared[M](x: f32[M, 100]) -> (y: f32[M, 100]) { y = x * 2; }
//      ^~~~~~~~~~~~~
// names_of_parts.fx:7:4: warning: function 'gemms' is emitted as 'gemms_': another function, or what is declared beside it, has that name
//   fn gemms[M](x: f32[M, 100], w: f32[100, 100]) -> (y: f32[M, 100]) { y = x @ w; }
//      ^~~~~
// constexpr int gemm_0_shared = 25344;
// extern "C" int gemm(const void *x, const void *w, void *y, long long M, void *workspace,
// extern "C" int gemm_0_shared_(const void *x, void *y, long long M, void *workspace,
// extern "C" int gemms_0_shared(const void *x, void *y, long long M, void *workspace,
// constexpr int gemms__0_shared = 25344;
// extern "C" int gemms_(const void *x, const void *w, void *y, long long M, void *workspace,
