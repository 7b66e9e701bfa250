// Products of bf16 with few rows take two products to a lane where the processor has the instruction,
// if the depth is a multiple of 32 and the function not strict: weights as they are stored, in either
// layout, exact bytes, those that a cast rounds, and what is the same along the depth.
// run: fusec run %s --fn few --check -D N=37 -D K=96 > checks
// run: fusec run %s --fn few --check -D N=9 -D K=112 > checks
// run: fusec run %s --fn few --check -D N=21 -D K=64 --tile k=5,rows=2 > checks
// run: fusec run %s --fn strict --check -D N=21 -D K=32 > checks
// run: fusec run %s --fn one_column --check -D N=21 -D K=96 > checks
// run: fusec %s --fn few --target=c -D N=37 -D K=96 -o %t.c
// run: cc -Og -march=haswell -ffp-contract=fast -fopenmp -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t > checks
// run: fusec %s --fn strict --target=c -D N=21 -D K=32 -o %t.c
// run: grep -c vdpbf16ps %t.c
// exit: 1
fn few[N, K](
    x: bf16[8, K], row: bf16[K], three: bf16[K, 3],
    a: bf16[K, N], b: bf16[N, K], q: i8[N, K], w: u8[N, K/2], s: f32[N, K/16],
    full_width: f32[N, K]
) -> (
    across: bf16[8, N], along: bf16[8, N], one: f32[N], columns: f32[N, 3], both: f32[8, N],
    bytes: bf16[8, N], halves: bf16[8, N], computed: bf16[8, N],
    rounded: f32[8, N]
) {
    across = x @ a;
    along = x @ b.T;
    one = row @ a;
    columns = b @ three;
    both = (x @ a) * (x @ b.T);
    bytes = x @ (q as bf16).T;
    wide = reshape((concat(w % 16, w / 16, axis = 1) - 8) as f32, N, K / 16, 16) * s[:, :, None];
    halves = x @ (reshape(wide, N, K) as bf16).T;
    rounded = x @ (full_width as bf16).T;
    computed = ((x * 2) as bf16) @ (tanh(a) as bf16);
}

@strict
fn strict[N, K](x: bf16[2, K], b: bf16[N, K]) -> (y: bf16[2, N]) { y = x @ b.T; }

fn one_column[N, K](x: bf16[K], b: bf16[N]) -> (y: f32[N]) {
    y = broadcast(x[1:2], K) @ broadcast(b, K, N);
}
// ---- expect
// fusec: remark: random inputs, seed 0: x, row, three, a, b, q, w, s, full_width
// fusec: remark: random inputs, seed 0: x, row, three, a, b, q, w, s, full_width
// fusec: remark: random inputs, seed 0: x, row, three, a, b, q, w, s, full_width
// fusec: remark: random inputs, seed 0: x, b
// fusec: remark: random inputs, seed 0: x, b
// 0
