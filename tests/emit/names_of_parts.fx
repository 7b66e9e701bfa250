// A function does not have the name of what is declared beside a kernel of another: the constant for its
// shared memory, or in C for its tile.
// run: fusec %s --target=cuda -o %t.cu
// run: fusec %s --target=c -o %t.c
// run: grep -oE "fx_tile gemm[a-z_0-9]*|^int gemm[a-z_0-9]*[(].*;" %t.c
// run: grep -E "constexpr int gemm|C. int gemms?_?[0-9a-z_]*[(]" %t.cu
fn gemm[M](x: f32[M, 200], w: f32[200, 200]) -> (y: f32[M, 200]) { y = x @ w; }
fn gemm_0_shared[M](x: f32[M, 100]) -> (y: f32[M, 100]) { y = x * 2; }
fn gemm_0_tile[M](x: f32[M, 100]) -> (y: f32[M, 100]) { y = x * 4; }
fn gemms_0_shared[M](x: f32[M, 100]) -> (y: f32[M, 100]) { y = x * 3; }
fn gemms[M](x: f32[M, 100], w: f32[100, 100]) -> (y: f32[M, 100]) { y = x @ w; }
// ---- expect
// names_of_parts.fx:8:4: warning: function 'gemm_0_shared' is emitted as 'gemm_0_shared_': another function, or what is declared beside it, has that name
//   fn gemm_0_shared[M](x: f32[M, 100]) -> (y: f32[M, 100]) { y = x * 2; }
//      ^~~~~~~~~~~~~
// names_of_parts.fx:9:4: warning: function 'gemm_0_tile' is emitted as 'gemm_0_tile_': another function, or what is declared beside it, has that name
//   fn gemm_0_tile[M](x: f32[M, 100]) -> (y: f32[M, 100]) { y = x * 4; }
//      ^~~~~~~~~~~
// names_of_parts.fx:11:4: warning: function 'gemms' is emitted as 'gemms_': another function, or what is declared beside it, has that name
//   fn gemms[M](x: f32[M, 100], w: f32[100, 100]) -> (y: f32[M, 100]) { y = x @ w; }
//      ^~~~~
// names_of_parts.fx:8:4: warning: function 'gemm_0_shared' is emitted as 'gemm_0_shared_': another function, or what is declared beside it, has that name
//   fn gemm_0_shared[M](x: f32[M, 100]) -> (y: f32[M, 100]) { y = x * 2; }
//      ^~~~~~~~~~~~~
// names_of_parts.fx:9:4: warning: function 'gemm_0_tile' is emitted as 'gemm_0_tile_': another function, or what is declared beside it, has that name
//   fn gemm_0_tile[M](x: f32[M, 100]) -> (y: f32[M, 100]) { y = x * 4; }
//      ^~~~~~~~~~~
// names_of_parts.fx:11:4: warning: function 'gemms' is emitted as 'gemms_': another function, or what is declared beside it, has that name
//   fn gemms[M](x: f32[M, 100], w: f32[100, 100]) -> (y: f32[M, 100]) { y = x @ w; }
//      ^~~~~
// fx_tile gemm_0_tile
// int gemm(const float *x, const float *w, float *y, int64_t M, void *workspace);
// int gemm_0_shared_(const float *x, float *y, int64_t M, void *workspace);
// int gemm_0_tile_(const float *x, float *y, int64_t M, void *workspace);
// int gemms_0_shared(const float *x, float *y, int64_t M, void *workspace);
// fx_tile gemms__0_tile
// int gemms_(const float *x, const float *w, float *y, int64_t M, void *workspace);
// constexpr int gemm_0_shared = 25344;
// extern "C" int gemm(const void *x, const void *w, void *y, long long M, void *workspace,
// extern "C" int gemm_0_shared_(const void *x, void *y, long long M, void *workspace,
// extern "C" int gemm_0_tile_(const void *x, void *y, long long M, void *workspace,
// extern "C" int gemms_0_shared(const void *x, void *y, long long M, void *workspace,
// constexpr int gemms__0_shared = 25344;
// extern "C" int gemms_(const void *x, const void *w, void *y, long long M, void *workspace,
