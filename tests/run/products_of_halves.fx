// Weights of 4 bits in products with many rows, and unpacked: the scale of a group is loaded once for a
// vector of them, in several blocks of k, too; bytes of neighbours are loaded once for two lanes.
// run: fusec run %s --fn parts --check -D M=20 -D N=37 -D K=64 > checks
// run: fusec run %s --fn parts --check -D M=20 -D N=9 -D K=80 --tile k=24 > checks
// run: fusec run %s --fn neighbours --check -D M=20 -D N=37 -D K=64 > checks
// run: fusec run %s --fn neighbours --check -D M=9 -D N=3 -D K=70 > checks
// run: fusec %s --fn neighbours -D M=9 -D N=5 -D K=54 -o %t.c
// run: cc -Og -march=haswell -ffp-contract=fast -fopenmp -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t > checks
// run: cc -Og -march=x86-64 -ffp-contract=fast -fopenmp -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t > checks
// run: fusec %s --fn parts -D M=20 -D N=37 -D K=64 -o %t.c
// run: grep " s[0-9_]* =" %t.c
// run: fusec %s --fn neighbours -D M=20 -D N=37 -D K=64 -o %t.c
// run: grep -c "get_[iu]8" %t.c
// exit: 1
fn parts[M, N, K](x: f32[M, K], w: u8[N, K/2], s: f32[N, K/16]) -> (y: f32[M, N]) {
    q = concat(w % 16, w / 16, axis = 1) - 8;
    wide = reshape(q as f32, N, K / 16, 16) * s[:, :, None];
    y = x @ reshape(wide, N, K).T;
}

fn neighbours[M, N, K](x: f32[M, K], w: u8[N, K/2], i: i8[N, K/2], s: f32[N]) -> (
    y: f32[M, N], row: f32[N], unpacked: i32[N, K], twice: f32[N, K]
) {
    both = concat((w % 16)[:, :, None], (w / 16)[:, :, None]);
    wide = (reshape(both, N, K) - 8) as f32 * s[:, None];
    y = x @ wide.T;
    row = wide @ x[0];
    unpacked = reshape(both, N, K);
    twice = reshape(concat(i[:, :, None], i[:, :, None]), N, K) as f32 * 0.5;
}
// ---- expect
// fusec: remark: random inputs, seed 0: x, w, s
// fusec: remark: random inputs, seed 0: x, w, s
// fusec: remark: random inputs, seed 0: x, w, i, s
// fusec: remark: random inputs, seed 0: x, w, i, s
//                         const f32 s_1 = lds_f32(s + i2 * 4 + i3 / 16);
//                         const f32 s_2 = lds_f32(s + i2 * 4 + i3 / 16);
// 0
