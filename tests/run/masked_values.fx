// Values of masked keys that are infinite: tiles with such keys only are skipped, others are not, and a
// select keeps them out of both.
// run: fusec run %s --check --fn skipped
// run: fusec run %s --check --fn skipped -O 0
// run: fusec run %s --check --fn selected
fn skipped(q: f32[70, 16], k: f32[400, 16], v: f32[400, 16]) -> (y: f32[70, 16]) {
    live = iota(400) < 300 && iota(400) / 50 != iota(70)[:, None] / 10;
    y = softmax(where(live, q @ k.T, -inf)) @ (v / where(iota(400)[:, None] < 384, 1.0, 0.0));
}

fn selected(q: f32[70, 16], k: f32[400, 16], v: f32[400, 16]) -> (y: f32[70, 16]) {
    live = iota(400) < 290;
    far = v / where(iota(400)[:, None] < 290, 1.0, 0.0);
    y = softmax(where(live, q @ k.T, -inf)) @ where(live[:, None], far, 0);
}
