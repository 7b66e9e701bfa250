// Each row scaled so that its largest element is 448, the largest number of f8e4m3, and rounded to
// 8 bits; the scales are kept to undo it. Halves the traffic of a matrix product.
//
//     scale = max(|x|) / 448,  q = round(x / scale)
//
// try: -D N=1024 -D D=768
// small: -D N=3 -D D=17
// small: -D N=1 -D D=1
// small: -D N=2 -D D=1021
fn fp8_quantise[N, D](x: bf16[N, D]) -> (q: f8e4m3[N, D], scale: f32[N]) {
    scale = max(abs(x)) / 448;
    q = x / where(scale == 0, 1, scale)[:, None];
}
