// What is the same in the whole batch is written out for each element of a system only if it takes few
// operations.
// run: fusec %s --emit=plan --fn=many > plan
// run: grep -c "^    %" plan
// run: fusec %s --emit=plan --fn=few > plan
// run: grep -c "^    %" plan
fn many[N](x: f32[N, 3, 3], w: f32[3, 3]) -> (y: f32[N, 3, 3]) {
    p0 = w;
    p1 = p0 * w + 1;
    p2 = p1 * w + 2;
    p3 = p2 * w + 3;
    p4 = p3 * w + 4;
    p5 = p4 * w + 5;
    p6 = p5 * w + 6;
    p7 = p6 * w + 7;
    p8 = p7 * w + 8;
    p9 = p8 * w + 9;
    p10 = p9 * w + 10;
    p11 = p10 * w + 11;
    p12 = p11 * w + 12;
    c = x @ w;
    y = c @ (c + p12);
}

fn few[N](x: f32[N, 3, 3], w: f32[3, 3]) -> (y: f32[N, 3, 3]) {
    p0 = w;
    p1 = p0 * w + 1;
    p2 = p1 * w + 2;
    p3 = p2 * w + 3;
    c = x @ w;
    y = c @ (c + p3);
}
// ---- expect
// 139
// 169
