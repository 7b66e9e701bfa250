// run: fusec explain --sweep B=1..8192*4 %s -D D=4096 --machine tpuv5e
// run: fusec explain --sweep B=64..256+64 %s -D D=4096 --machine tpuv5e -o %t.csv
// run: cat %t.csv
// run: fusec explain --sweep B=1..2 %s -D D=4096 --machine tpuv5e -o %t.json
// run: cat %t.json
// run: fusec explain --sweep B=1..256 %s -D D=4096 -o %t.svg
// run: grep -o "^<svg" %t.svg
// run: fusec explain --sweep B=1 %s
// exit: 2
// run: fusec explain --sweep B=9..1 %s
// exit: 2
// run: fusec explain --sweep B=1..90000+1 %s
// exit: 2
// run: fusec explain --sweep D=1..9 -D D=9 %s
// exit: 1
// run: fusec explain --json %s
// exit: 2
fn linear[B, D](x: bf16[B, D], w: bf16[D, D]) -> (y: bf16[B, D]) { y = x @ w; }
// ---- expect
//            B  kernel                     bytes  operations  intensity    math us  memory us   lower us   upper us  bound
//            1  linear_0               3.357e+07   3.355e+07     0.9995     0.1703      41.45      41.45      41.62  memory
//            4  linear_0               3.362e+07   1.342e+08      3.992     0.6813      41.51      41.51      42.19  memory
//           16  linear_0               3.382e+07   5.369e+08      15.88      2.725      41.75      41.75      44.47  memory
//           64  linear_0                3.46e+07   2.147e+09      62.06       10.9      42.72      42.72      53.62  memory
//          256  linear_0               3.775e+07    8.59e+09      227.6       43.6       46.6       46.6      90.21  memory
//         1024  linear_0               5.033e+07   3.436e+10      682.7      174.4      62.14      174.4      236.6  bf16
//         4096  linear_0               1.007e+08   1.374e+11       1365      697.7      124.3      697.7      821.9  bf16
// function,B,kernel,bytes,operations,intensity,math_us,memory_us,lower_us,upper_us,bound
// linear,64,linear_0,3.4603e+07,2.14748e+09,62.0606,10.9009,42.7198,42.7198,53.6207,memory
// linear,128,linear_0,3.56516e+07,4.29497e+09,120.471,21.8019,44.0143,44.0143,65.8162,memory
// linear,192,linear_0,3.67002e+07,6.44245e+09,175.543,32.7028,45.3088,45.3088,78.0116,memory
// linear,256,linear_0,3.77487e+07,8.58993e+09,227.556,43.6037,46.6034,46.6034,90.2071,memory
// {
//   "version": 1,
//   "functions": [
//     {
//       "name": "linear",
//       "machine": "TPU v5e",
//       "dim": "B",
//       "rows": [
//         {
//           "value": 1,
//           "kernel": "linear_0",
//           "bytes": 3.35708e7,
//           "operations": 3.35544e7,
//           "intensity": 0.999512,
//           "math_us": 0.170327,
//           "memory_us": 41.4455,
//           "lower_us": 41.4455,
//           "upper_us": 41.6158,
//           "bound": "memory"
//         },
//         {
//           "value": 2,
//           "kernel": "linear_0",
//           "bytes": 3.35872e7,
//           "operations": 6.71089e7,
//           "intensity": 1.99805,
//           "math_us": 0.340654,
//           "memory_us": 41.4657,
//           "lower_us": 41.4657,
//           "upper_us": 41.8063,
//           "bound": "memory"
//         }
//       ]
//     }
//   ]
// }
// <svg
// fusec: error: --sweep wants a range of a dim with at most 10000 values, as in B=1..8192*2 or N=64..1024+64, not 'B=1'
// fusec: error: --sweep wants a range of a dim with at most 10000 values, as in B=1..8192*2 or N=64..1024+64, not 'B=9..1'
// fusec: error: --sweep wants a range of a dim with at most 10000 values, as in B=1..8192*2 or N=64..1024+64, not 'B=1..90000+1'
// fusec: error: --sweep: fn linear has no open dim 'D'
// fusec: error: --json needs --sweep; the plan, `fusec MODEL.fx -o FILE.json`, has all that --roofline and --memory tell
