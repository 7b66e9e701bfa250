// Tensors that are named like variables of a transpose.
// run: fusec run %s --check -D M=70 -D N=71 > checks
fn f[M, N](left: i8[M, N], head: i8[M, N], spill: i8[M, N], next_row: i8[M, N], next_col: i8[M, N],
           square: i8[M, N], down: i8[M, N], bytes: i8[M, N], from: bf16[M, N], cols: bf16[M, N])
    -> (row: i8[N, M], to: i8[N, M], col: i8[N, M], rows: bf16[N, M], line: bf16[N, M]) {
    row = max(max(left, bytes), head).T;
    to = max(max(square, down), spill).T;
    col = max(next_row, next_col).T;
    rows = from.T;
    line = cols.T + from.T;
}
// ---- expect
// fusec: remark: random inputs, seed 0: left, head, spill, next_row, next_col, square, down, bytes, from, cols
