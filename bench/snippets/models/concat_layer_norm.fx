fn f[N, A, B](a: bf16[N, A], b: bf16[N, B], g: bf16[A+B], h: bf16[A+B]) -> (y: bf16[N, A+B]) {
    y = layer_norm(concat(a, b), g, h);
}
