// run: fusec run %s --check -D N=70 -D D=37
// run: fusec run %s --check -D N=34 -D D=1032
// The kernel that stores the rows adds up their columns, in chunks of rows.
fn act[N, D](x: bf16[N, D], b: bf16[D]) -> (y: bf16[N, D]) {
    y = gelu(x + b);
}

fn act_bwd = vjp(act);

@max_kernels(2)
fn f[N, D](x: bf16[N, D], b: bf16[D], dy: bf16[N, D]) -> (dx: bf16[N, D], db: bf16[D]) {
    dx, db = act_bwd(x, b, dy);
}
