// Where erf and tanh are only read as the y of h + h * y, their errors count beside 1; elsewhere small results are
// as exact as large ones.
// run: fusec %s -o %t.cu
// run: grep -E " (erf|tanh)(_of|_beside_one)|[^a-z_](erf|tanh)(_of|_beside_one)\(" %t.cu
fn f[N](x: f32[N], z: bf16[N], w: f64[N]) -> (a: f32[N], b: bf16[N], c: f32[N], d: f32[N], e: f32[N], i: f64[N]) {
    a = gelu(x);
    b = gelu_tanh(z);
    h = 3 * x;
    c = h + h * erf(z as f32);
    y = erf(-x);
    d = x + x * y;
    e = y;
    i = gelu(w);
}
// ---- expect
// DEVICE float tanh_beside_one(float x) { /* error: 2.5 * 2**-24 */
// DEVICE float erf_of(float x) { /* ulp: 2.3 */
// DEVICE double erf_of(double x) { return erf(x); }
// DEVICE float erf_beside_one(float x) { /* error: 5 * 2**-24 */
//             const float a_1 = half_1 + erf_beside_one(x_items[item].at[l] * 0.70710677f) * half_1;
//                 tanh_beside_one((z_1 + z_1 * (z_1 * z_1) * 0.044715f) * 0.7978846f);
//             const float y = erf_of(-x_items[item].at[l]);
//             c_pack.at[l] = h + h * erf_beside_one(z_1);
//             i_pack.at[l] = half_1 + erf_of(w_items[item].at[l] * 0.7071067811865476) * half_1;
