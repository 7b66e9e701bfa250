// run: fusec run %s --check -D N=6 -D D=37
// run: fusec run %s --check -D N=70 -D D=40
// run: fusec run %s --check -D N=10 -D D=1032
// Sums of columns, in chunks of rows, in the kernels that reduce the rows.
fn norm[N, D](x: f32[N, 2, D], gain: f32[D], bias: f32[D]) -> (y: f32[N, 2, D]) {
    y = layer_norm(x, gain, bias);
}

fn norm_bwd = vjp(norm);

@max_kernels(2)
fn f[N, D](
    x: f32[N, 2, D],
    gain: f32[D],
    bias: f32[D],
    dy: f32[N, 2, D]
) -> (dx: f32[N, 2, D], dgain: f32[D], dbias: f32[D]) {
    dx, dgain, dbias = norm_bwd(x, gain, bias, dy);
}
