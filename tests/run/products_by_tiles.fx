// Tiles of AMX, by a shim of its instructions (amx.h beside this), which faults as hardware does: for
// every layout, computed operands, sums of products, and where Linux refuses the registers.
// needs: amx.h
// run: fusec %s --target=c -o %t.c
// run: cc -O1 -march=sapphirerapids -S %t.c -o %t.s
// run: grep -cE tdpbf16ps|tdpbssd|tdpbusd %t.s
// run: sed -i "/^#define TILE_CONFIGURE/,/^$/d" %t.c
// run: cc -Og -march=x86-64 -DVL=16 -D__AMX_TILE__ -D__AMX_BF16__ -D__AMX_INT8__ -include amx.h -I. -DFUSEC_MAIN -Wno-psabi %t.c -o %t -lm
// run: ./%t M=33 N=70 K=75 > checks
// run: grep used checks
// run: ./%t M=9 N=9 K=1 > checks
// run: ./%t M=70 N=40 K=96 > checks
// run: env AMX_REFUSED=1 ./%t M=33 N=70 K=75 > checks
// run: grep used checks
fn products[M, N, K](
    a: bf16[M, K], b: bf16[K, N], c: bf16[N, K], d: bf16[K, M], e: u8[M, K], f: i8[K, N], g: i8[N, K], h: i8[K, M]
) -> (
    kn: bf16[M, N],
    turned: f32[M, N],
    added: f32[M, N],
    computed: bf16[M, N],
    unsigned_left: i32[M, N],
    bytes: i32[M, N],
    bytes_computed: i32[M, N]
) {
    kn = (a @ b) as bf16;
    turned = d.T @ c.T;
    added = a @ b + d.T @ c.T;
    computed = (((a * 2) as bf16) @ (tanh(b) as bf16)) as bf16;
    unsigned_left = e @ f;
    bytes = h.T @ g.T;
    bytes_computed = ((h.T * 3) as i8) @ ((f * 5) as i8);
}
// ---- expect
// 32
// tiles were used
// no tile was used
