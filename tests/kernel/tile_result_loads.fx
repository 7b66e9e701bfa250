// Several loads of each element of a product's result: four vectors of them are in flight in a strip
// of 64 columns, beside the sums of 128 columns instead of 192. So are those of one load over a short k,
// and not over a long one.
// run: fusec %s --arch=sm_90a -o %t.cu
// run: grep -E "tile_n = |strip_n = " %t.cu
fn gates(dy: bf16[8192, 2048], w: bf16[2048, 6144], a: bf16[8192, 6144], b: bf16[8192, 6144])
    -> (y: bf16[8192, 6144]) {
    y = (dy @ w) * a + b;
}

fn added(dy: bf16[8192, 2048], w: bf16[2048, 6144], a: bf16[8192, 6144]) -> (y: bf16[8192, 6144]) {
    y = (dy @ w) * a;
}

fn added_late(dy: bf16[8192, 8192], w: bf16[8192, 6144], a: bf16[8192, 6144]) -> (y: bf16[8192, 6144]) {
    y = (dy @ w) * a;
}
// ---- expect
//     constexpr int tile_m = 128, tile_n = 128, tile_k = 64;
//     constexpr int stages = 5, group = 16, strip_n = 64, pitch = 72;
//     constexpr int tile_m = 128, tile_n = 192, tile_k = 64;
//     constexpr int stages = 4, group = 16, strip_n = 64, pitch = 72;
//     constexpr int tile_m = 128, tile_n = 192, tile_k = 64;
//     constexpr int stages = 5, group = 16, strip_n = 32, pitch = 40;
