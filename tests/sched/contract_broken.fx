// run: fusec %s --emit=plan
// exit: 1
@max_kernels(1)
fn f[N, D](x: f32[N, D]) -> (y: f32[D]) {
    y = sum(x / sum(x, keep = true), axis = 0);
}
// ---- expect
// contract_broken.fx:3:1: error: f needs 2 kernels, but promises at most 1
//   @max_kernels(1)
//   ^~~~~~~~~~~~~~~
// contract_broken.fx:5:9: note: this sum is not fused with its source partial_sum: they iterate over different shapes and the value between them is stored
//       y = sum(x / sum(x, keep = true), axis = 0);
//           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
