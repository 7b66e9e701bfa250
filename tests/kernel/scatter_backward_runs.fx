// run: fusec run %s --fn f --check -D V=11 -D D=20 -D N=9
// kernels: 2
// The cotangent of a table is a scatter, rounded once to the table's type.
fn forward[V, D, N](w: bf16[V, D], i: i32[N]) -> (y: f32[N, D]) {
    y = take(w, i, axis = 0) * 2;
}
fn f = vjp(forward);
