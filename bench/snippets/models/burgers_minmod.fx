fn next[B, N](u: f32[B, N]) -> (y: f32[B, N]) {
    y = concat(u[:, 1:], u[:, :1]);
}

fn last[B, N](u: f32[B, N]) -> (y: f32[B, N]) {
    y = concat(u[:, -1:], u[:, :-1]);
}

fn f[B, N](u: f32[B, N]) -> (y: f32[B, N]) {
    a = u - last(u);
    b = next(u) - u;
    s = where(a * b > 0, where(abs(a) < abs(b), a, b), 0);
    left = u + 0.5 * s;
    right = next(u - 0.5 * s);
    c = max(abs(left), abs(right));
    flux = 0.25 * (left * left + right * right) - 0.5 * c * (right - left);
    y = u - 0.2 * (flux - last(flux));
}
