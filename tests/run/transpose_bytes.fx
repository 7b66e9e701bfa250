// Bytes are transposed in whole registers, and the rows of a block that are left in squares: blocks
// that are whole or ragged, smaller than a register, around the caches or not; rows at a distance of
// pages, a view, a batch, pointwise operations on both sides; vectors of each width.
// run: fusec run %s --fn turned --check -D A=131 -D C=133 > checks
// run: fusec run %s --fn turned --check -D A=256 -D C=192 --threads 2 > checks
// run: fusec run %s --fn turned --check -D A=63 -D C=65 --tile kind=transpose,m=16,n=32,stream=0 > checks
// run: fusec run %s --fn turned --check -D A=96 -D C=160 --tile kind=transpose,m=32,n=16 > checks
// run: fusec run %s --fn turned --check -D A=300 -D C=700 --tile kind=transpose,m=128,n=64,stream=0 > checks
// run: fusec run %s --fn pages --check > checks
// run: fusec %s --fn turned --target=c -D A=131 -D C=197 -o %t.c
// run: grep -c "cross_bytes(.*square" %t.c
// run: cc -Og -march=haswell -ffp-contract=fast -fopenmp -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t > checks
// run: cc -Og -Wall -Wextra -Werror -Wno-psabi -ffp-contract=fast -fopenmp -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t > checks
fn turned[A, C](i: i8[A, C], j: i8[A, C], u: u8[C, A], f: f8e4m3[A, 3, C], v: i8[2*A, C + 1],
                k: bool[A, C])
    -> (a: i8[C, A], b: f32[C, A], c: f8e4m3[3, C, A], d: i8[C, A], e: bool[C, A]) {
    a = max(i, j).T;
    b = (i.T as f32) * 0.5 + (u as f32);
    c = permute(f, 1, 2, 0);
    d = v[A:, 1:].T;
    e = k.T;
}
fn pages(x: i8[300, 4096], y: i8[4096, 300]) -> (t: i8[4096, 300], s: i8[300, 4096]) {
    t = x.T;
    s = y.T;
}
// ---- expect
// fusec: remark: random inputs, seed 0: i, j, u, f, v, k
// fusec: remark: random inputs, seed 0: i, j, u, f, v, k
// fusec: remark: random inputs, seed 0: i, j, u, f, v, k
// fusec: remark: random inputs, seed 0: i, j, u, f, v, k
// fusec: remark: random inputs, seed 0: i, j, u, f, v, k
// fusec: remark: random inputs, seed 0: x, y
// 5
