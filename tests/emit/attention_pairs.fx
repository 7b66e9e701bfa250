// run: fusec %s --arch sm_90a --no-test -o %t.cu
// run: grep -o "tile_n = [0-9]*;\|Pack<.*_pairs.*;\|wgmma_wait<1>();" %t.cu
// Biases of each query and key: a thread loads two keys at a time, before it waits for the scores; beside
// many results behind that, or, as of open or odd rows, one by one. A tile has no more than 128 keys.
fn ahead(
    q: bf16[4, 2, 1024, 64],
    k: bf16[4, 2, 1024, 64],
    v: bf16[4, 2, 1024, 64],
    bias: bf16[2, 1024, 1024]
) -> (o: bf16[4, 2, 1024, 64]) {
    o = softmax(q @ k.T + bias) as bf16 @ v;
}
fn late(
    q: bf16[4, 512, 128],
    k: bf16[4, 512, 128],
    v: bf16[4, 512, 128],
    later: f32[512, 512]
) -> (o: bf16[4, 512, 128]) {
    o = softmax(q @ k.T + later) as bf16 @ v;
}
fn odd(
    q: bf16[4, 512, 64],
    k: bf16[4, 512, 64],
    v: bf16[4, 512, 64],
    uneven: bf16[512, 513]
) -> (o: bf16[4, 512, 64]) {
    o = softmax(q @ k.T + uneven[:, 1:]) as bf16 @ v;
}
fn of_any[N](
    q: bf16[4, N, 64],
    k: bf16[4, N, 64],
    v: bf16[4, N, 64],
    unknown: bf16[N, N]
) -> (o: bf16[4, N, 64]) {
    o = softmax(q @ k.T + unknown) as bf16 @ v;
}
fn many(
    q: bf16[4, 1024, 256],
    k: bf16[4, 1024, 256],
    v: bf16[4, 1024, 256],
    long: f32[1024, 1024]
) -> (o: bf16[4, 1024, 256]) {
    o = softmax(q @ k.T + long) as bf16 @ v;
}
// ---- expect
// tile_n = 128;
// Pack<bf16, 2> bias_pairs[tile_n / 4];
// wgmma_wait<1>();
// tile_n = 128;
// wgmma_wait<1>();
// Pack<float, 2> later_pairs[tile_n / 4];
// tile_n = 128;
// wgmma_wait<1>();
// tile_n = 128;
// wgmma_wait<1>();
// tile_n = 80;
// wgmma_wait<1>();
