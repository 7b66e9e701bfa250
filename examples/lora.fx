// A linear layer with a low-rank update (Hu et al., "LoRA", 2021). The update of an output is added up
// in the registers of the layer's own product, so that neither of the two is stored.
//
//     y = x wᵀ + (x aᵀ) bᵀ
//
// kernels: 2
// try: -D N=64 -D D=768 -D M=768 -D R=16
// small: -D N=3 -D D=7 -D M=11 -D R=2
// small: -D N=1 -D D=1 -D M=1 -D R=1
// small: -D N=33 -D D=64 -D M=70 -D R=8
fn lora[N, D, M, R](x: bf16[N, D], w: bf16[M, D], a: bf16[R, D], b: bf16[M, R]) -> (y: bf16[N, M]) {
    t = (x @ a.T) as bf16;
    y = x @ w.T + t @ b.T;
}
