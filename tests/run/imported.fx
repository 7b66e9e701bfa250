// Functions of a header, of every element type, and called by names that emitted text has too.
// needs: imported.h imported_more.h
// run: fusec run %s --check -D N=130
// run: fusec run %s --check -D N=130 -O0
// inputs: n -100..100, m -1000..1000, t 0..200, u -50..50
import "imported.h";

fn f[N](x: f32[N], h: bf16[N], d: f64[N], n: i32[N], m: i64[N], t: u8[N], u: i8[N], s: f32)
    -> (a: f32[N], b: bf16[N], c: f64[N], e: i32[N], g: i64[N], k: bool[N], l: u8[N], o: f32[N],
        table: f32[N], p: f32, q: i64) {
    a = lanes(x, h) + load_pack(x);
    b = lanes(h, 0.5);
    c = exp_f64(d, y = 2);
    e = row(n, m);
    g = wide(N, m);
    k = both_small(x, n > 0);
    l = byte(t, u);
    o = rsqrt_f32(x) + spread(x, 0.5, h, s, 1);
    table = next_above(x);
    p = rsqrt_f32(sum(lanes(x, s)));
    q = wide(3, N) + wide(4, 5);
}
