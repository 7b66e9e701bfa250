// No copies of operands: aligned rows; sizes that are not known; two batch axes, of which TMA has one;
// few rows, few tiles, where launches are most of the time; a short k; a product of f32; a contract on
// the number of kernels; and none without cp.async.
// run: fusec %s --arch=sm_90a --emit=plan
// run: fusec %s --fn sizes --arch=sm_75 --emit=plan
fn aligned(a: bf16[2048, 2056], b: bf16[2056, 2048]) -> (y: bf16[2048, 2048]) { y = a @ b; }

fn open[M](a: bf16[M, 2051], b: bf16[2049, 2051]) -> (y: bf16[M, 2049]) { y = a @ b.T; }

fn cut[K](a: bf16[2048, 5001], b: bf16[K, 2048]) -> (y: bf16[2048, 2048]) { y = a[:, :K] @ b; }

fn two(q: bf16[8, 1023, 4, 132], k: bf16[8, 1023, 4, 132]) -> (y: bf16[8, 4, 1023, 1023]) {
    y = einsum("bshd,bthd->bhst", q, k);
}

fn few(a: bf16[16, 4099], b: bf16[4097, 4099]) -> (y: bf16[16, 4097]) { y = a @ b.T; }

fn small(a: bf16[256, 515], b: bf16[256, 515]) -> (y: bf16[256, 256]) { y = a @ b.T; }

fn short(a: bf16[64, 4095, 3], b: bf16[64, 4097, 3]) -> (y: bf16[64, 4095, 4097]) { y = a @ b.T; }

fn words(a: f32[2047, 2051], b: f32[2049, 2051]) -> (y: f32[2047, 2049]) { y = a @ b.T; }

@one_kernel
fn contract(a: bf16[2047, 2051], b: bf16[2049, 2051]) -> (y: bf16[2047, 2049]) { y = a @ b.T; }

fn sizes(a: bf16[2047, 2051], b: bf16[2049, 2051]) -> (y: bf16[2047, 2049]) { y = a @ b.T; }
// ---- expect
// plan aligned -O2
// kernel aligned_0 dot
//   reads a b
//   writes y
//   over [2048, 2048]
//     %4 matmul f32[2048, 2048]
//     %5 as bf16[2048, 2048] -> y
//   bytes_read 16842752
//   bytes_written 8388608
//   flops 17246978048
// buffer a input bf16[4210688] bytes 8421376 live -1..1
// buffer b input bf16[4210688] bytes 8421376 live -1..1
// buffer y output bf16[4194304] bytes 8388608 live 0..1
// peak 25231360
//
// plan open -O2
// kernel open_0 dot
//   reads a b
//   writes y
//   over [M, 2049]
//     %3 matmul f32[M, 2049]
//     %4 as bf16[M, 2049] -> y
//   bytes_read 4102*M + 8404998
//   bytes_written 4098*M
//   flops 8404998*M
// buffer a input bf16[2051*M] bytes 4102*M live -1..1
// buffer b input bf16[4202499] bytes 8404998 live -1..1
// buffer y output bf16[2049*M] bytes 4098*M live 0..1
// peak 8200*M + 8404998
//
// plan cut -O2
// kernel cut_0 dot
//   reads a b
//   writes y
//   over [2048, 2048]
//     %5 matmul f32[2048, 2048]
//     %6 as bf16[2048, 2048] -> y
//   bytes_read 4096*K + 20484096
//   bytes_written 8388608
//   flops 8388608*K
// buffer a input bf16[10242048] bytes 20484096 live -1..1
// buffer b input bf16[2048*K] bytes 4096*K live -1..1
// buffer y output bf16[4194304] bytes 8388608 live 0..1
// peak 4096*K + 28872704
//
// plan two -O2
// kernel two_0 dot
//   reads q k
//   writes y
//   over [8, 4, 1023, 1023]
//     %5 matmul f32[8, 4, 1023, 1023]
//     %6 as bf16[8, 4, 1023, 1023] -> y
//   bytes_read 17284608
//   bytes_written 66977856
//   flops 8841076992
// buffer q input bf16[4321152] bytes 8642304 live -1..1
// buffer k input bf16[4321152] bytes 8642304 live -1..1
// buffer y output bf16[33488928] bytes 66977856 live 0..1
// peak 84262464
//
// plan few -O2
// kernel few_0 dot
//   reads a b
//   writes y
//   over [16, 4097]
//     %3 matmul f32[16, 4097]
//     %4 as bf16[16, 4097] -> y
//   bytes_read 33718374
//   bytes_written 131104
//   flops 537395296
// buffer a input bf16[65584] bytes 131168 live -1..1
// buffer b input bf16[16793603] bytes 33587206 live -1..1
// buffer y output bf16[65552] bytes 131104 live 0..1
// peak 33849478
//
// plan small -O2
// kernel small_0 dot
//   reads a b
//   writes y
//   over [256, 256]
//     %3 matmul f32[256, 256]
//     %4 as bf16[256, 256] -> y
//   bytes_read 527360
//   bytes_written 131072
//   flops 67502080
// buffer a input bf16[131840] bytes 263680 live -1..1
// buffer b input bf16[131840] bytes 263680 live -1..1
// buffer y output bf16[65536] bytes 131072 live 0..1
// peak 658432
//
// plan short -O2
// kernel short_0 dot
//   reads a b
//   writes y
//   over [64, 4095, 4097]
//     %3 matmul f32[64, 4095, 4097]
//     %4 as bf16[64, 4095, 4097] -> y
//   bytes_read 3145728
//   bytes_written 2147483520
//   flops 6442450560
// buffer a input bf16[786240] bytes 1572480 live -1..1
// buffer b input bf16[786624] bytes 1573248 live -1..1
// buffer y output bf16[1073741760] bytes 2147483520 live 0..1
// peak 2150629248
//
// plan words -O2
// kernel words_0 dot
//   reads a b
//   writes y
//   over [2047, 2049]
//     %3 matmul f32[2047, 2049] -> y
//   bytes_read 33603584
//   bytes_written 16777212
//   flops 17205030906
// buffer a input f32[4198397] bytes 16793588 live -1..1
// buffer b input f32[4202499] bytes 16809996 live -1..1
// buffer y output f32[4194303] bytes 16777212 live 0..1
// peak 50380796
//
// plan contract -O2
// kernel contract_0 dot
//   reads a b
//   writes y
//   over [2047, 2049]
//     %3 matmul f32[2047, 2049]
//     %4 as bf16[2047, 2049] -> y
//   bytes_read 16801792
//   bytes_written 8388606
//   flops 17205030906
// buffer a input bf16[4198397] bytes 8396794 live -1..1
// buffer b input bf16[4202499] bytes 8404998 live -1..1
// buffer y output bf16[4194303] bytes 8388606 live 0..1
// peak 25190398
//
// plan sizes -O2
// kernel sizes_0 pointwise
//   reads a
//   writes a_padded
//   over [2047, 2112]
//     %4 pad bf16[2047, 2112] -> a_padded
//   bytes_read 8396794
//   bytes_written 8646528
//   flops 0
// kernel sizes_1 pointwise
//   reads b
//   writes b_padded
//   over [2049, 2112]
//     %6 pad bf16[2049, 2112] -> b_padded
//   bytes_read 8404998
//   bytes_written 8654976
//   flops 0
// kernel sizes_2 dot
//   reads a_padded b_padded
//   writes y
//   over [2047, 2049]
//     %8 matmul f32[2047, 2049]
//     %9 as bf16[2047, 2049] -> y
//   bytes_read 16801792
//   bytes_written 8388606
//   flops 17205030906
// buffer a input bf16[4198397] bytes 8396794 live -1..3
// buffer b input bf16[4202499] bytes 8404998 live -1..3
// buffer y output bf16[4194303] bytes 8388606 live 2..3
// buffer a_padded temp bf16[4323264] bytes 8646528 live 0..2 slot 0
// buffer b_padded temp bf16[4327488] bytes 8654976 live 1..2 slot 1
// slot 0 bytes 8646528
// slot 1 bytes 8654976
// peak 42491902
// plan sizes -O2
// kernel sizes_0 dot
//   reads a b
//   writes y
//   over [2047, 2049]
//     %3 matmul f32[2047, 2049]
//     %4 as bf16[2047, 2049] -> y
//   bytes_read 16801792
//   bytes_written 8388606
//   flops 17205030906
// buffer a input bf16[4198397] bytes 8396794 live -1..1
// buffer b input bf16[4202499] bytes 8404998 live -1..1
// buffer y output bf16[4194303] bytes 8388606 live 0..1
// peak 25190398
