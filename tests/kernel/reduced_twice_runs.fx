// run: fusec run %s --check -D N=5 -D D=8
// run: fusec run %s --check -D N=3 -D D=65
// run: fusec run %s --check -D N=2 -D D=9000
// A reduction of what is the same for all elements of a row, the result of another one, comes after it.
fn f[N, D](x: f32[N, D]) -> (rows: f32[N, D], sums: f32[N], columns: f32[N, D], all: f32[N, D]) {
    row = broadcast(max(x, keep = true), N, D);
    rows = x - min(row, keep = true);
    sums = sum(row);
    column = broadcast(max(x, axis = 0), N, D);
    columns = x - min(column, axis = 0);
    all = x - sum(broadcast(max(x, axis = [0, 1], keep = true), N, D), axis = [0, 1]) / N;
}
