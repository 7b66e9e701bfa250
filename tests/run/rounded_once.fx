// A result that a sum reads rounded to bf16 is rounded once: its store takes the high halves of what
// the sum reads. NaN, infinities and denormal numbers; around the caches or not; vectors of each width.
// run: fusec run %s --check -D N=5 -D D=37 > checks
// run: fusec run %s --check -D N=3 -D D=64 --range x=-1e-39..1e-39 --tile stream=0 > checks
// run: fusec run %s --check -D N=3 -D D=64 --range x=-3e38..3e38 > checks
// run: fusec %s --target=c --tile stream=0 -o %t.c
// run: grep "_bf16(total" %t.c
// run: fusec %s --target=c -o %t.c
// run: grep "_bf16(total" %t.c
// run: cc -O1 -march=x86-64 -DVL=16 -fopenmp -DFUSEC_MAIN -Wno-psabi %t.c -o %t -lm
// run: ./%t N=5 D=37 > checks
// run: cc -O1 -march=haswell -ffp-contract=fast -fopenmp -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t N=5 D=37 > checks
// run: cc -O1 -ffp-contract=fast -fopenmp -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t N=5 D=37 > checks
fn f[N, D](x: bf16[N, D], delta: bf16[N, D]) -> (total: bf16[N, D], s: f32[N]) {
    total = x * 3 + delta;
    s = sum(total * total);
}
// ---- expect
// fusec: remark: random inputs, seed 0: x, delta
// fusec: remark: random inputs, seed 0: x, delta
// fusec: remark: random inputs, seed 0: x, delta
//             const f32 total_2 = round_bf16(total_1);
//             out_rounded_bf16(total + i0 * D + i1, total_2, lanes, stream);
//             const f32 total_2 = round_bf16(total_1);
//             out_rounded_bf16(total + i0 * D + i1, total_2, lanes, stream);
