// inputs: token 0..V, p 0.1..1, q 0.1..1, u 0..1.5
fn f[B, V](
    p: f32[B, 8, V],
    q: f32[B, 8, V],
    token: i32[B, 8],
    u: f32[B, 8]
) -> (accepted: i32[B], next: i32[B]) {
    hot = token[:, :, None] == iota(V);
    a = sum(where(hot, p, 0));
    b = sum(where(hot, q, 0));
    accepted = sum((cumsum((u >= a / b) as i32) == 0) as i32);
    row = (iota(8) == min(accepted, 7)[:, None])[:, :, None];
    next = argmax(sum(where(row, relu(log(p) - log(q)), 0), axis = 1));
}
