// run: fusec %s --fn five --target=cuda --arch sm_90a --tile kind=permute,m=64,n=256 --no-test -o %t.cu
// run: sed -n '/^.. five_0/,/^}/p' %t.cu
// run: fusec explain %s --fn five --arch sm_90a
// run: fusec %s --fn five --tile kind=permute,m=24
// exit: 1
// run: fusec %s --fn five --tile kind=permute,m=4096,n=4096
// exit: 1
// run: fusec %s --fn five --tile kind=permute,vector=1
// exit: 1
// run: fusec %s --fn five --arch sm_75 --tile kind=permute
// exit: 1
// run: fusec explain %s --fn slices --arch sm_90a
// run: fusec explain %s --fn matrix --arch sm_90a
// run: fusec explain %s --fn words --arch sm_90a
// run: fusec explain %s --fn nines --arch sm_90a > out
// run: grep tile out
// run: fusec %s --fn open --tile kind=permute
// exit: 1
// run: fusec %s --fn rows --tile kind=permute
// exit: 1
// Axes are so short that lines of memory span several, on both sides.
fn five(x: bf16[493, 6, 113, 4, 15], z: bf16[15, 493, 4, 113, 6]) -> (y: bf16[15, 493, 4, 113, 6]) {
    y = permute(x, 4, 0, 3, 2, 1) + z;
}
// Slices with a side below 128 go through boxes, larger ones through tiles.
fn slices(x: bf16[18446, 49, 4, 9]) -> (y: bf16[18446, 9, 4, 49]) { y = permute(x, 0, 3, 2, 1); }
fn matrix(x: bf16[64, 136, 144]) -> (y: bf16[64, 144, 136]) { y = permute(x, 0, 2, 1); }
// Where boxes are expected to be slower than the plain kernel, as of 8 bytes, tiles remain if they have whole packs.
fn nines(x: bf16[55555, 64, 9]) -> (y: bf16[55555, 9, 64]) { y = permute(x, 0, 2, 1); }
fn words(x: f64[500, 64, 96]) -> (y: f64[500, 96, 64]) { y = permute(x, 0, 2, 1); }
fn open[N](x: bf16[N, 6, 15]) -> (y: bf16[15, 6, N]) { y = permute(x, 2, 1, 0); }
fn rows(x: f32[30, 20, 64]) -> (y: f32[20, 30, 64]) { y = permute(x, 1, 0, 2); }
// ---- expect
// /* five_0: add; 20055240 elements. Reads x bf16[493, 6, 113, 4, 15], z bf16[15, 493, 4, 113, 6];
//  * writes y bf16[15, 493, 4, 113, 6]. 512 threads for each box of 15 x 4 x 38 x 6 elements,
//  * permuted in shared memory. */
// template <int VEC>
// DEVICE void five_0_tile(const bf16 *__restrict__ x, const bf16 *__restrict__ z,
//                         bf16 *__restrict__ y) {
//     unsigned char *const shared = dynamic_shared;
//     const unsigned box = blockIdx.x;
//     const int i3_start = box % 3 * 38;
//     const int i1 = box / 3;
//     bf16 *const x_tile = (bf16 *)shared;
//     const int x_start = i1 * 40680 + i3_start * 60;
//     const unsigned x_place = place_in_piece<8>(x + x_start);
//     const auto copy_x = [&](unsigned at, bool inside) {
//         unsigned rest = at;
//         const int piece = next_digit<286>(rest) * 8;
//         const int i4 = (int)rest;
//         cp_async_piece<8>(inside, x_tile, x_place + i4 * 2292 + piece, x,
//                           x_start + i4 * 6780 + piece, 20055240);
//     };
//     if (x_start >= 7 && x_start <= 20019052)
//         for (unsigned at = threadIdx.x; at < 6 * 286; at += 512) copy_x(at, true);
//     else
//         for (unsigned at = threadIdx.x; at < 6 * 286; at += 512) copy_x(at, false);
//     cp_async_commit();
//     cp_async_wait<0>();
//     __syncthreads();
//     for (unsigned at = threadIdx.x; at < 2736 / VEC; at += 512) {
//         unsigned rest = at;
//         const int i4 = next_digit<6 / VEC>(rest) * VEC;
//         const int j3 = next_digit<38>(rest);
//         const int i2 = next_digit<4>(rest);
//         const int first = (int)rest;
//         const int i3 = i3_start + j3;
//         if (i3 >= 113) continue;
// #pragma unroll
//         for (int item = 0; item < 5; item++) {
//             const int i0 = first + item * 3;
//             const Pack<bf16, VEC> z_pack =
//                 load_pack<VEC>(z + i0 * 1337016 + i1 * 2712 + i2 * 678 + i3 * 6 + i4);
//             Pack<bf16, VEC> y_pack;
// #pragma unroll
//             for (int l = 0; l < VEC; l++) {
//                 const float x_1 =
//                     from_bf16(x_tile[x_place + i0 + i2 * 15 + j3 * 60 + (i4 + l) * 2292]);
//                 const float z_1 = from_bf16(z_pack.at[l]);
//                 y_pack.at[l] = to_bf16(x_1 + z_1);
//             }
//             store_pack(y + i0 * 1337016 + i1 * 2712 + i2 * 678 + i3 * 6 + i4, y_pack);
//         }
//     }
// }
// fn five at -O2: 2 ops in 1 kernel
//
// kernel five_0: pointwise over [15, 493, 4, 113, 6]
//   does      add, as
//   reads     76.5 MiB: x, z
//   writes    38.3 MiB: y
//   computes  20.1 Mflop, 0.17 for each byte moved
//   estimate  35.9 us, bound by memory
//   tile      kind=permute,m=64,n=128,threads=512,vector=8,unroll=8
//   inside    %6 add (23:9)
//   saves     153.0 MiB by fusion
//
// total
//   moves     114.8 MiB; one kernel per op would move 267.8 MiB, 2.3 times as much
//   computes  20.1 Mflop
//   estimate  38.4 us on H100, launches included
//   workspace 0 bytes in 0 slots
//   peak      114.8 MiB of inputs and outputs; one kernel per op would need 191.3 MiB
// fusec: error: kernel 'five_0' cannot have the tile kind=permute,m=24: m must be a power of 2 from 16 to 4096, not 24
// fusec: note: without --tile it has kind=permute,m=64,n=256,threads=512,vector=8,unroll=8
// fusec: error: kernel 'five_0' cannot have the tile kind=permute,m=4096,n=4096: a box takes 81392 bytes of shared memory, and 49152 are there
// fusec: note: without --tile it has kind=permute,m=64,n=256,threads=512,vector=8,unroll=8
// fusec: error: kernel 'five_0' cannot have the tile kind=permute,vector=1: vector must be a power of 2 from 2 to 8, not 1
// fusec: note: without --tile it has kind=permute,m=64,n=256,threads=512,vector=8,unroll=8
// fusec: error: kernel 'five_0' cannot have the tile kind=permute: asynchronous copies to shared memory take sm_80
// fusec: note: without --tile it has kind=pointwise,threads=256,vector=2,unroll=4
// fn slices at -O2: 1 op in 1 kernel
//
// kernel slices_0: pointwise over [18446, 9, 4, 49]
//   does      permute
//   reads     62.1 MiB: x
//   writes    62.1 MiB: y
//   computes  0 flop, 0.00 for each byte moved
//   estimate  38.9 us, bound by memory
//   tile      kind=permute,m=32,n=4096,threads=512,vector=8,unroll=8
//
// total
//   moves     124.1 MiB
//   computes  0 flop
//   estimate  41.4 us on H100, launches included
//   workspace 0 bytes in 0 slots
//   peak      124.1 MiB of inputs and outputs
// fn matrix at -O2: 1 op in 1 kernel
//
// kernel matrix_0: pointwise over [64, 144, 136]
//   does      permute
//   reads     2.4 MiB: x
//   writes    2.4 MiB: y
//   computes  0 flop, 0.00 for each byte moved
//   estimate  1.5 us, bound by memory
//   tile      kind=transpose,m=64,n=64,threads=256,vector=8
//
// total
//   moves     4.8 MiB
//   computes  0 flop
//   estimate  4 us on H100, launches included
//   workspace 0 bytes in 0 slots
//   peak      4.8 MiB of inputs and outputs
// fn words at -O2: 1 op in 1 kernel
//
// kernel words_0: pointwise over [500, 96, 64]
//   does      permute
//   reads     23.4 MiB: x
//   writes    23.4 MiB: y
//   computes  0 flop, 0.00 for each byte moved
//   estimate  14.7 us, bound by memory
//   tile      kind=transpose,m=32,n=32,threads=256,vector=2
//
// total
//   moves     46.9 MiB
//   computes  0 flop
//   estimate  17.2 us on H100, launches included
//   workspace 0 bytes in 0 slots
//   peak      46.9 MiB of inputs and outputs
//   tile      kind=pointwise,threads=256,vector=8,unroll=4
// fusec: error: kernel 'open_0' cannot have the tile kind=permute: no load has all axes, of known sizes, in another order than the stores, and lines of memory that span several
// fusec: note: without --tile it has kind=transpose,m=16,n=128,threads=512,vector=1
// fusec: error: kernel 'rows_0' cannot have the tile kind=permute: no load has all axes, of known sizes, in another order than the stores, and lines of memory that span several
// fusec: note: without --tile it has kind=pointwise,threads=256,vector=4,unroll=4
