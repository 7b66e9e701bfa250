// What stays a kernel of its own after a contraction: columns and open rows, rows that are longer
// than a tile, running sums, and rows of a part that vectors cross.
// run: fusec %s --target=c --emit=plan -D M=50 --fn columns
// run: fusec %s --target=c --emit=plan --fn unknown
// run: fusec %s --target=c --emit=plan --fn long
// run: fusec %s --target=c --emit=plan --fn scan
// run: fusec %s --target=c --emit=plan --fn parts
// run: fusec run %s --check -D M=50 --fn columns > checks
// run: fusec run %s --check -D N=7 --fn unknown > checks
// run: fusec run %s --check --fn scan > checks
// run: fusec run %s --check --fn parts > checks
fn columns[M](x: f32[M, 8], w: f32[16, 8]) -> (y: f32[M, 16]) {
    y = softmax(x @ w.T, axis = 0);
}
fn unknown[N](x: f32[20, 8], w: f32[N, 8]) -> (y: f32[20, N]) {
    y = softmax(x @ w.T);
}
fn long(x: f32[20, 8], w: f32[5000, 8]) -> (y: f32[20, 5000]) {
    y = softmax(x @ w.T);
}
fn scan(x: f32[20, 8], w: f32[16, 8]) -> (y: f32[20, 16]) {
    y = cumsum(x @ w.T, axis = 1);
}
fn parts(x: f32[20, 8], w: f32[3, 5, 8]) -> (y: f32[20, 3, 5]) {
    y = softmax(einsum("mk,hdk->mhd", x, w));
}
