// @strict divides before the product, as written.
// run: fusec run %s --check -D S=70 -D D=8
@strict
fn strict[S, D](q: f32[S, D], k: f32[S, D], v: f32[S, D]) -> (o: f32[S, D]) {
    o = softmax(q @ k.T) @ v;
}
