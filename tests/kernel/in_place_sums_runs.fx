// run: fusec run %s --check -D N=133 -D D=12 -D F=136
// run: fusec run %s --check -D N=37 -D D=5 -D F=7
// Cotangents are written over what is consumed by the kernel that also adds up their columns, in chunks of
// rows: none reads a row of another chunk, which may be written by then.
@consume(v, g)
fn gates[N, D, F](x: f32[N, D], w: f32[2*F, D], v: f32[N, F], g: f32[N, F], dy: f32[N, F])
    -> (dx: f32[N, D], dw: f32[F, D], dr: f32[F, D], db: f32[F], de: f32[F]) {
    dv = dy * sigmoid(g);
    dg = dy * v * exp(g);
    dx = dv @ w[:F] + dg @ w[F:];
    dw = dv.T @ x;
    dr = dg.T @ x;
    db = sum(dv, 0);
    de = sum(dg, 0);
}
