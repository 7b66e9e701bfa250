// The loss of a vocabulary: two kernels, and no logits in memory. The last chunk of a row ends early,
// so the weights are padded, and what is beyond the end does not count. No element of the product is stored, so the
// width of stores does not choose its tile.
// run: fusec %s --target=c --emit=plan -D M=64
// run: fusec run %s --check -D M=2 > checks
// run: fusec explain %s --arch=sm_120 -D M=4096 > all
// run: grep kind=mma all
fn loss[M](x: bf16[M, 8], w: bf16[50257, 8], labels: i32[M]) -> (y: f32[M]) {
    y = cross_entropy(x @ w.T, labels);
}
// ---- expect
// plan loss -O2
// kernel loss_0 dot
//   reads labels x w
//   writes label_logit_parts max_parts exp_sum_parts
//   over [64, 99, 512] along 512
//     %8 max i32[64]
//     %11 min i32[64]
//     %22 eq bool[64, 99, 512]
//     %26 matmul f32[64, 99, 512]
//     %29 where f32[64, 99, 512]
//     %35 lt bool[99, 512]
//     %40 where f32[64, 99, 512]
//     %41 sum f32[64, 99, 1] -> label_logit_parts
//     %47 where f32[64, 99, 512]
//     %48 max f32[64, 99, 1] -> max_parts
//     %57 eq bool[64, 99, 1]
//     %59 where f32[64, 99, 1]
//     %61 sub f32[64, 99, 512]
//     %62 exp f32[64, 99, 512]
//     %63 sum f32[64, 99, 1] -> exp_sum_parts
//   bytes_read 805392
//   bytes_written 76032
//   flops 81164288
// kernel loss_1 row
//   reads label_logit_parts max_parts exp_sum_parts
//   writes y
//   over [64, 99] along 99
//     %43 sum f32[64, 1]
//     %50 max f32[64, 1]
//     %53 eq bool[64, 1]
//     %55 where f32[64, 1]
//     %66 sub f32[64, 99]
//     %67 exp f32[64, 99]
//     %68 mul f32[64, 99]
//     %69 sum f32[64, 1]
//     %70 sub f32[64, 1]
//     %74 eq bool[64, 1]
//     %75 log f32[64, 1]
//     %76 where f32[64, 1]
//     %77 add f32[64, 1] -> y
//   bytes_read 76032
//   bytes_written 256
//   flops 38464
// buffer x input bf16[512] bytes 1024 live -1..2
// buffer w input bf16[402056] bytes 804112 live -1..2
// buffer labels input i32[64] bytes 256 live -1..2
// buffer y output f32[64] bytes 256 live 1..2
// buffer label_logit_parts temp f32[6336] bytes 25344 live 0..1 slot 0
// buffer max_parts temp f32[6336] bytes 25344 live 0..1 slot 1
// buffer exp_sum_parts temp f32[6336] bytes 25344 live 0..1 slot 2
// slot 0 bytes 25344
// slot 1 bytes 25344
// slot 2 bytes 25344
// apart %63 sum | %68 mul: space, 152064 bytes
// apart %41 sum | %43 sum: space, 152064 bytes
// apart %48 max | %66 sub: space, 152064 bytes
// apart %48 max | %50 max: space, 152064 bytes
// apart %50 max | %57 eq: beside, 0 bytes
// apart %59 where | %66 sub: space, 152064 bytes
// apart %50 max | %57 eq: bundle, 0 bytes
// apart %59 where | %66 sub: bundle, 152064 bytes
// peak 881680
// fusec: remark: random inputs, seed 0: x, w, labels
//   tile      kind=mma,m=64,n=128,k=32,warps_m=1,warps_n=2,stages=2,group=8,blocks=4,row_threads=8,vector=4,keep=registers,unroll=4,operand_unroll=4
