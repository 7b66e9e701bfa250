// needs: machine.json machine_rate.json machine_bytes.json machine_text.json
// run: fusec machines
// run: fusec explain --roofline --machine machine.json %s
// run: fusec explain %s --machine machine_rate.json
// exit: 1
// run: fusec explain %s --machine machine_bytes.json
// exit: 1
// run: fusec explain %s --machine machine_text.json
// exit: 1
// run: fusec explain %s --machine ./none.json
// exit: 3
fn f[N, D](x: f16[N, D], w: f16[D, D]) -> (y: f16[N, D]) { y = exp(x @ w) as f16; }
// ---- expect
// machine      arch     GB/s      f64      f32      int  special     tf32     bf16       f8       i8     link
//                               Top/s    Top/s    Top/s    Top/s    Top/s    Top/s    Top/s    Top/s     GB/s
// A100        sm_80     2039      9.7     19.5     19.5     2.44      156      312        -      624      300
// H100       sm_90a     3350     33.5       67     33.5     3.71    494.7    989.4     1979     1979      450
// H200       sm_90a     4800     33.5       67     33.5     3.71    494.7    989.4     1979     1979      450
// B200       sm_100     8000       37       75     37.5     4.38     1100     2250     4500     4500      900
// RTX 4090    sm_89     1008     1.29     82.6     41.3     5.16     82.6    165.2    330.3    660.6     31.5
// L4          sm_89      300     0.49     30.3     15.1     1.89       60      121    242.5    242.5     31.5
// core            -       20     0.08     0.16     0.08    0.005        -        -        -        -        -
// TPU v5e         -      810        -        -        -        -        -      197        -      394       45
//
// sources
//   A100      80 GB HBM2e; NVIDIA A100 Tensor Core GPU data sheet (SXM, 80 GB); NVLink 3: 600 GB/s, half of it each way
//   H100      80 GB HBM3; NVIDIA H100 Tensor Core GPU data sheet (SXM5), without sparsity; NVLink 4: 900 GB/s, half of it each way
//   H200      141 GB HBM3e; NVIDIA H200 Tensor Core GPU data sheet (SXM), without sparsity; NVLink 4
//   B200      180 GB HBM3e; NVIDIA HGX B200 data sheet, without sparsity; bandwidth: an eighth of the 64 TB/s of a DGX B200; NVLink 5: 1.8 TB/s, half of it each way
//   RTX 4090  24 GB GDDR6X; NVIDIA Ada GPU Architecture white paper, summed in f32, without sparsity; PCIe 4 x16
//   L4        24 GB GDDR6; NVIDIA L4 Tensor Core GPU data sheet, half of the rates with sparsity; PCIe 4 x16
//   core      DRAM; one core of a server CPU with 512-bit vectors, measured by the programs in bench/
//   TPU v5e   16 GB HBM2; Google Cloud, TPU v5e system architecture, which has 393 for i8 and 819 GB/s; i8, bandwidth and link (one way) as in "How to Scale Your Model"
// fn f at -O2: 1 kernel
// half an L4: 1.5e+11 bytes/s, f64 2.4e+11/s, f32 1.5e+13/s, special 9e+11/s, bf16 6e+13/s, i8 1.2e+14/s
// numbers are for N = 1024, D = 1024 (-D gives others)
//
// kernel f_0: dot
//   reads     2*N*D + 2*D*D = 4.194e+06 bytes
//   writes    2*N*D = 2.097e+06 bytes
//   computes  N*D = 1.049e+06 special, 2*N*D*D = 2.147e+09 bf16
//   intensity 341.5 operations per byte; ridge 400 (bf16)
//   T_math    35.8 us: special 1.17 us, bf16 35.8 us
//   T_memory  41.9 us
//   bounds    41.9 us to 77.7 us, bound by memory
//   expected  68.6 us
//   N         compute-bound from N = 1829 with D = 1024
//             while N is small: from N = 400
//             in general: from N = D*D / (0.0025*D*D - 2*D)
//   D         compute-bound from D = 1313 with N = 1024
//             while D is small: from D = 800
//   tiles     64.0 of 128 x 128
//   waves     1.10
//   occupancy 2 blocks of 128 threads, 17 %, limited by registers
// fusec: error: machine_rate.json: there is no rate 'fp16' in operations_per_s
// fusec: error: machine_bytes.json: bytes_per_s must be given
// fusec: error: machine_text.json: no JSON object with figures of a machine: string or '}' expected near end of file
// fusec: error: open ./none.json: No such file or directory
