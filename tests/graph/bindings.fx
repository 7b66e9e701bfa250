// run: fusec %s --emit=graph -D N=96 -D H=12
// The N of `inner` is another one.
fn inner[N](x: f32[N]) -> (y: f32[N]) { y = x / N; }
fn f[N, H](x: f32[N]) -> (y: f32[H, 8]) {
    assert N % H == 0;
    y = reshape(inner(x), H, N / H);
}
// ---- expect
// // after lower
// fn f
//   %1 = input x : f32[96]
//   %2 = const 96.0 : f32
//   %3 = reshape %2 : f32[1]
//   %4 = broadcast %3 : f32[96]
//   %5 = div %1 %4 : f32[96]
//   %6 = reshape %5 : f32[12, 8]
//   y = %6
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
