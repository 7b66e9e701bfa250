// A broken promise where nothing joins the kernels: neither reads the other, nor what it reads.
// run: fusec %s -o model.c
// exit: 1
@one_kernel
fn unrelated[N, M](x: f32[N, M], z: f32[M, N]) -> (y: f32[N], w: f32[M]) {
    y = sum(x, axis = 1);
    w = max(z, axis = 1);
}
// ---- expect
// contract_unrelated.fx:4:1: error: unrelated needs 2 kernels, but promises at most 1
//   @one_kernel
//   ^~~~~~~~~~~
// contract_unrelated.fx:7:9: note: this max has a kernel of its own: it reads neither results nor inputs of the kernels before
//       w = max(z, axis = 1);
//           ^~~~~~~~~~~~~~~~
