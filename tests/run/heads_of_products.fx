// Heads of a product's columns: normalised, and rotated by their positions, in the product's epilogue,
// which has whole heads; stored heads first where that is the output's layout.
// run: fusec run %s --check --fn halves -D S=37 -D H=3 -D D=64 -D K=40 > checks
// run: fusec run %s --check --fn halves -D S=5 -D H=2 -D D=128 -D K=9 > checks
// run: fusec run %s --check --fn halves -D S=7 -D H=2 -D D=10 -D K=33 > checks
// run: fusec run %s --check --fn halves -D S=20 -D H=1 -D D=20 -D K=33 > checks
// run: fusec run %s --check --fn pairs -D S=37 -D H=3 -D D=64 -D K=40 > checks
// run: fusec run %s --check --fn normalised -D S=37 -D H=3 -D D=64 -D K=40 > checks
// run: fusec run %s --check --fn turned -D S=19 -D H=2 -D D=64 -D K=24 > checks
// run: fusec run %s --check --fn cache -D S=19 -D H=2 -D D=64 -D K=24 > checks
// run: fusec run %s --check --fn added -D S=19 -D H=2 -D D=64 -D K=24 > checks
// run: fusec run %s --check --fn of_memory -D S=19 -D H=3 -D D=50 > checks
// run: fusec explain %s --arch=sm_90a -D D=64 > %t.txt
// run: grep "^fn" %t.txt

// The language model's usual rotation: pairs (i, i + D/2), cosines of half a head.
fn rope[S, H, D](x: bf16[S, H, D], cosine: f32[S, D/2], sine: f32[S, D/2]) -> (y: bf16[S, H, D]) {
    a, b = split(x, 2);
    y = concat(a * cosine[:, None] - b * sine[:, None], b * cosine[:, None] + a * sine[:, None]);
}

// The same as x cos + rotate_half(x) sin, of heads first.
fn rope_first[S, H, D](x: bf16[H, S, D], cosine: f32[S, D], sine: f32[S, D]) -> (y: bf16[H, S, D]) {
    a, b = split(x, 2);
    y = x * cosine + concat(-b, a) * sine;
}

fn halves[S, H, D, K](
    x: bf16[S, K], w: bf16[H*D, K], cosine: f32[S, D/2], sine: f32[S, D/2]
) -> (q: bf16[S, H, D]) {
    q = rope(reshape((x @ w.T) as bf16, S, H, D), cosine, sine);
}

fn pairs[S, H, D, K](
    x: bf16[S, K], w: bf16[H*D, K], cosine: f32[S, D/2], sine: f32[S, D/2]
) -> (q: bf16[S, H, D]) {
    p = reshape((x @ w.T) as bf16, S, H, D/2, 2);
    a = p[:, :, :, 0];
    b = p[:, :, :, 1];
    c = a * cosine[:, None] - b * sine[:, None];
    s = b * cosine[:, None] + a * sine[:, None];
    q = reshape(concat(c[:, :, :, None], s[:, :, :, None]), S, H, D);
}

fn normalised[S, H, D, K](
    x: bf16[S, K], w: bf16[H*D, K], gain: bf16[D], cosine: f32[S, D/2], sine: f32[S, D/2]
) -> (q: bf16[S, H, D]) {
    p = reshape((x @ w.T) as bf16, S, H, D);
    q = rope(rms_norm(p, gain) as bf16, cosine, sine);
}

// Reversed, and the sum of each head.
fn turned[S, H, D, K](x: f32[S, K], w: f32[K, H*D]) -> (y: f32[S, H, D], total: f32[S, H]) {
    p = reshape(x @ w, S, H, D);
    total = sum(p);
    y = flip(p, axis = -1) + total[:, :, None];
}

// Keys go where the cache has them, values beside them.
fn cache[S, H, D, K](
    x: bf16[S, K], w_k: bf16[H*D, K], w_v: bf16[H*D, K], cosine: f32[S, D], sine: f32[S, D]
) -> (k: bf16[H, S, D], v: bf16[H, S, D]) {
    k = rope_first(permute(reshape((x @ w_k.T) as bf16, S, H, D), 1, 0, 2), cosine, sine);
    v = permute(reshape(x @ w_v.T, S, H, D), 1, 0, 2);
}

// Of a sum of products: a low-rank update.
fn added[S, H, D, K](
    x: bf16[S, K], w: bf16[H*D, K], t: bf16[S, 8], u: bf16[H*D, 8],
    cosine: f32[S, D/2], sine: f32[S, D/2]
) -> (q: bf16[S, H, D]) {
    q = rope(reshape((x @ w.T + t @ u.T) as bf16, S, H, D), cosine, sine);
}

fn of_memory[S, H, D](
    x: bf16[S, H, D], gain: bf16[D], cosine: f32[S, D/2], sine: f32[S, D/2]
) -> (q: bf16[S, H, D]) {
    q = rope(rms_norm(x, gain) as bf16, cosine, sine);
}
// ---- expect
// fusec: remark: random inputs, seed 0: x, w, cosine, sine
// fusec: remark: random inputs, seed 0: x, w, cosine, sine
// fusec: remark: random inputs, seed 0: x, w, cosine, sine
// fusec: remark: random inputs, seed 0: x, w, cosine, sine
// fusec: remark: random inputs, seed 0: x, w, cosine, sine
// fusec: remark: random inputs, seed 0: x, w, gain, cosine, sine
// fusec: remark: random inputs, seed 0: x, w
// fusec: remark: random inputs, seed 0: x, w_k, w_v, cosine, sine
// fusec: remark: random inputs, seed 0: x, w, t, u, cosine, sine
// fusec: remark: random inputs, seed 0: x, gain, cosine, sine
// fn halves at -O2: 11 ops in 1 kernel
// fn pairs at -O2: 11 ops in 1 kernel
// fn normalised at -O2: 19 ops in 1 kernel
// fn turned at -O2: 3 ops in 2 kernels
// fn cache at -O2: 13 ops in 1 kernel
// fn added at -O2: 13 ops in 1 kernel
// fn of_memory at -O2: 17 ops in 1 kernel
