// Where the packed rows of bf16 are longer than L1, a product reads them in blocks of columns: the
// last block is shorter, the last strip of weights and its last group too. Two products of the same
// rows, a batch, weights of a view; blocks that are pinned for rows that are short; f32 as it was.
// run: fusec run %s --fn along --check -D N=101 -D K=4224 > checks
// run: fusec run %s --fn along --check -D N=97 -D K=4224 --threads 2 > checks
// run: fusec run %s --fn along --check -D N=13 -D K=384 --tile kind=gemv,block=256,rows=2 > checks
// run: fusec %s --fn along --target=c -D N=101 -D K=4224 -o %t.c
// run: grep -c "k_block < 4224" %t.c
// run: cc -Og -march=haswell -ffp-contract=fast -fopenmp -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t > checks
// run: fusec %s --fn full_width --target=c -D N=101 -D K=4224 -o %t.c
// run: grep -c "k_block" %t.c
// exit: 1
// run: fusec %s --fn full_width --target=c -D N=101 -D K=4224 --tile kind=gemv,block=256 -o %t.c
// exit: 1
// run: fusec %s --fn along --target=c -D N=101 -D K=384 --tile kind=gemv,block=100 -o %t.c
// exit: 1
fn along[N, K](x: bf16[8, K], y: bf16[2, 8, K], a: bf16[N, K], b: bf16[N, K], c: bf16[2, N, K],
               d: bf16[N + 3, K])
    -> (both: f32[8, N], batched: f32[2, 8, N], view: bf16[N, 8]) {
    both = gelu(x @ a.T) * (x @ b.T);
    batched = y @ c.T;
    view = d[3:] @ x.T;
}
fn full_width[N, K](x: f32[8, K], a: f32[N, K]) -> (y: f32[8, N]) { y = x @ a.T; }
// ---- expect
// fusec: remark: random inputs, seed 0: x, y, a, b, c, d
// fusec: remark: random inputs, seed 0: x, y, a, b, c, d
// fusec: remark: random inputs, seed 0: x, y, a, b, c, d
// 4
// 0
// fusec: error: kernel 'full_width_0' cannot have the tile kind=gemv,block=256: blocks of k take a known k, a multiple of 128, and plain loads along it of two bytes
// fusec: note: without --tile it has kind=gemv,n=4096,k=8,block=0,rows=3,parallel=100000
// fusec: error: kernel 'along_0' cannot have the tile kind=gemv,block=100: block is a multiple of 128
// fusec: note: without --tile it has kind=gemv,n=4096,k=8,block=0,rows=3,parallel=100000
// fusec: error: kernel 'along_1' cannot have the tile kind=gemv,block=100: block is a multiple of 128
// fusec: note: without --tile it has kind=gemv,n=4096,k=8,block=0,rows=3,parallel=100000
// fusec: error: kernel 'along_2' cannot have the tile kind=gemv,block=100: block is a multiple of 128
// fusec: note: without --tile it has kind=gemv,n=4096,k=8,block=0,rows=3,parallel=100000
