// Chunks of several reduced axes are contiguous where each element is computed of those at its place in memory, and
// parts of one axis where a broadcast would be found by divisions.
// run: fusec explain %s --arch=sm_90a --machine=H200 --target=cuda > all
// run: grep -E "^kernel" all
fn flat(x: f32[88, 5572, 15, 2], y: bf16[88, 5572, 15, 2]) -> (s: f32) { s = sum(x * 2 + y, axis = [0, 1, 2, 3]); }
fn rows(x: f32[17, 3, 1190, 944]) -> (y: f32[17]) { y = max(x, axis = [1, 2, 3]); }
fn by_columns(x: f32[88, 5572, 30], b: f32[30]) -> (s: f32) { s = sum(x * b, axis = [0, 1, 2]); }
fn of_view(x: f32[5572, 88, 30]) -> (s: f32) { s = sum(permute(x, 1, 0, 2) ** 2, axis = [0, 1, 2]); }
// ---- expect
// kernel flat_0: row over [995, 14784] along 14784
// kernel flat_1: row over [995] along 995
// kernel rows_0: row over [17, 60, 56168] along 56168
// kernel rows_1: row over [17, 60] along 60
// kernel by_columns_0: row over [88, 796, 7, 30] along 88, 7, 30
// kernel by_columns_1: row over [796] along 796
// kernel of_view_0: row over [88, 796, 7, 30] along 88, 7, 30
// kernel of_view_1: row over [796] along 796
