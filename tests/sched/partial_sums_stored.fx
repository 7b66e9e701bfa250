// The cotangent of a bias: the kernel that stores the rows adds up their columns, too. A sum alone, or
// beside the epilogue of a product, has kernels of its own.
// run: fusec %s --emit=plan --target=cuda --arch=sm_90a --fn act_bwd -D N=8192 -D D=4096
// run: fusec explain %s --target=cuda --arch=sm_90a --fn geglu_bwd -D N=8192 -D D=256
// run: fusec explain %s --target=c --fn geglu_bwd -D D=256
// run: fusec explain %s --target=cuda --arch=sm_90a --fn alone -D N=8192 -D D=4096
// run: fusec explain %s --target=cuda --arch=sm_90a --fn after -D N=8192 -D D=4096
fn act[N, D](x: bf16[N, D], b: bf16[D]) -> (y: bf16[N, D]) {
    y = gelu(x + b);
}

@max_kernels(2)
fn act_bwd = vjp(act);

fn geglu[N, D](x: bf16[N, D], w: bf16[8*D, D], b: bf16[8*D]) -> (y: bf16[N, 4*D]) {
    v, g = split((x @ w.T + b) as bf16, 2);
    y = v * gelu(g);
}

fn geglu_fwd, geglu_bwd = train(geglu);

fn alone[N, D](x: f32[N, D], r: f32[N]) -> (s: f32[D]) {
    s = sum(x * r[:, None], axis = 0);
}

fn after[N, D](x: bf16[N, 64], w: bf16[64, D]) -> (h: bf16[N, D], s: f32[D]) {
    h = relu(x @ w) as bf16;
    s = sum(h as f32, axis = 0);
}
// ---- expect
// plan act_bwd -O2
// kernel act_bwd_0 row
//   reads x b dy
//   writes sum_parts dx
//   over [8192, 4096] along 4096
//     %8 add f32[8192, 4096]
//     %13 mul f32[8192, 4096]
//     %14 erf f32[8192, 4096]
//     %18 mul f32[8192, 4096]
//     %19 add f32[8192, 4096]
//     %21 mul f32[8192, 4096]
//     %24 mul f32[8192, 4096]
//     %26 exp f32[8192, 4096]
//     %29 mul f32[8192, 4096]
//     %30 mul f32[8192, 4096]
//     %31 add f32[8192, 4096]
//     %32 mul f32[8192, 4096]
//     %33 partial_sum f32[512, 4096] -> sum_parts
//     %36 as bf16[8192, 4096] -> dx
//   bytes_read 134225920
//   bytes_written 75497472
//   flops 436207616
// kernel act_bwd_1 row
//   reads sum_parts
//   writes db
//   over [512, 4096] along 512
//     %34 sum f32[1, 4096]
//     %37 as bf16[4096] -> db
//   bytes_read 8388608
//   bytes_written 8192
//   flops 2097152
// buffer x input bf16[33554432] bytes 67108864 live -1..2
// buffer b input bf16[4096] bytes 8192 live -1..2
// buffer dy input bf16[33554432] bytes 67108864 live -1..2
// buffer dx output bf16[33554432] bytes 67108864 live 0..2
// buffer db output bf16[4096] bytes 8192 live 1..2
// buffer sum_parts temp f32[2097152] bytes 8388608 live 0..1 slot 0
// slot 0 bytes 8388608
// apart %33 partial_sum | %34 sum: space, 16777216 bytes
// peak 209731584
// fn geglu_bwd at -O2: 28 ops in 5 kernels
// keeps 33554432 bytes beside inputs and outputs; all that is read would be 100663296
//   keep_v bf16[8192, 1024]
//   keep_g bf16[8192, 1024]
// computes again in the backward function: exp erf 2 add 6 mul 2 as gelu
//
// kernel geglu_bwd_0: row over [8192, 2048] along 2048
//   does      11 mul, erf, 4 add, exp, partial_sum, as
//   reads     48.0 MiB: keep_g, dy, keep_v
//   writes    40.0 MiB: sum_parts, as_temp
//   computes  167.8 Mflop, 1.82 for each byte moved
//   estimate  27.5 us, bound by memory
//   tile      kind=row,cluster=1,threads=128,row_threads=128,warp_columns=0,vector=8,keep=registers,unroll=4
//   inside    %12 mul (17:13), %13 erf (17:13), %17 mul (17:13), %18 mul (17:13), %19 add (17:13), %22 mul (17:9) and 11 more
//   saves     1.3 GiB by fusion
//
// kernel geglu_bwd_1: row over [1024, 2048] along 1024
//   does      sum, as
//   reads     8.0 MiB: sum_parts
//   writes    4.0 KiB: db
//   computes  2.1 Mflop, 0.25 for each byte moved
//   estimate  2.51 us, bound by memory
//   tile      kind=column,threads=1024,split=32,vector=1,keep=nothing,unroll=4
//   inside    %44 sum (16:29)
//   saves     16.0 KiB by fusion
//
// kernel geglu_bwd_2: dot over [8192, 256]
//   does      matmul, as
//   reads     33.0 MiB: as_temp, w
//   writes    4.0 MiB: dx
//   computes  8.6 Gflop, 221.41 for each byte moved
//   estimate  15.2 us, bound by matrix products
//   tile      kind=wgmma,m=128,n=128,stages=6,group=1,cluster=1,ping_pong=0,stream_k=0,split_k=0,persistent=1,vector=8,unroll=4
//   inside    %47 matmul (16:19)
//   saves     16.0 MiB by fusion
//
// kernel geglu_bwd_3: dot over [4, 2048, 256]
//   does      matmul
//   reads     36.0 MiB: as_temp, x
//   writes    8.0 MiB: matmul_parts
//   computes  8.6 Gflop, 186.18 for each byte moved
//   estimate  15.7 us, bound by matrix products
//   tile      kind=wgmma,m=128,n=128,stages=6,group=1,cluster=1,ping_pong=0,stream_k=0,split_k=0,persistent=1,vector=4,unroll=4
//
// kernel geglu_bwd_4: pointwise over [2048, 256]
//   does      3 add, as
//   reads     8.0 MiB: matmul_parts
//   writes    1.0 MiB: dw
//   computes  1.6 Mflop, 0.17 for each byte moved
//   estimate  2.82 us, bound by memory
//   tile      kind=pointwise,threads=256,vector=4,unroll=1
//   inside    %57 add (16:19), %59 add (16:19), %61 add (16:19)
//   saves     28.0 MiB by fusion
//
// kept apart
//   geglu_bwd_0 | geglu_bwd_1: they iterate over different shapes and the value between them is stored (together they would save about 16.0 MiB and 7.51 us)
//     from %43 partial_sum (16:29) to %44 sum (16:29)
//   geglu_bwd_3 | geglu_bwd_4: they iterate over different shapes and the value between them is stored (together they would save about 16.0 MiB and 5.89 us)
//     from %54 matmul (16:19) to %59 add (16:19)
//   geglu_bwd_0 | geglu_bwd_2: a contraction computes its operands element by element, and this one needs reductions (together they would save about 32.0 MiB and 16.1 us)
//     from %46 as (16:19) to %47 matmul (16:19)
//   geglu_bwd_0 | geglu_bwd_3: a contraction computes its operands element by element, and this one needs reductions (together they would save about 32.0 MiB and 14.5 us)
//     from %46 as (16:19) to %54 matmul (16:19)
//   geglu_bwd_2 | geglu_bwd_3: contractions side by side need the same left operand, type and shape (together they would save about 32.0 MiB and 3.52 us)
//     beside each other: %47 matmul (16:19) and %54 matmul (16:19)
//
// total
//   moves     186.0 MiB; one kernel per op would move 1.5 GiB, 8.4 times as much
//   computes  17.4 Gflop
//   estimate  76.3 us on H100, launches included
//   workspace 40.0 MiB in 2 slots
//   peak      98.0 MiB with inputs and outputs; one kernel per op would need 218.0 MiB
// fn geglu_bwd at -O2: 25 ops in 4 kernels
// times and ratios are for N = 1024 (-D gives others)
// keeps 4096*N bytes beside inputs and outputs; all that is read would be 12288*N
//   keep_v bf16[N, 1024]
//   keep_g bf16[N, 1024]
// computes again in the backward function: exp erf 2 add 6 mul 2 as gelu
//
// kernel geglu_bwd_0: row over [N, 2048] along 2048
//   does      11 mul, erf, 4 add, exp, partial_sum, as
//   reads     6144*N bytes: keep_g, dy, keep_v
//   writes    4096*N + 524288 bytes: sum_parts, as_temp
//   computes  20480*N flop, 1.90 for each byte moved
//   estimate  6 % of the total time, bound by special functions
//   tile      kind=loops,rows=1,vectors=1,keep=memory,unroll=4,prefetch=8192,parallel=32768,stream=16777216,prefetch_from=1048576,stack=16384,partial=16,partial_sums=3,across=0
//   inside    %12 mul (17:13), %13 erf (17:13), %17 mul (17:13), %18 mul (17:13), %19 add (17:13), %22 mul (17:9) and 11 more
//   saves     172032*N bytes by fusion
//
// kernel geglu_bwd_1: row over [64, 2048] along 64
//   does      sum, as
//   reads     512.0 KiB: sum_parts
//   writes    4.0 KiB: db
//   computes  131.1 kflop, 0.25 for each byte moved
//   estimate  less than 1 % of the total time, bound by memory
//   tile      kind=column,n=4096,rows=8,parallel=32768
//   inside    %44 sum (16:29)
//   saves     16.0 KiB by fusion
//
// kernel geglu_bwd_2: dot over [N, 256]
//   does      matmul, as
//   reads     4096*N + 1048576 bytes: as_temp, w
//   writes    512*N bytes: dx
//   computes  1048576*N flop, 186.18 for each byte moved
//   estimate  47 % of the total time, bound by matrix products
//   tile      kind=blocks,m=2048,n=2048,k=1024,group=32,block=224,rows=0,vectors=2,parallel=100000,sums=512
//   inside    %47 matmul (16:19)
//   saves     2048*N bytes by fusion
//
// kernel geglu_bwd_3: dot over [2048, 256]
//   does      matmul, as
//   reads     4608*N bytes: as_temp, x
//   writes    1.0 MiB: dw
//   computes  1048576*N flop, 186.18 for each byte moved
//   estimate  47 % of the total time, bound by matrix products
//   tile      kind=blocks,m=2048,n=2048,k=1024,group=32,block=224,rows=0,vectors=2,parallel=100000,sums=512
//   inside    %50 matmul (16:19)
//   saves     4.0 MiB by fusion
//
// kept apart
//   geglu_bwd_0 | geglu_bwd_1: they iterate over different shapes and the value between them is stored (together they would save less than 1 % of the total time)
//     from %43 partial_sum (16:29) to %44 sum (16:29)
//   geglu_bwd_0 | geglu_bwd_2: a contraction computes its operands element by element, and this one needs reductions (together they would save 6 % of the total time)
//     from %46 as (16:19) to %47 matmul (16:19)
//   geglu_bwd_0 | geglu_bwd_3: a contraction computes its operands element by element, and this one needs reductions (together they would save 6 % of the total time)
//     from %46 as (16:19) to %50 matmul (16:19)
//   geglu_bwd_2 | geglu_bwd_3: contractions side by side need the same left operand, type and shape (together they would save less than 1 % of the total time)
//     beside each other: %47 matmul (16:19) and %50 matmul (16:19)
//
// total
//   moves     19456*N + 3149824 bytes; one kernel per op would move 193536*N + 7360512 bytes, 8.9 times as much
//   computes  2117632*N + 131072 flop
//   estimate  1.43e+04 us on core, launches included, with N = 1024
//   workspace 4096*N + 524288 bytes in 2 slots
//   peak      11264*N + 2629632 bytes with inputs and outputs; one kernel per op would need 27648*N + 4210688 bytes
// fn alone at -O2: 3 ops in 2 kernels
//
// kernel alone_0: row over [8, 1024, 4096] along 1024
//   does      mul, sum
//   reads     128.0 MiB: x, r
//   writes    128.0 KiB: sum_parts
//   computes  67.1 Mflop, 0.50 for each byte moved
//   estimate  40.1 us, bound by memory
//   tile      kind=column,threads=1024,split=32,vector=1,keep=nothing,unroll=4
//   inside    %5 mul (23:13)
//   saves     256.0 MiB by fusion
//
// kernel alone_1: row over [8, 4096] along 8
//   does      sum
//   reads     128.0 KiB: sum_parts
//   writes    16.0 KiB: s
//   computes  32.8 kflop, 0.22 for each byte moved
//   estimate  0.044 us, bound by memory
//   tile      kind=column,threads=128,split=2,vector=1,keep=nothing,unroll=4
//
// kept apart
//   alone_0 | alone_1: they iterate over different shapes and the value between them is stored (together they would save about 256.0 KiB and 2.58 us)
//     from %7 sum (23:9) to %9 sum (23:9)
//
// total
//   moves     128.3 MiB; one kernel per op would move 384.3 MiB, 3.0 times as much
//   computes  67.1 Mflop
//   estimate  45.2 us on H100, launches included
//   workspace 128.0 KiB in 1 slot
//   peak      128.2 MiB with inputs and outputs; one kernel per op would need 256.2 MiB
// fn after at -O2: 5 ops in 3 kernels
//
// kernel after_0: dot over [8192, 4096]
//   does      matmul, max, as
//   reads     1.5 MiB: x, w
//   writes    64.0 MiB: h
//   computes  4.3 Gflop, 63.02 for each byte moved
//   estimate  20.5 us, bound by memory
//   tile      kind=wgmma,m=128,n=128,stages=6,group=16,cluster=1,ping_pong=1,stream_k=0,split_k=0,persistent=1,vector=8,unroll=4
//   inside    %4 matmul (27:14), %8 max (27:9)
//   saves     512.0 MiB by fusion
//
// kernel after_1: row over [8, 1024, 4096] along 1024
//   does      sum
//   reads     64.0 MiB: h
//   writes    128.0 KiB: sum_parts
//   computes  33.6 Mflop, 0.50 for each byte moved
//   estimate  20.1 us, bound by memory
//   tile      kind=column,threads=1024,split=32,vector=2,keep=nothing,unroll=4
//
// kernel after_2: row over [8, 4096] along 8
//   does      sum
//   reads     128.0 KiB: sum_parts
//   writes    16.0 KiB: s
//   computes  32.8 kflop, 0.22 for each byte moved
//   estimate  0.044 us, bound by memory
//   tile      kind=column,threads=128,split=2,vector=1,keep=nothing,unroll=4
//
// kept apart
//   after_0 | after_1: they iterate over different shapes and the value between them is stored (together they would save about 64.0 MiB and 22.5 us)
//     from h (27:9) to %12 sum (28:9)
//   after_1 | after_2: they iterate over different shapes and the value between them is stored (together they would save about 256.0 KiB and 2.58 us)
//     from %12 sum (28:9) to %14 sum (28:9)
//
// total
//   moves     129.8 MiB; one kernel per op would move 641.8 MiB, 4.9 times as much
//   computes  4.4 Gflop
//   estimate  48.1 us on H100, launches included
//   workspace 128.0 KiB in 1 slot
//   peak      65.6 MiB with inputs and outputs; one kernel per op would need 193.5 MiB
