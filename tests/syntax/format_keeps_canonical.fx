// run: fusec fmt -
// Linear + GEGLU, one kernel:  [v g] = x wᵀ + b,  y = v * gelu(g)
fn geglu[N, D](x: bf16[N, D], w: bf16[8*D, D], b: bf16[8*D]) -> (y: bf16[N, 4*D]) {
    h = x @ w.T + b;  // one matmul
    v, g = split(h, 2, axis = -1);

    y = v * gelu(g);
}
fn geglu_bwd = vjp(geglu);
// ---- expect
// // run: fusec fmt -
// // Linear + GEGLU, one kernel:  [v g] = x wᵀ + b,  y = v * gelu(g)
// fn geglu[N, D](x: bf16[N, D], w: bf16[8*D, D], b: bf16[8*D]) -> (y: bf16[N, 4*D]) {
//     h = x @ w.T + b;  // one matmul
//     v, g = split(h, 2, axis = -1);
//
//     y = v * gelu(g);
// }
// fn geglu_bwd = vjp(geglu);
