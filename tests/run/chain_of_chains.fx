// A score of one chain is a result of another: each product is in one kernel only.
// run: fusec run %s --fn backward --device=cpu --check -D A=1
// run: fusec run %s --fn backward --device=cpu --check -D A=2
// run: fusec run %s --fn backward --device=cpu --check -D A=7
fn forward[A](x: f32[A, 3, A], w: f32[A, A, 1], t: f32[A, 1, A]) -> (y: f32[3, A, 1]) {
    y = einsum("aik,akj->jai", sin(t @ w), t @ x.T);
}
fn backward = vjp(forward);
