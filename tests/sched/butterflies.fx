// Steps of a butterfly are concatenations, one of another: each element would compute twice as much with
// every step. A kernel has all elements of a row instead. Two steps stay as they are.
// run: fusec explain %s --fn hadamard -D N=4096 --target=c -o %t.0
// run: fusec explain %s --fn hadamard --machine=H200 -o %t.1
// run: fusec explain %s --fn two_steps -D N=4096 --target=c -o %t.2
// run: fusec explain %s --fn rolls -D W=48 -o %t.3
// run: grep -hE "^(fn|kernel)|moves" %t.0 %t.1 %t.2 %t.3
fn hadamard[N](x: bf16[N, 32]) -> (q: i8[N, 32], scale: f32[N]) {
    a = reshape(x as f32, N, 2, 16);
    b = reshape(concat(a[:, 0] + a[:, 1], a[:, 0] - a[:, 1]), N, 2, 2, 8);
    c = reshape(concat(b[:, :, 0] + b[:, :, 1], b[:, :, 0] - b[:, :, 1]), N, 4, 2, 4);
    d = reshape(concat(c[:, :, 0] + c[:, :, 1], c[:, :, 0] - c[:, :, 1]), N, 8, 2, 2);
    e = reshape(concat(d[:, :, 0] + d[:, :, 1], d[:, :, 0] - d[:, :, 1]), N, 16, 2);
    h = reshape(concat(e[..., :1] + e[..., 1:], e[..., :1] - e[..., 1:]), N, 32);
    scale = max(abs(h)) / 127;
    q = round(h / max(scale[:, None], 1e-12)) as i8;
}

fn two_steps[N](x: f32[N, 16]) -> (y: f32[N, 16]) {
    a = concat(x[:, :8] + x[:, 8:], x[:, :8] - x[:, 8:]);
    b = reshape(a, N, 2, 2, 4);
    y = reshape(concat(b[:, :, 0] + b[:, :, 1], b[:, :, 0] - b[:, :, 1]), N, 16);
}

// Nor is what is shifted by one element a butterfly.
fn rolls[H, W](x: f32[H, W]) -> (y: f32[H, W]) {
    a = x + concat(x[:, 1:], x[:, :1]);
    b = a + concat(a[1:], a[:1], axis = 0);
    c = b + concat(b[:, 1:], b[:, :1]);
    d = c + concat(c[1:], c[:1], axis = 0);
    y = d + concat(d[:, 1:], d[:, :1]);
}
// ---- expect
// fn hadamard at -O2: 383 ops in 1 kernel
// kernel hadamard_0: pointwise over [4096]
//   moves     400.0 KiB; one kernel per op would move 20.4 MiB, 52.2 times as much
// fn hadamard at -O2: 383 ops in 1 kernel
// kernel hadamard_0: pointwise over [N]
//   moves     100*N bytes; one kernel per op would move 7140*N + 1984 bytes, 71.4 times as much
// fn two_steps at -O2: 8 ops in 1 kernel
// kernel two_steps_0: pointwise over [4096, 2, 8]
//   moves     512.0 KiB; one kernel per op would move 2.5 MiB, 5.0 times as much
// fn rolls at -O2: 14 ops in 2 kernels
// kernel rolls_0: pointwise over [H, 48]
// kernel rolls_1: pointwise over [H, 48]
//   moves     768*H bytes; one kernel per op would move 4803*H + 192 bytes, 6.3 times as much
