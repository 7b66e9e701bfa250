// run: fusec %s --emit=plan --json
// run: fusec %s -D N=8 -D D=4 -o %t.json
// run: cat %t.json
fn f[N, D](x: f32[N, D], w: f32[D, D]) -> (y: f32[N, D], z: f32[N]) {
    h = relu(x @ w);
    y = h * 2;
    z = sum(exp(h), axis = -1);
}
// ---- expect
// {
//   "version": 1,
//   "model": "json",
//   "functions": [
//     {
//       "name": "f",
//       "dims": [
//         "N",
//         "D"
//       ],
//       "machine": "A100",
//       "kernels": [
//         {
//           "name": "f_0",
//           "family": "dot",
//           "once": false,
//           "ops": [
//             "matmul",
//             "max",
//             "mul"
//           ],
//           "inputs": [
//             "x",
//             "w"
//           ],
//           "outputs": [
//             "h",
//             "y"
//           ],
//           "bytes_read": "4*N*D + 4*D*D",
//           "bytes_written": "8*N*D",
//           "flops": "2*N*D*D + 2*N*D",
//           "estimate_us": 186.1,
//           "bound": "arithmetic",
//           "tile": "kind=fma,m=128,n=128,k=16,threads_m=16,threads_n=16,blocks=1",
//           "function": "f_0"
//         },
//         {
//           "name": "f_1",
//           "family": "row",
//           "once": false,
//           "ops": [
//             "exp",
//             "sum"
//           ],
//           "inputs": [
//             "h"
//           ],
//           "outputs": [
//             "z"
//           ],
//           "bytes_read": "4*N*D",
//           "bytes_written": "4*N",
//           "flops": "2*N*D",
//           "estimate_us": 2.059,
//           "bound": "memory",
//           "tile": "kind=row,threads=256,row_threads=0,warp_columns=1024,vector=4,keep=nothing,unroll=4",
//           "function": "f_1"
//         }
//       ],
//       "rejected": [
//         {
//           "a": "f_0",
//           "b": "f_1",
//           "reason": "tile",
//           "bytes": 8388608,
//           "us": 4.468
//         },
//         {
//           "a": "f_0",
//           "b": "f_1",
//           "reason": "tile",
//           "bytes": 8388608,
//           "us": 4.468
//         },
//         {
//           "a": "f_0",
//           "b": "f_1",
//           "reason": "bundle",
//           "bytes": 8388608,
//           "us": 4.468
//         }
//       ],
//       "buffers": [
//         {
//           "name": "x",
//           "bytes": "4*N*D",
//           "prepared": false,
//           "first": -1,
//           "last": 2
//         },
//         {
//           "name": "w",
//           "bytes": "4*D*D",
//           "prepared": false,
//           "first": -1,
//           "last": 2
//         },
//         {
//           "name": "y",
//           "bytes": "4*N*D",
//           "prepared": false,
//           "first": 0,
//           "last": 2
//         },
//         {
//           "name": "z",
//           "bytes": "4*N",
//           "prepared": false,
//           "first": 1,
//           "last": 2
//         },
//         {
//           "name": "h",
//           "bytes": "4*N*D",
//           "prepared": false,
//           "first": 0,
//           "last": 1
//         }
//       ],
//       "moved_bytes": "16*N*D + 4*D*D + 4*N",
//       "peak_bytes": "12*N*D + 4*D*D + 4*N",
//       "unfused": {
//         "kernels": 5,
//         "moved_bytes": "36*N*D + 4*D*D + 4*N",
//         "peak_bytes": "16*N*D + 4*D*D + 4*N"
//       }
//     }
//   ]
// }
// {
//   "version": 1,
//   "model": "json",
//   "functions": [
//     {
//       "name": "f",
//       "dims": [],
//       "machine": "A100",
//       "kernels": [
//         {
//           "name": "f_0",
//           "family": "dot",
//           "once": false,
//           "ops": [
//             "matmul",
//             "max",
//             "mul",
//             "exp",
//             "sum"
//           ],
//           "inputs": [
//             "x",
//             "w"
//           ],
//           "outputs": [
//             "y",
//             "z"
//           ],
//           "bytes_read": 192,
//           "bytes_written": 160,
//           "flops": 384,
//           "estimate_us": 0.1821,
//           "bound": "arithmetic",
//           "tile": "kind=fma,m=128,n=64,k=16,threads_m=16,threads_n=16,blocks=2,row_threads=16,vector=1,keep=registers,unroll=4",
//           "function": "f_0"
//         }
//       ],
//       "rejected": [],
//       "buffers": [
//         {
//           "name": "x",
//           "bytes": 128,
//           "prepared": false,
//           "first": -1,
//           "last": 1
//         },
//         {
//           "name": "w",
//           "bytes": 64,
//           "prepared": false,
//           "first": -1,
//           "last": 1
//         },
//         {
//           "name": "y",
//           "bytes": 128,
//           "prepared": false,
//           "first": 0,
//           "last": 1
//         },
//         {
//           "name": "z",
//           "bytes": 32,
//           "prepared": false,
//           "first": 0,
//           "last": 1
//         }
//       ],
//       "moved_bytes": 352,
//       "peak_bytes": 352,
//       "unfused": {
//         "kernels": 5,
//         "moved_bytes": 1248,
//         "peak_bytes": 608
//       }
//     }
//   ]
// }
