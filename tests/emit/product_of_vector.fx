// One column of results is no loop over lanes that could go unused.
// run: fusec %s -o %t.c
// run: cc -Wall -Wextra -Werror -fopenmp -fsyntax-only %t.c
fn product[N, K](x: f32[N, K], v: f32[K]) -> (y: f32[N]) {
    y = x @ v + 1;
}
