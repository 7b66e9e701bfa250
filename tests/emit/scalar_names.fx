// Scalars that kernels are given have the names of the dims that they are made of, or what they are;
// the launcher computes them without tests of constant divisors. Long lists of variables go on below
// the first, and no line ends within the arguments of a template. A thread with a row of its own has
// no lanes.
// run: fusec %s --fn=ratio --no-test -o %t.cu
// run: grep -E "const (int|float) (count|N)" %t.cu
// run: fusec %s --fn=counts --no-test -o %t.cu
// run: grep -E "    const int (max|add|N).* = " %t.cu
// run: fusec %s --fn=product --arch=sm_90a --no-test -o %t.cu
// run: grep -A 1 "int stages = " %t.cu
// run: fusec %s --fn=narrow --no-test -o %t.cu
// run: grep -E "lane = |col = " %t.cu
fn ratio[N, D](x: f32[N, D]) -> (y: f32[N, D], m: f32[N]) {
    y = x * N;
    m = mean(x);
}

fn counts[E, N](i: i32[N], x: i32[N]) -> (c: i32[E]) { c = scatter(full(0, E), i, x); }

fn product[M, N, K](a: bf16[M, K], b: bf16[N, K]) -> (c: bf16[M, N]) { c = a @ b.T; }

fn narrow[N](x: f32[N, 5]) -> (y: f32[N]) { y = max(x); }
// ---- expect
//     const float N_f32 = (float)N;
//     const float count_1 = (float)D;
//         const int max_2 = max_nan(div, div_trunc(grouped_temp_items_2[item], max_1));
//     const int max_1 = fx_most((int32_t)(N + 1023) / 1024, 64);
//     const int N_i32 = (int32_t)N;
//     const int add_1 = fx_most((int32_t)(N + 1023) / 1024, 64) - 1;
//     constexpr int stages = 4, group = 16, strip_n = 32, pitch = 32, slice_n = 32, box_n = 64,
//             sets = 2;
//         const idx col = item;
