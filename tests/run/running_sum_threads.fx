// A running sum of one row is computed in order: threads do not share it, however long it is.
// run: fusec run %s --fn forwards --check -D N=40001 --threads=2 --device=cpu
// run: fusec run %s --fn backwards --check --threads=3 --device=cpu
// run: fusec run %s --fn down --check --threads=2 --device=cpu
fn forwards[N](x: f32[N]) -> (y: f32[N]) {
    y = exp(cumsum(x) * 0.01);
}

fn backwards(x: f64[40000]) -> (y: f64[40000]) {
    y = cumsum(tanh(x), reverse = true);
}

fn down(x: i8[65536, 1]) -> (y: i32[65536, 1]) {
    y = cumsum(x, axis = 0) + 1;
}
