// Tensors of one letter: the kernel that sorts the rows of a scatter has no variable of such a name, of which nvcc
// warns.
// run: fusec %s --target=cuda --no-test -o %t.cu
// run: grep -cE "(int|idx) [a-hm-z] = " %t.cu
// exit: 1
fn counted[N, V, D](r: i32[N], s: f32[N, D]) -> (y: f32[V, D]) {
    y = scatter(full(0.0, V, D), r, s);
}
// ---- expect
// 0
