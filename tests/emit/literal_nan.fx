// NVRTC has no NAN. Of the types that are in memory only, an emitted file has those that it uses.
// run: fusec %s --no-test -o %t.cu
// run: grep "NAN\|^typedef\|^struct" %t.cu
fn root[N](x: f16[N]) -> (y: f32[N]) {
    y = where(x < 0, nan, sqrt(x));
}
// ---- expect
// typedef long long idx;
// struct f16 { unsigned short bits; }; /* in memory only: computed as float */
// #ifndef NAN /* NVRTC has none */
// #define NAN __int_as_float(0x7fffffff)
//             y_pack.at[l] = x_1 < 0.0f ? NAN : sqrt(x_1);
