// Pointwise results that are stored and reduced in chunks: one kernel, in the shape of the chunks.
// run: fusec explain %s --fn jacobi -D H=512 -D W=384 --target=c -o %t.0
// run: fusec explain %s --fn jacobi -D H=512 -D W=384 --machine=H200 -o %t.1
// run: fusec explain %s --fn loss_and_slope -D N=8192 -D C=80 --target=c -o %t.2
// run: fusec explain %s --fn normed -D N=128 -D C=1024 --machine=H200 -o %t.3
// run: fusec explain %s --fn rows -D N=512 -D C=512 --machine=H200 -o %t.4
// run: fusec explain %s --fn sums -D N=131072 -D C=3 --machine=H200 -o %t.5
// run: fusec explain %s --fn residual_quantised -D D=4096 --machine=H200 -o %t.6
// run: grep -hE "^(fn|kernel)|moves" %t.0 %t.1 %t.2 %t.3 %t.4 %t.5 %t.6
fn jacobi[H, W](p: f32[H, W], b: f32[H, W]) -> (next: f32[H, W], residual: f32) {
    a = pad(pad(p, 0, 1, 1), 1, 1, 1);
    next = (a[:H, 1:W+1] + a[2:, 1:W+1] + a[1:H+1, :W] + a[1:H+1, 2:] - b) / 4;
    residual = max(abs(next - p), axis = [0, 1]);
}

fn loss[N, C](x: f32[N, C], y: f32[N, C]) -> (l: f32) {
    l = mean(softplus(x) - x * y, axis = [0, 1]);
}

fn loss_and_slope = value_and_grad(loss, wrt = [x]);

// The sum is needed for what is stored: its addends are computed again.
fn normed[N, C](x: f32[N, C], s: f32[C]) -> (y: f32[N, C], norm: f32) {
    z = x * s;
    norm = sqrt(sum(z * z, axis = [0, 1]));
    y = z / norm;
}

// What is also reduced in its own shape keeps it.
fn rows[N, C](x: f32[N, C]) -> (y: f32[N, C], all: f32) {
    e = exp(x);
    y = e / sum(e, keep = true);
    all = sum(e, axis = [0, 1]);
}

// So does what depends on rows.
fn sums[N, C](x: f32[N, C]) -> (s: f32[N], all: f32) {
    s = sqrt(sum(x * x));
    all = sum(s * 2);
}

// What is reduced is computed of it in the shape of groups.
fn residual_quantised[N, D](
    x: bf16[N, D],
    r: bf16[N, D]
) -> (h: bf16[N, D], q: i8[N, D], s: f32[N, D/128]) {
    h = x + r;
    g = reshape(h, N, D / 128, 128);
    s = max(abs(g)) / 127;
    q = reshape(round(g / max(s, 1e-8)[:, :, None]), N, D) as i8;
}
// ---- expect
// fn jacobi at -O2: 9 ops in 2 kernels
// kernel jacobi_0: row over [32, 16, 384] along 16, 384
// kernel jacobi_1: row over [32] along 32
//   moves     2.3 MiB; one kernel per op would move 14.3 MiB, 6.3 times as much
// fn jacobi at -O2: 9 ops in 2 kernels
// kernel jacobi_0: row over [32, 16, 384] along 16, 384
// kernel jacobi_1: row over [32] along 32
//   moves     2.3 MiB; one kernel per op would move 14.3 MiB, 6.3 times as much
// fn loss_and_slope at -O2: 18 ops in 2 kernels
// kernel loss_and_slope_0: row over [128, 64, 80] along 64, 80
// kernel loss_and_slope_1: row over [128] along 128
//   moves     7.5 MiB; one kernel per op would move 87.5 MiB, 11.7 times as much
// fn normed at -O2: 5 ops in 1 kernel
// kernel normed_0: row over [128, 1024] along 128, 1024
//   moves     1.0 MiB; one kernel per op would move 3.5 MiB, 3.5 times as much
// fn rows at -O2: 5 ops in 3 kernels
// kernel rows_0: row over [512, 512] along 512
// kernel rows_1: row over [64, 8, 512] along 8, 512
// kernel rows_2: row over [64] along 64
//   moves     4.0 MiB; one kernel per op would move 6.0 MiB, 1.5 times as much
// fn sums at -O2: 9 ops in 2 kernels
// kernel sums_0: row over [32, 4096] along 4096
// kernel sums_1: row over [32] along 32
//   moves     2.0 MiB; one kernel per op would move 8.5 MiB, 4.2 times as much
// fn residual_quantised at -O2: 9 ops in 1 kernel
// kernel residual_quantised_0: row over [N, 32, 128] along 128
//   moves     28800*N bytes; one kernel per op would move 160384*N bytes, 5.6 times as much
