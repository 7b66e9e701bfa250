// Words of ragged rows, with columns about a page apart, are transposed by 8 columns of 8 rows, and what is
// left of a block in squares: blocks that are whole but for their ends, or smaller than a square; a
// view, reversed columns, a batch; vectors of each width.
// run: fusec run %s --fn turned --check -D A=131 -D C=1025 --tile stream=0 > checks
// run: fusec run %s --fn turned --check -D A=303 -D C=1022 --tile stream=0 --threads 2 > checks
// run: fusec run %s --fn turned --check -D A=9 -D C=1026 --tile stream=0 > checks
// run: fusec run %s --fn turned --check -D A=163 -D C=1027 --tile kind=transpose,m=16,n=16,stream=0 > checks
// run: fusec %s --fn turned --target=c -D A=131 -D C=1022 --tile stream=0 -o %t.c
// run: grep "cross_words(.*_tile" %t.c
// run: cc -O1 -march=x86-64 -DVL=16 -fopenmp -DFUSEC_MAIN -Wno-psabi %t.c -o %t -lm
// run: ./%t > checks
// run: cc -O1 -march=haswell -ffp-contract=fast -fopenmp -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t > checks
// run: cc -O1 -ffp-contract=fast -fopenmp -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t > checks
// run: fusec %s --fn alone --target=c --tile stream=0 -o %t.c
// run: cc -O1 -w -fsanitize=address -fno-omit-frame-pointer -fopenmp -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t > checks
fn turned[A, C](x: f32[A, C], i: i32[A, C], v: f32[2*A, C + 1], b: f32[A, 2, C])
    -> (t: f32[C, A], j: i32[C, A], s: f32[C, A], r: f32[C, A], p: f32[2, C, A]) {
    t = x.T;
    j = i.T;
    s = v[A:, 1:].T;
    r = flip(x, 0).T;
    p = permute(b, 1, 2, 0);
}

// 4 rows and columns are left, which is a vector of 4, and no 8: nothing beyond the end is read.
fn alone(x: f32[132, 1020]) -> (t: f32[1020, 132]) { t = x.T; }
// ---- expect
// fusec: remark: random inputs, seed 0: x, i, v, b
// fusec: remark: random inputs, seed 0: x, i, v, b
// fusec: remark: random inputs, seed 0: x, i, v, b
// fusec: remark: random inputs, seed 0: x, i, v, b
//                     cross_words(x_tile + row * 144 + col, 144, x + i1 * 1022 + i0, 1022);
//                     cross_words(x_tile_2 + row * 144 + col, 144, x + i0 - i1 * 1022 + 132860,
//                     cross_words(i_tile + row * 144 + col, 144, i_ + i1 * 1022 + i0, 1022);
//                     cross_words(v_tile + row * 144 + col, 144, v + i1 * 1023 + i0 + 134014, 1023);
//                     cross_words(b_tile + row * 144 + col, 144, b + i2 * 2044 + i3, 2044);
