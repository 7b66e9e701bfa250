// A thread has neighbouring columns where what their elements read of rows, such as a length, is that of
// all of them, but not where it differs from column to column, as a mean that is subtracted does.
// run: fusec explain %s --target=cuda --arch=sm_90a --fn pooled -D B=512 -D S=128 -D D=768
// run: fusec explain %s --target=cuda --arch=sm_90a --fn apart -D B=512 -D S=128 -D D=768
// inputs: length 1..S
fn pooled[B, S, D](x: bf16[B, S, D], length: i32[B]) -> (m: f32[B, D]) {
    live = (iota(S) < length[:, None])[:, :, None];
    m = sum(where(live, x as f32, 0), axis = 1) / (length as f32)[:, None];
}

fn apart[B, S, D](x: bf16[B, S, D], at: f32[B, D]) -> (m: f32[B, D]) {
    m = sum(abs(x - at[:, None]), axis = 1);
}
// ---- expect
// fn pooled at -O2: 5 ops in 1 kernel
//
// kernel pooled_0: row over [512, 128, 768] along 128
//   does      lt, where, sum, as, div
//   reads     96.0 MiB: length, x
//   writes    1.5 MiB: m
//   computes  101.1 Mflop, 0.99 for each byte moved
//   estimate  30.5 us, bound by memory
//   tile      kind=column,threads=256,split=1,vector=2,keep=nothing,unroll=16
//   inside    %8 lt (7:13), %15 where (8:13), %16 sum (8:9), %18 as (8:52)
//   saves     387.1 MiB by fusion
//
// total
//   moves     97.5 MiB; one kernel per op would move 484.6 MiB, 5.0 times as much
//   computes  101.1 Mflop
//   estimate  33 us on H100, launches included
//   workspace 0 bytes in 0 slots
//   peak      97.5 MiB of inputs and outputs; one kernel per op would need 291.0 MiB
// fn apart at -O2: 3 ops in 1 kernel
//
// kernel apart_0: row over [512, 128, 768] along 128
//   does      sub, abs, sum
//   reads     97.5 MiB: x, at
//   writes    1.5 MiB: m
//   computes  151.0 Mflop, 1.45 for each byte moved
//   estimate  31 us, bound by memory
//   tile      kind=column,threads=256,split=1,vector=1,keep=nothing,unroll=16
//   inside    %6 sub (12:17), %7 abs (12:13)
//   saves     768.0 MiB by fusion
//
// total
//   moves     99.0 MiB; one kernel per op would move 867.0 MiB, 8.8 times as much
//   computes  151.0 Mflop
//   estimate  33.5 us on H100, launches included
//   workspace 0 bytes in 0 slots
//   peak      99.0 MiB of inputs and outputs; one kernel per op would need 291.0 MiB
