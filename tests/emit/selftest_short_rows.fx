// The self-test of rows that are lanes: of bools, the loop over columns is unrolled from its start.
// run: fusec %s -o %t.c
// run: cc -DFUSEC_MAIN -O2 -Wall -Wextra -Werror -Wno-unknown-pragmas %t.c -o %t -lm
// run: ./%t N=7 > checks
fn rows[N](t: bool[N, 4], x: bf16[N, 7]) -> (any_of: bool[N, 4], most: i32[N], halves: bf16[N, 7]) {
    any_of = t && (max(t as i32, keep = true) > 0);
    most = max(t as i32);
    halves = softmax(x);
}
// ---- expect
