// The backward of attention in one pass: pairs of bf16 on tiles of AMX, by a shim of its instructions
// (amx.h beside this), and f32; grouped heads, a mask of tiles, a window, computed operands, dropout,
// lengths that fill no tile, where Linux refuses, and threads that have no batch each.
// needs: amx.h
// run: fusec %s --target=c -o %t.c
// run: cc -O1 -march=x86-64 -fopenmp -DFUSEC_MAIN -Wno-psabi %t.c -o %t -lm
// run: env OMP_NUM_THREADS=5 ./%t B=1 H=2 S=145 D=20 > checks
// run: env OMP_NUM_THREADS=2 ./%t B=3 H=1 S=70 D=33 > checks
// run: sed -i "/^#define TILE_CONFIGURE/,/^$/d" %t.c
// run: cc -Og -march=x86-64 -DVL=16 -D__AMX_TILE__ -D__AMX_BF16__ -D__AMX_INT8__ -include amx.h -I. -DFUSEC_MAIN -Wno-psabi %t.c -o %t -lm
// run: ./%t B=2 H=2 S=70 D=33 > checks
// run: grep used checks
// run: ./%t B=1 H=1 S=145 D=8 > checks
// run: ./%t B=1 H=3 S=1 D=1 > checks
// run: env AMX_REFUSED=1 ./%t B=1 H=2 S=70 D=33 > checks
// run: grep used checks
fn grouped[B, H, S, D](
    q: bf16[B, H, 2, S, D],
    k: bf16[B, H, S, D],
    v: bf16[B, H, S, D]
) -> (o: bf16[B, H, 2, S, D]) {
    s = where(iota(S)[:, None] >= iota(S), q @ k[:, :, None].T * rsqrt(D), -inf);
    o = (softmax(s) as bf16) @ v[:, :, None];
}
fn computed[B, H, S, D](
    q: bf16[B, H, S, D],
    k: bf16[B, H, S, D],
    v: bf16[B, S, H, D],
    turn: f32[S, D],
    bias: f32[H, S],
    live: bool[B, S]
) -> (o: bf16[B, H, S, D]) {
    s = ((q * turn) as bf16) @ ((k * turn) as bf16).T * 0.1 + bias[:, None];
    p = dropout(softmax(where(live[:, None, None], s, -1e9)) as bf16, 0.2, 7);
    o = p @ ((permute(v, 0, 2, 1, 3) * 0.5) as bf16);
}
fn plain[B, H, S, D](q: f32[B, H, S, D], k: f32[B, H, S, D], v: f32[B, H, S, D]) -> (o: f32[B, H, S, D]) {
    o = softmax(where(abs(iota(S)[:, None] - iota(S)) < 9, 5 * tanh(q @ k.T / 5), -inf)) @ v;
}
fn grouped_fwd, grouped_bwd = train(grouped);
fn computed_fwd, computed_bwd = train(computed);
fn plain_fwd, plain_bwd = train(plain);
// ---- expect
// tiles were used
// no tile was used
