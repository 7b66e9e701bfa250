// Where a system's compiler checks copies by default, those of vectors stay instructions.
// run: fusec %s -D N=70 --no-test -o %t.c
// run: cc -O2 -D_FORTIFY_SOURCE=2 -Wno-psabi -S %t.c -o %t.s
// run: grep -c _chk %t.s
// exit: 1
fn f[N](x: bf16[N, N]) -> (y: bf16[N, N]) {
    y = softmax(x);
}
// ---- expect
// 0
