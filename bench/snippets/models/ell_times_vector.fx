// inputs: at 0..N
fn f[N, K](vals: f32[N, K], at: i32[N, K], x: f32[N]) -> (y: f32[N]) {
    y = sum(vals * take(x, at));
}
