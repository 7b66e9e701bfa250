// run: fusec %s -o %t.cu
// run: fusec %s -o %t.c
// norm is a function of CUDA only, signal one of C, too, and then signal_ is taken.
fn norm[N](x: f32[N]) -> (y: f32[N]) { y = x + 1; }
fn signal_[N](x: f32[N]) -> (y: f32[N]) { y = x + 2; }
fn signal[N](x: f32[N]) -> (y: f32[N]) { y = x + 3; }
// ---- expect
// names_taken.fx:4:4: warning: function 'norm' is emitted as 'norm_': its name is taken
//   fn norm[N](x: f32[N]) -> (y: f32[N]) { y = x + 1; }
//      ^~~~
// names_taken.fx:6:4: warning: function 'signal' is emitted as 'signal__': its name is taken
//   fn signal[N](x: f32[N]) -> (y: f32[N]) { y = x + 3; }
//      ^~~~~~
// names_taken.fx:6:4: warning: function 'signal' is emitted as 'signal__': its name is taken
//   fn signal[N](x: f32[N]) -> (y: f32[N]) { y = x + 3; }
//      ^~~~~~
