// Packs that no element of is computed are stored as they were loaded, or summed: nothing is
// converted to f32 and back. An i8 that is widened is another pack. A guard of the launcher says what
// is wrong.
// run: fusec %s --fn=rows --no-test -o %t.cu
// run: grep -E "store_pack\(|[a-z]_pack|from_bf16\(x|return 1;" %t.cu
// run: fusec %s --fn=turned --no-test -o %t.cu
// run: grep -E "y_pack.at" %t.cu
// run: fusec %s --fn=sums --no-test -o %t.cu
// run: grep -E "store_pack\(y|start \+=" %t.cu
// run: fusec %s --fn=product --arch=sm_80 --no-test -o %t.cu
// run: grep -E "store_pack\(c|products =|stage_bytes =" %t.cu
// run: fusec %s --fn=widened --no-test -o %t.cu
// run: grep -E "store_pack\([yz]|_pack.at" %t.cu
fn rows[N, M, D](x: bf16[N, M, D]) -> (y: bf16[M, N, D], z: bf16[N, M-2, D]) {
    y = permute(x, 1, 0, 2);
    z = x[:, 1:-1];
}

fn turned[N, D](x: bf16[N, D]) -> (y: bf16[D, N]) { y = x.T; }

fn sums[N](x: f32[N, 64]) -> (y: f32[N, 64]) { y = cumsum(x); }

fn widened[N](x: i8[N], m: u8[N]) -> (y: i32[N], z: i32[N]) {
    y = x;
    z = m as i32;
}

fn product[M, N, K](a: bf16[M, K], b: bf16[N, K]) -> (c: f32[M, N]) { c = a @ b.T; }
// ---- expect
// /* One vector load; p must be aligned to the size of the pack: load_pack<8>(x + 8 * i). */
// template <int N, class T> DEVICE Pack<T, N> load_pack(const T *p) {
// template <int N, class T> DEVICE void store_pack(T *p, const Pack<T, N> &pack) {
//         x_items[item] = load_pack<VEC>(x + i1 * M*D + i0 * D + i2);
//         if (valid) store_pack(y + flat, x_items[item]);
//         x_items[item] = load_pack<VEC>(x + i0 * M*D + i1 + D);
//         if (valid) store_pack(z + flat, x_items[item]);
//     if (N < 1) return 1;
//     if (M < 1) return 1;
//     if (D < 1) return 1;
//     if (1 > M - 2) return 1; /* size */
//                 y_pack.at[l] = x_tile.at(col, row, l);
//         if (valid) store_pack(y + row * 64 + col, cumsum_items[item]);
//     constexpr int products = 1; /* right operands that share the left one */
//     constexpr int stage_bytes = a_bytes + products * b_bytes;
//                 store_pack(c + at_m * N + at_n, matmul_pack);
//                 store_pack(c + at_m * N + at_n, matmul_pack);
//             y_pack.at[l] = x_items[item].at[l];
//         if (valid) store_pack(y + flat, y_pack);
//             z_pack.at[l] = m_items[item].at[l];
//         if (valid) store_pack(z + flat, z_pack);
