// Products of 15 to 128 rows of bf16 pack each panel of a right operand that is contiguous along k
// when they multiply it: whole squares and their ends, last panels of few columns, several blocks of
// k, epilogues, batches; and processors without pairs, which pack all panels first.
// run: fusec run %s --fn product --check -D M=33 -D N=300 -D K=777 > checks
// run: fusec run %s --fn product --check -D M=15 -D N=257 -D K=258 > checks
// run: fusec run %s --fn product --check -D M=97 -D N=290 -D K=2080 > checks
// run: fusec run %s --fn product --check -D M=128 -D N=320 -D K=1025 > checks
// run: fusec run %s --fn rows --check -D M=37 -D N=333 -D K=1300 > checks
// run: fusec run %s --fn batch --check -D M=44 -D N=288 -D K=300 > checks
// run: fusec %s --fn product --target=c -D M=33 -D N=300 -D K=777 -o %t.c
// run: grep -q 'tile_sums_along_bf16(k_end' %t.c
// run: cc -Og -march=haswell -ffp-contract=fast -fopenmp -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t > checks
fn product[M, N, K](a: bf16[M, K], b: bf16[N, K]) -> (y: bf16[M, N]) { y = a @ b.T; }

fn rows[M, N, K](a: bf16[M, K], b: bf16[N, K], c: f32[N]) -> (y: f32[M, N]) {
    y = softmax(a @ b.T * 0.01 + c);
}

fn batch[M, N, K](a: bf16[3, M, K], b: bf16[3, N, K]) -> (y: bf16[3, M, N]) {
    y = a @ permute(b, 0, 2, 1);
}
