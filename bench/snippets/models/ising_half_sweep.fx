// inputs: beta 0.3..0.5, s -1..2
fn f[H, W](s: i8[H, W], beta: f32) -> (y: i8[H, W]) {
    nb = concat(s[-1:], s[:-1], axis = 0) + concat(s[1:], s[:1], axis = 0)
        + concat(s[:, -1:], s[:, :-1]) + concat(s[:, 1:], s[:, :1]);
    flip = random_uniform(11, H, W) < exp(-2 * beta * ((s * nb) as f32));
    ours = (iota(H)[:, None] + iota(W)) % 2 == 0;
    y = where(flip && ours, -s, s) as i8;
}
