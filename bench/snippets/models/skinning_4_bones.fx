// inputs: bone 0..B
fn f[V, B](v: f32[V, 3], w: f32[V, 4], bone: i32[V, 4], m: f32[B, 3, 4]) -> (y: f32[V, 3]) {
    t = sum(take(m, bone, axis = 0) * w[:, :, None, None], axis = 1);
    y = sum(t[:, :, :3] * v[:, None]) + t[:, :, 3];
}
