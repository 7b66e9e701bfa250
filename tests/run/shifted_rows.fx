// On a GPU, rows that are no multiple of 16 bytes are moved in packs that are aligned in memory, and start
// anywhere in one: the first and the last elements of a pack may be those of neighbouring rows, and nothing
// is read behind the tensor. Positions, masks, inputs of columns and of a row, other types, rows that are
// looped over; all elements -inf.
// run: fusec run %s --check -D N=5 -D K=901 -D L=9003
// run: fusec run %s --check -D N=2 -D K=529 -D L=385
// inputs: labels 0..K
fn rows[N, K, L](
    x: f32[N, K], y: bf16[N, K], n: i32[N, K], z: bf16[N, 2, K], gain: f32[K], bias: bf16[K], labels: i32[N],
    b: i8[N, K], h: f16[N, K], m: bool[N, K], long: bf16[N, L], looped: f32[N, L]
) -> (
    largest: i32[N], least: i32[N], first: i32[N], of_ints: i32[N], even: i32[N], sums: f32[N], most: bf16[N],
    normed: bf16[N, 2, K], soft: f16[N, K], mixed: f32[N, K], bytes: i8[N, K], loss: f32[N], masked: f16[N, K],
    soft_long: bf16[N, L], sums_long: f32[N], scaled: f32[N, L]
) {
    largest = argmax(y);
    least = argmax(-x);
    first = argmax(where(x < 5, -inf, x));
    of_ints = argmax(n);
    even = argmax(where(iota(K) % 2 == 0, x, -9));
    sums = logsumexp(x);
    most = max(y);
    normed = layer_norm(z, gain, bias);
    soft = softmax(h);
    mixed = b as f32 * gain - max(b as f32, keep = true);
    bytes = round(h as f32 / max(abs(h as f32), keep = true) * 127.0) as i8;
    loss = cross_entropy(h as f32, labels);
    masked = softmax(where(m, h, -inf));
    soft_long = softmax(long);
    sums_long = logsumexp(looped);
    scaled = looped / sqrt(mean(looped * looped, keep = true));
}
