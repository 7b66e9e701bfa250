// inputs: bs 1..2, as_ 1..2
fn f[N](b: f32[N, 10], bs: f32[N, 10], a: f32[N, 10], as_: f32[N, 10]) -> (y: f32[N, 7]) {
    mid = 0.5 * (b[:, 0] + a[:, 0]);
    w = 0.8 ** (iota(10) as f32);
    db = sum(bs * w);
    da = sum(as_ * w);
    micro = (b[:, 0] * as_[:, 0] + a[:, 0] * bs[:, 0]) / (bs[:, 0] + as_[:, 0]);
    wide = sum(a * as_) / sum(as_) - sum(b * bs) / sum(bs);
    y = concat(mid[:, None], (a[:, 0] - b[:, 0])[:, None], ((db - da) / (db + da))[:, None],
        (micro - mid)[:, None], wide[:, None], max(bs)[:, None], max(as_)[:, None]);
}
