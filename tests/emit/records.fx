// What an element of a row reads of neighbours in memory, such as the corners of a box, is one access
// where the tensor is aligned.
// run: fusec %s --fn boxes --target=cuda -o %t.cu
// run: grep "record\|is_aligned(b" %t.cu
// run: fusec %s --fn pairs --target=cuda -o %t.cu
// run: grep "record\|is_aligned(z" %t.cu
// run: fusec run %s --fn boxes --check > checks
// run: fusec run %s --fn pairs --check > checks
// run: fusec run %s --fn odd --check > checks
fn boxes(a: f32[70, 4], b: f32[50, 4]) -> (y: f32[70]) {
    w = min(a[:, None, 2], b[:, 2]) - max(a[:, None, 0], b[:, 0]);
    h = min(a[:, None, 3], b[:, 3]) - max(a[:, None, 1], b[:, 1]);
    y = max(relu(w) * relu(h));
}
fn pairs(z: bf16[9, 300, 2]) -> (y: f32[9]) { y = sum(z[..., 0] as f32 * z[..., 1]); }
fn odd(p: f32[40, 3]) -> (y: f32[2]) {
    y = sum(p[None, :, 0] * p[None, :, 2] - p[:2, None, 1]);
}
// ---- expect
// /* out.cu: made by fusec 0.1.0 from records.fx: fusec records.fx --fn boxes --target=cuda -o out.cu
//         const auto b_record = load_pack_if<4>(wide, b + col * 4);
//             max_nan(min_nan(a_1, b_record.at[2]) - max_nan(a_2, b_record.at[0]), 0.0f);
//             max_nan(min_nan(a_3, b_record.at[3]) - max_nan(a_4, b_record.at[1]), 0.0f);
//     if (is_aligned(b, 16)) {
// /* out.cu: made by fusec 0.1.0 from records.fx: fusec records.fx --fn pairs --target=cuda -o out.cu
//         const auto z_record = load_pack_if<2>(wide, z + row * 600 + col * 2);
//         const float z_1 = from_bf16(z_record.at[0]);
//         const float z_2 = from_bf16(z_record.at[1]);
//     if (is_aligned(z, 4)) {
// fusec: remark: random inputs, seed 0: a, b
// fusec: remark: random inputs, seed 0: z
// fusec: remark: random inputs, seed 0: p
