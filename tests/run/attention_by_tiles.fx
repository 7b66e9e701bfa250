// Attention of bf16 on tiles of AMX, by a shim of its instructions (amx.h beside this): masks, grouped
// heads, computed operands, further results, lengths that fill no tile, and where Linux refuses.
// needs: amx.h
// run: fusec %s --target=c -o %t.c
// run: cc -O1 -march=sapphirerapids -S %t.c -o %t.s
// run: grep -c tdpbf16ps %t.s
// run: sed -i "/^#define TILE_CONFIGURE/,/^$/d" %t.c
// run: cc -Og -march=x86-64 -DVL=16 -D__AMX_TILE__ -D__AMX_BF16__ -D__AMX_INT8__ -include amx.h -I. -DFUSEC_MAIN -Wno-psabi %t.c -o %t -lm
// run: ./%t B=2 H=2 S=70 D=33 > checks
// run: grep used checks
// run: ./%t B=1 H=1 S=145 D=8 > checks
// run: ./%t B=1 H=3 S=1 D=1 > checks
// run: ./%t B=1 H=1 S=288 D=64 > checks
// run: env AMX_REFUSED=1 ./%t B=1 H=2 S=70 D=33 > checks
// run: grep used checks
fn attentions[B, H, S, D](
    q: bf16[B, H, S, D], k: bf16[5, B, H, S, D], v: bf16[B, H, S, D], shared: bf16[B, 1, S, D], turn: f32[S, D],
    values: bf16[B, S, H, 20]
) -> (
    plain: bf16[B, H, S, D],
    causal: bf16[B, H, S, D],
    window: bf16[B, H, S, D],
    grouped: bf16[B, H, S, D],
    computed: bf16[B, H, S, D],
    narrow: bf16[B, S, H, 20],
    total: f32[B, H, S]
) {
    at = iota(S)[:, None];
    plain = (softmax(q @ k[0].T * rsqrt(D)) as bf16) @ v;
    causal = (softmax(where(at >= iota(S), q @ k[1].T * rsqrt(D), -inf)) as bf16) @ v;
    near = where(at >= iota(S) && at - iota(S) < 9, 5 * tanh(q @ k[2].T / 5), -inf);
    window = (softmax(near) as bf16) @ v;
    total = logsumexp(near);
    grouped = (softmax(q @ shared.T * rsqrt(D)) as bf16) @ shared;
    turned = ((q * turn) as bf16) @ ((k[3] * turn) as bf16).T;
    computed = (softmax(turned * 0.1) as bf16) @ ((v * 0.5) as bf16);
    weights = (softmax(q @ k[4].T) as bf16) @ permute(values, 0, 2, 1, 3);
    narrow = permute(weights, 0, 2, 1, 3);
}
// ---- expect
// 16
// tiles were used
// no tile was used
