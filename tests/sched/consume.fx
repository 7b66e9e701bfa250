// Backward functions that overwrite what is kept: memory of GEGLU, SwiGLU, linear with cross-entropy.
// run: fusec explain %s --memory --fn=geglu_bwd -D N=16384 -D D=1024 --arch=sm_90a
// run: fusec explain %s --memory --fn=swiglu_bwd -D N=8192 -D D=2048 -D F=5632 --arch=sm_90a
// run: fusec explain %s --memory --fn=loss_bwd -D N=4096 -D V=50304 -D D=2048 --arch=sm_90a
// run: fusec %s --emit=plan --fn=later
fn geglu[N, D](x: bf16[N, D], w: bf16[8*D, D], b: bf16[8*D]) -> (y: bf16[N, 4*D]) {
    v, g = split((x @ w.T + b) as bf16, 2);
    y = v * gelu(g);
}
@consume
fn geglu_fwd, geglu_bwd = train(geglu);

fn swiglu[N, D, F](x: bf16[N, D], gate: bf16[F, D], up: bf16[F, D], down: bf16[D, F])
    -> (y: bf16[N, D]) {
    h = (silu((x @ gate.T) as bf16) * ((x @ up.T) as bf16)) as bf16;
    y = h @ down.T;
}
@consume
fn swiglu_fwd, swiglu_bwd = train(swiglu);

fn loss_of[N, V, D](x: bf16[N, D], w: bf16[V, D], labels: i32[N]) -> (loss: f32[N]) {
    loss = cross_entropy((x @ w.T) as bf16, labels);
}
@consume
fn loss_fwd, loss_bwd = train(loss_of);

// a is written over x in place, b where y was, c where x and a were; z is too small for any.
@consume(x, y, z)
fn later[N](x: f32[N, N], y: f32[N, N], z: f32[N]) -> (v: f32[N, N]) {
    a = exp(x + (y @ y) + z);
    b = cumsum(a, axis = 0);
    c = cumsum(sin(b), axis = 1);
    v = c @ b;
}
// ---- expect
// fn geglu_bwd at -O2: memory over 7 kernels
//
//   x           #######    32.0 MiB  input
//   w           #######    16.0 MiB  input
//   b           #######    16.0 KiB  input
//   keep_v      #######   128.0 MiB  kept
//   keep_g      #######   128.0 MiB  kept
//   dy          #######   128.0 MiB  input
//   dx          #######    32.0 MiB  output
//   dw          #######    16.0 MiB  output
//   db          #######    16.0 KiB  output
//   sum_parts   ##.....     8.0 MiB  slot 0
//   sum_parts2  ##.....     8.0 MiB  slot 1
//   dv          #####..   128.0 MiB  in keep_g
//   dg          ######.   128.0 MiB  in keep_v
//   sum_temp    .##....    16.0 KiB  slot 2
//   sum_temp2   .##....    16.0 KiB  slot 3
//   as_temp     ....###     8.0 MiB  slot 0
//   as_temp2    .....##     8.0 MiB  in keep_g
//
// in memory while a kernel runs
//   geglu_bwd_0   496.0 MiB  ################################
//   geglu_bwd_1   496.1 MiB  ################################ peak
//   geglu_bwd_2   480.1 MiB  ###############################
//   geglu_bwd_3   480.0 MiB  ###############################
//   geglu_bwd_4   488.0 MiB  ###############################
//   geglu_bwd_5   488.0 MiB  ###############################
//   geglu_bwd_6   488.0 MiB  ###############################
//
// total
//   input     176.0 MiB
//   output    48.0 MiB
//   kept      256.0 MiB
//   workspace 16.0 MiB in 4 slots, which 288.0 MiB of values share
//   peak      496.1 MiB in geglu_bwd_1: keep_v, keep_g, dy, dv, dg, x, ..
//   one kernel per op: peak 1.5 GiB, workspace 1.0 GiB in 5 slots, 34 kernels
// fn swiglu_bwd at -O2: memory over 5 kernels
//
//   x         #####    32.0 MiB  input
//   gate      #####    22.0 MiB  input
//   up        #####    22.0 MiB  input
//   down      #####    22.0 MiB  input
//   keep_1    #####    88.0 MiB  kept
//   keep_2    #####    88.0 MiB  kept
//   keep_h    #####    88.0 MiB  kept
//   dy        #####    32.0 MiB  input
//   dx        #####    32.0 MiB  output
//   dgate     #####    22.0 MiB  output
//   dup       #####    22.0 MiB  output
//   ddown     #####    22.0 MiB  output
//   as_temp   ####.    88.0 MiB  in keep_1
//   as_temp2  #####    88.0 MiB  in keep_2
//
// in memory while a kernel runs
//   swiglu_bwd_0   492.0 MiB  ################################ peak
//   swiglu_bwd_1   492.0 MiB  ################################
//   swiglu_bwd_2   492.0 MiB  ################################
//   swiglu_bwd_3   492.0 MiB  ################################
//   swiglu_bwd_4   492.0 MiB  ################################
//
// total
//   input     130.0 MiB
//   output    98.0 MiB
//   kept      264.0 MiB
//   workspace 0 bytes in 0 slots, which 176.0 MiB of values share
//   peak      492.0 MiB in swiglu_bwd_0: keep_1, keep_2, keep_h, as_temp, as_temp2, x, ..
//   one kernel per op: peak 1.3 GiB, workspace 968.0 MiB in 7 slots, 25 kernels
// fn loss_bwd at -O2: memory over 3 kernels
//
//   x        ###    16.0 MiB  input
//   w        ###   196.5 MiB  input
//   labels   ###    16.0 KiB  input
//   keep_1   ###   393.0 MiB  kept
//   keep_2   ###    16.0 KiB  kept
//   dloss    ###    16.0 KiB  input
//   dx       ###    16.0 MiB  output
//   dw       ###   196.5 MiB  output
//   as_temp  ###   393.0 MiB  in keep_1
//
// in memory while a kernel runs
//   loss_bwd_0   818.0 MiB  ################################ peak
//   loss_bwd_1   818.0 MiB  ################################
//   loss_bwd_2   818.0 MiB  ################################
//
// total
//   input     212.5 MiB
//   output    212.5 MiB
//   kept      393.0 MiB
//   workspace 0 bytes in 0 slots, which 393.0 MiB of values share
//   peak      818.0 MiB in loss_bwd_0: keep_1, as_temp, w, dw, x, dx, ..
//   one kernel per op: peak 2.3 GiB, workspace 1.5 GiB in 2 slots, 13 kernels
// plan later -O2
// kernel later_0 dot
//   reads y x z
//   writes a
//   over [N, N]
//     %5 matmul f32[N, N]
//     %6 add f32[N, N]
//     %9 add f32[N, N]
//     %10 exp f32[N, N] -> a
//   bytes_read 8*N*N + 4*N
//   bytes_written 4*N*N
//   flops 2*N*N*N + 3*N*N
// kernel later_1 row
//   reads a
//   writes b
//   over [N, N] along N
//     %11 cumsum f32[N, N] -> b
//   bytes_read 4*N*N
//   bytes_written 4*N*N
//   flops N*N
// kernel later_2 row
//   reads b
//   writes c
//   over [N, N] along N
//     %12 sin f32[N, N]
//     %13 cumsum f32[N, N] -> c
//   bytes_read 4*N*N
//   bytes_written 4*N*N
//   flops 2*N*N
// kernel later_3 dot
//   reads c b
//   writes v
//   over [N, N]
//     %15 matmul f32[N, N] -> v
//   bytes_read 8*N*N
//   bytes_written 4*N*N
//   flops 2*N*N*N
// buffer x input f32[N*N] bytes 4*N*N live -1..0 consumed
// buffer y input f32[N*N] bytes 4*N*N live -1..0 consumed
// buffer z input f32[N] bytes 4*N live -1..0 consumed
// buffer v output f32[N*N] bytes 4*N*N live 3..4
// buffer a temp f32[N*N] bytes 4*N*N live 0..1 in x
// buffer b temp f32[N*N] bytes 4*N*N live 1..3 in y
// buffer c temp f32[N*N] bytes 4*N*N live 2..3 in x
// apart %10 exp | %11 cumsum: scan, 8388608 bytes
// apart %11 cumsum | %12 sin: axes, 4194304 bytes
// apart %13 cumsum | v: operand, 12582912 bytes
// apart %11 cumsum | v: operand, 4194304 bytes
// apart %12 sin | v: operand, 12582912 bytes
// apart %12 sin | v: bundle, 12582912 bytes
// peak 12*N*N + 4*N
