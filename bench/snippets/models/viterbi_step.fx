fn f[B, T](
    score: f32[B, T],
    trans: f32[T, T],
    emit: f32[B, T]
) -> (next: f32[B, T], from: i32[B, T]) {
    s = score[:, :, None] + trans;
    next = max(s, axis = 1) + emit;
    from = argmax(s, axis = 1);
}
