// A sliding window, in f32.
// run: fusec run %s --check -D H=2 -D S=300 -D D=33
// run: fusec run %s --check -D H=1 -D S=129 -D D=3
// run: fusec run %s --check -D H=1 -D S=2 -D D=3
// kernels: 1
fn window[H, S, D](q: f32[H, S, D], k: f32[H, S, D], v: f32[H, S, D]) -> (o: f32[H, S, D]) {
    s = (q @ k.T) * rsqrt(D);
    i = iota(S)[:, None];
    j = iota(S);
    o = softmax(where(j <= i && i - j < 40, s, -inf)) @ v;
}
