fn f[S, R, C](a: bf16[S, R, C], b: bf16[S, R, C]) -> (y: bf16[R, R, C, C]) {
    y = einsum("sic,sjd->ijcd", a, b) / S;
}
