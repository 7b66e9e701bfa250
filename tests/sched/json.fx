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
//           "tile": "kind=fma,m=128,n=128,k=8,threads_m=16,threads_n=8,stages=3,blocks=2",
//           "function": "f_0",
//           "roofline": {
//             "operations": {
//               "f32": 2.15e9
//             },
//             "unit_us": {
//               "f32": 110.2
//             },
//             "bytes_in": 8.389e6,
//             "bytes_out": 8.389e6,
//             "intensity": 128.1,
//             "ridge": 9.564,
//             "math_us": 110.2,
//             "memory_us": 8.228,
//             "lower_us": 110.2,
//             "upper_us": 118.5,
//             "expected_us": 114.9,
//             "bound": "f32",
//             "turns": [
//               {
//                 "dim": "N",
//                 "against": "memory",
//                 "kind": "compute",
//                 "proven": false,
//                 "from": 21.0,
//                 "small": null,
//                 "formula": "D*D / (0.05228*D*D - 2.948*D)"
//               },
//               {
//                 "dim": "D",
//                 "against": "memory",
//                 "kind": "compute",
//                 "proven": false,
//                 "from": 58.0,
//                 "small": null,
//                 "formula": null
//               }
//             ],
//             "waves": [
//               {
//                 "tiles": 64.0,
//                 "m": 128,
//                 "n": 128,
//                 "waves": 0.09877,
//                 "last": 0.09877,
//                 "work": 1.0,
//                 "threads": 128,
//                 "blocks": 6,
//                 "occupancy": 0.375,
//                 "limited": "shared memory"
//               }
//             ]
//           }
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
//           "tile": "kind=row,cluster=1,threads=256,row_threads=0,warp_columns=1024,vector=4,keep=nothing,unroll=4",
//           "function": "f_1",
//           "roofline": {
//             "operations": {
//               "f32": 1.049e6,
//               "special": 1.049e6
//             },
//             "unit_us": {
//               "f32": 0.05377,
//               "special": 0.4297
//             },
//             "bytes_in": 4.194e6,
//             "bytes_out": 4096.0,
//             "intensity": 0.4995,
//             "ridge": 1.197,
//             "math_us": 0.4297,
//             "memory_us": 2.059,
//             "lower_us": 2.059,
//             "upper_us": 2.489,
//             "expected_us": 4.88,
//             "bound": "memory",
//             "turns": [
//               {
//                 "dim": "N",
//                 "against": "memory",
//                 "kind": "never",
//                 "proven": true,
//                 "from": null,
//                 "small": null,
//                 "formula": null
//               },
//               {
//                 "dim": "D",
//                 "against": "memory",
//                 "kind": "never",
//                 "proven": true,
//                 "from": null,
//                 "small": null,
//                 "formula": null
//               }
//             ],
//             "waves": [
//               {
//                 "tiles": 128.0,
//                 "m": 0,
//                 "n": 0,
//                 "waves": 0.1481,
//                 "last": 0.1481,
//                 "work": 1.0,
//                 "threads": 256,
//                 "blocks": 8,
//                 "occupancy": 1.0,
//                 "limited": "threads"
//               }
//             ]
//           }
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
//           "role": "input",
//           "slot": null,
//           "input": null,
//           "may_be": null,
//           "consumed": false,
//           "prepared": false,
//           "first": -1,
//           "last": 2
//         },
//         {
//           "name": "w",
//           "bytes": "4*D*D",
//           "role": "input",
//           "slot": null,
//           "input": null,
//           "may_be": null,
//           "consumed": false,
//           "prepared": false,
//           "first": -1,
//           "last": 2
//         },
//         {
//           "name": "y",
//           "bytes": "4*N*D",
//           "role": "output",
//           "slot": null,
//           "input": null,
//           "may_be": null,
//           "consumed": false,
//           "prepared": false,
//           "first": 0,
//           "last": 2
//         },
//         {
//           "name": "z",
//           "bytes": "4*N",
//           "role": "output",
//           "slot": null,
//           "input": null,
//           "may_be": null,
//           "consumed": false,
//           "prepared": false,
//           "first": 1,
//           "last": 2
//         },
//         {
//           "name": "h",
//           "bytes": "4*N*D",
//           "role": "temp",
//           "slot": 0,
//           "input": null,
//           "may_be": null,
//           "consumed": false,
//           "prepared": false,
//           "first": 0,
//           "last": 1
//         }
//       ],
//       "moved_bytes": "16*N*D + 4*D*D + 4*N",
//       "peak_bytes": "12*N*D + 4*D*D + 4*N",
//       "memory": {
//         "slots": 1,
//         "workspace_bytes": 4.194e6,
//         "temp_bytes": 4.194e6,
//         "in_use_bytes": [
//           1.678e7,
//           1.678e7
//         ],
//         "peak_kernel": "f_0"
//       },
//       "unfused": {
//         "kernels": 5,
//         "moved_bytes": "36*N*D + 4*D*D + 4*N",
//         "peak_bytes": "12*N*D + 4*D*D + 4*N"
//       },
//       "roofline": {
//         "operations": {
//           "f32": 2.151e9,
//           "special": 1.049e6
//         },
//         "unit_us": {
//           "f32": 110.3,
//           "special": 0.4297
//         },
//         "bytes_in": 1.258e7,
//         "bytes_out": 8.393e6,
//         "intensity": 102.6,
//         "ridge": 9.564,
//         "math_us": 110.7,
//         "memory_us": 10.29,
//         "lower_us": 112.3,
//         "upper_us": 121.0,
//         "expected_us": 119.8,
//         "bound": "f32",
//         "turns": [
//           {
//             "dim": "N",
//             "against": "memory",
//             "kind": "compute",
//             "proven": false,
//             "from": 21.0,
//             "small": null,
//             "formula": null
//           },
//           {
//             "dim": "D",
//             "against": "memory",
//             "kind": "compute",
//             "proven": false,
//             "from": 74.0,
//             "small": null,
//             "formula": null
//           }
//         ]
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
//           "estimate_us": 0.0001726,
//           "bound": "memory",
//           "tile": "kind=fma,m=128,n=64,k=8,threads_m=16,threads_n=16,stages=3,blocks=2,row_threads=16,vector=1,keep=registers,unroll=4",
//           "function": "f_0",
//           "roofline": {
//             "operations": {
//               "f32": 352.0,
//               "special": 32.0
//             },
//             "unit_us": {
//               "f32": 1.805e-5,
//               "special": 1.311e-5
//             },
//             "bytes_in": 192.0,
//             "bytes_out": 160.0,
//             "intensity": 1.091,
//             "ridge": 9.564,
//             "math_us": 1.805e-5,
//             "memory_us": 0.0001726,
//             "lower_us": 0.0001726,
//             "upper_us": 0.0001907,
//             "expected_us": 4.671,
//             "bound": "memory",
//             "turns": [],
//             "waves": [
//               {
//                 "tiles": 1.0,
//                 "m": 128,
//                 "n": 64,
//                 "waves": 0.001157,
//                 "last": 0.001157,
//                 "work": 0.003906,
//                 "threads": 256,
//                 "blocks": 8,
//                 "occupancy": 1.0,
//                 "limited": "threads"
//               }
//             ]
//           }
//         }
//       ],
//       "rejected": [],
//       "buffers": [
//         {
//           "name": "x",
//           "bytes": 128,
//           "role": "input",
//           "slot": null,
//           "input": null,
//           "may_be": null,
//           "consumed": false,
//           "prepared": false,
//           "first": -1,
//           "last": 1
//         },
//         {
//           "name": "w",
//           "bytes": 64,
//           "role": "input",
//           "slot": null,
//           "input": null,
//           "may_be": null,
//           "consumed": false,
//           "prepared": false,
//           "first": -1,
//           "last": 1
//         },
//         {
//           "name": "y",
//           "bytes": 128,
//           "role": "output",
//           "slot": null,
//           "input": null,
//           "may_be": null,
//           "consumed": false,
//           "prepared": false,
//           "first": 0,
//           "last": 1
//         },
//         {
//           "name": "z",
//           "bytes": 32,
//           "role": "output",
//           "slot": null,
//           "input": null,
//           "may_be": null,
//           "consumed": false,
//           "prepared": false,
//           "first": 0,
//           "last": 1
//         }
//       ],
//       "moved_bytes": 352,
//       "peak_bytes": 352,
//       "memory": {
//         "slots": 0,
//         "workspace_bytes": 0.0,
//         "temp_bytes": 0.0,
//         "in_use_bytes": [
//           352.0
//         ],
//         "peak_kernel": "f_0"
//       },
//       "unfused": {
//         "kernels": 5,
//         "moved_bytes": 1248,
//         "peak_bytes": 480
//       },
//       "roofline": {
//         "operations": {
//           "f32": 352.0,
//           "special": 32.0
//         },
//         "unit_us": {
//           "f32": 1.805e-5,
//           "special": 1.311e-5
//         },
//         "bytes_in": 192.0,
//         "bytes_out": 160.0,
//         "intensity": 1.091,
//         "ridge": 9.564,
//         "math_us": 1.805e-5,
//         "memory_us": 0.0001726,
//         "lower_us": 0.0001726,
//         "upper_us": 0.0001907,
//         "expected_us": 4.671,
//         "bound": "memory",
//         "turns": []
//       }
//     }
//   ]
// }
