fn f[B, T](x: f32[B, T]) -> (top: f32[B, T], drop: f32[B, T]) {
    top = cummax(x);
    drop = top - x;
}
