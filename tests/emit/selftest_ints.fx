// The self-test of integers: they wrap, and must be exact.
// run: fusec %s -o %t.c
// run: cc -DFUSEC_MAIN -O1 -Wall -Wextra -Werror -Wno-unknown-pragmas %t.c -o %t -lm
// run: ./%t N=7 M=37
// run: ./%t N=1 M=1
fn ints[N, M](i: i32[N, M], j: i64[N, M], k: i8[N, M], l: u8[N, M], t: bool[N, M], f: f32[N, M])
    -> (a: i32[N, M], b: i64[N, M], c: i8[N, M], d: u8[N, M], e: bool[N], g: f32[N, M], h: i32[N], m: i64[N], o: f64[N, M]) {
    a = i * i - 7 / (i + 0) + i % 3 + abs(3 - i) + sign(2 - i) + (i ** 3) + min(i, 4) + max(i, 3);
    b = j * j * j * 1000000007 * j + j / 3 - j % 4 + max(j, 3 as i64) + (f * 1e10) as i64;
    c = (k * k * k) as i8;
    d = (f * 300) as u8;
    e = any(t, axis = 1) && all(i == i, axis = 1);
    g = (i as f32) * 0.1 + (t as f32) + (j as f32);
    h = sum(t, axis = 1) + prod(k, axis = 1) + max(i, axis = 1) + min(i, axis = 1) + argmax(k, axis = 1) + sum(k, axis = 1);
    m = cumsum(j)[:, -1] + sum(j, axis = 1) + max(j);
    o = (l as f64) / 3 + where(t, j as f64, 0);
}
