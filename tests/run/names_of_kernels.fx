// Tensors and dims named as parts of the kernels of their function: in C, f_0_tile is a constant beside f_0.
// run: fusec run %s --check -D f_2_tile=33
// run: fusec run %s --check -D f_2_tile=8 -O0
fn f[f_2_tile](x: f32[f_2_tile, f_2_tile], f_0_pack_x: f32[f_2_tile, f_2_tile], f_0_a: f32[f_2_tile, f_2_tile], f_0_tile: f32[f_2_tile, f_2_tile], f_1_rows: f32[f_2_tile]) -> (y: f32[f_2_tile, f_2_tile], f_1_tile: f32[f_2_tile, f_2_tile]) {
    y = softmax(x @ f_0_pack_x) @ (f_0_a + f_1_rows) + f_0_tile;
    f_1_tile = exp(y @ x.T) @ f_0_tile;
}
