// The self-test sees a wrong literal, a row that is not written and an element too few.
// run: fusec %s -o %t.c
// run: cc -DFUSEC_MAIN -O1 -w %t.c -o %t -lm
// run: ./%t N=40 D=37
// run: sed s/0.4375f/0.4376f/ %t.c > wrong.c
// run: cc -DFUSEC_MAIN -O1 -w wrong.c -o wrong -lm
// run: ./wrong N=40 D=37
// exit: 1
// run: sed "s/i0 < N;/i0 < N - 1;/" %t.c > wrong.c
// run: cc -DFUSEC_MAIN -O1 -w wrong.c -o wrong -lm
// run: ./wrong N=40 D=37
// exit: 1
// run: sed "s/i1 < D;/i1 < D - 1;/" %t.c > wrong.c
// run: cc -DFUSEC_MAIN -O1 -w wrong.c -o wrong -lm
// run: ./wrong N=40 D=49
// exit: 1
fn scaled[N, D](x: f32[N, D]) -> (y: f32[N, D]) {
    y = x * 0.4375 / sum(abs(x), keep = true);
}
