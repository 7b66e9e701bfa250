// Right operands that are contiguous along their columns, as whole panels, the columns behind them and
// the last steps; the last rows of c by a tile of 10; and up to 32 rows, which are not packed,
// in parts of 8 to 13, the last of which may have fewer.
// run: fusec run %s --fn panels --check --device=cpu -D M=24 -D N=70 -D K=385 > checks
// run: fusec run %s --fn panels --check --device=cpu -D M=25 -D N=96 -D K=387 --threads 1 > checks
// run: fusec run %s --fn panels --check --device=cpu -D M=23 -D N=33 -D K=4 > checks
// run: fusec run %s --fn panels --check --device=cpu -D M=54 -D N=31 -D K=514 > checks
// run: fusec run %s --fn rows --check --device=cpu -D M=9 -D N=100 -D K=512 > checks
// run: fusec run %s --fn rows --check --device=cpu -D M=13 -D N=67 -D K=544 --threads 1 > checks
// run: fusec run %s --fn rows --check --device=cpu -D M=100 -D N=11 -D K=640 > checks
// run: fusec run %s --fn rows --check --device=cpu -D M=15 -D N=70 -D K=544 --threads 2 > checks
// run: fusec run %s --fn rows --check --device=cpu -D M=7 -D N=33 -D K=640 > checks
// run: fusec run %s --fn rows --check --device=cpu -D M=31 -D N=100 -D K=4096 --threads 1 > checks
// run: fusec run %s --fn rows --check --device=cpu -D M=90 -D N=14 -D K=512 > checks
// run: fusec %s --fn rows --target=c -D M=13 -D N=67 -D K=544 --no-test -o %t.c
// run: grep -c "fx_strips_of(" %t.c
// run: fusec %s --fn rows --target=c -D M=33 -D N=67 -D K=544 --no-test -o %t.c
// run: grep -c "fx_strips_of(" %t.c
// exit: 1
fn panels[M, N, K](a: i8[M, K], b: i8[K, N], u: u8[M, K], c: bf16[M, K], d: bf16[K, N], e: bf16[N, K],
        f: f32[M, K], g: f32[K, N])
    -> (ab: i32[M, N], ub: i32[M, N], cd: bf16[M, N], sum: f32[M, N], ce: bf16[M, N], fg: f32[M, N]) {
    ab = a @ b;
    ub = u @ b + 1;
    cd = (c @ d) as bf16;
    sum = relu(c @ d) + 1;
    ce = (c @ e.T) as bf16;
    fg = f @ g;
}

fn rows[M, N, K](a: bf16[M, K], b: bf16[N, K], c: bf16[M, K], d: bf16[N, K], e: bf16[N, K])
    -> (y: bf16[M, N], z: f32[M, N]) {
    y = silu(a @ b.T) * (a @ d.T);
    z = c @ e.T;
}
// ---- expect
// fusec: remark: random inputs, seed 0: a, b, u, c, d, e, f, g
// fusec: remark: random inputs, seed 0: a, b, u, c, d, e, f, g
// fusec: remark: random inputs, seed 0: a, b, u, c, d, e, f, g
// fusec: remark: random inputs, seed 0: a, b, u, c, d, e, f, g
// fusec: remark: random inputs, seed 0: a, b, c, d, e
// fusec: remark: random inputs, seed 0: a, b, c, d, e
// fusec: remark: random inputs, seed 0: a, b, c, d, e
// fusec: remark: random inputs, seed 0: a, b, c, d, e
// fusec: remark: random inputs, seed 0: a, b, c, d, e
// fusec: remark: random inputs, seed 0: a, b, c, d, e
// fusec: remark: random inputs, seed 0: a, b, c, d, e
// 4
// 0
