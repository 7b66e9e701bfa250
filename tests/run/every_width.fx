// Each width of vectors, also with the instructions of narrower ones: types, functions, transposes, running
// sums, and stores past the caches.
// run: fusec %s --target=c -o %t.c --tile stream=1
// run: cc -O0 -march=x86-64 -DVL=16 -fopenmp -DFUSEC_MAIN -Wno-psabi %t.c -o %t -lm
// run: ./%t N=21 D=37 > checks
// run: grep -c ok checks
// run: cc -O0 -march=haswell -DVL=16 -fopenmp -DFUSEC_MAIN -Wno-psabi %t.c -o %t -lm
// run: ./%t N=21 D=37 > checks
// run: grep -c ok checks
// run: cc -O0 -march=x86-64 -DVL=8 -fopenmp -DFUSEC_MAIN -Wno-psabi %t.c -o %t -lm
// run: ./%t N=21 D=37 > checks
// run: grep -c ok checks
fn every_type[N, D](
    x: bf16[N, D],
    z: f64[N, D],
    h: f16[N, D],
    q: i8[N, D],
    e: f8e4m3[N, D],
    l: i64[N, D],
    b: bool[N, D],
    i: i32[N, D]
) -> (
    y: bf16[N, D],
    w: f64[N, D],
    u: f16[D, N],
    v: i8[D, N],
    g: f8e5m2[N, D],
    k: i64[N, D],
    a: i32[N],
    c: bool[N, D],
    s: f32[N, D],
    t: f64[N],
    j: i32[N, D]
) {
    y = softmax(x);
    w = sqrt(z * z) + tanh(z) * exp(z);
    u = clamp(h, -0.5, 0.5).T;
    v = q.T;
    g = (e as f32 * 2 + gelu(x as f32)) as f8e5m2;
    k = cumsum(l);
    a = argmax(x);
    c = !b;
    s = sqrt(abs(x as f32)) + random_uniform(7, N, D) + sin(h as f32);
    t = max(z);
    j = i / 3 + i % 5;
}
// ---- expect
// 1
// 1
// 1
