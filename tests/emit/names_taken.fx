// run: fusec %s -o %t.cu
// run: fusec %s -o %t.c
// norm is a function of CUDA only, signal one of C, too, and then signal_ is taken.
fn norm[N](x: f32[N]) -> (y: f32[N]) { y = x + 1; }
fn signal_[N](x: f32[N]) -> (y: f32[N]) { y = x + 2; }
fn signal[N](x: f32[N]) -> (y: f32[N]) { y = x + 3; }
fn long[N](x: f32[N]) -> (y: f32[N]) { y = x + 4; }
fn DOMAIN[N](x: f32[N]) -> (y: f32[N]) { y = x + 5; }
fn part_2[N](x: f32[N]) -> (y: f32[N]) { y = x + 6; }
fn part_workspace[N](x: f32[N]) -> (y: f32[N]) { y = x + 7; }
fn part[N](x: f32[N]) -> (y: f32[N]) { y = x + 8; }
fn part_prepare[N](x: f32[N]) -> (y: f32[N]) { y = x + 9; }
// ---- expect
// names_taken.fx:4:4: warning: function 'norm' is emitted as 'norm_': it is a function or a type of the library
//   fn norm[N](x: f32[N]) -> (y: f32[N]) { y = x + 1; }
//      ^~~~
// names_taken.fx:6:4: warning: function 'signal' is emitted as 'signal__': it is a function or a type of the library
//   fn signal[N](x: f32[N]) -> (y: f32[N]) { y = x + 3; }
//      ^~~~~~
// names_taken.fx:7:4: warning: function 'long' is emitted as 'long_': it is a word of the language, its library or the emitted text
//   fn long[N](x: f32[N]) -> (y: f32[N]) { y = x + 4; }
//      ^~~~
// names_taken.fx:8:4: warning: function 'DOMAIN' is emitted as 'DOMAIN_': a header may have a macro of that name
//   fn DOMAIN[N](x: f32[N]) -> (y: f32[N]) { y = x + 5; }
//      ^~~~~~
// names_taken.fx:9:4: warning: function 'part_2' is emitted as 'part_2_': such names are made for values of the emitted text
//   fn part_2[N](x: f32[N]) -> (y: f32[N]) { y = x + 6; }
//      ^~~~~~
// names_taken.fx:11:4: warning: function 'part' is emitted as 'part_': another function, or what is declared beside it, has that name
//   fn part[N](x: f32[N]) -> (y: f32[N]) { y = x + 8; }
//      ^~~~
// names_taken.fx:6:4: warning: function 'signal' is emitted as 'signal__': it is a function or a type of the library
//   fn signal[N](x: f32[N]) -> (y: f32[N]) { y = x + 3; }
//      ^~~~~~
// names_taken.fx:7:4: warning: function 'long' is emitted as 'long_': it is a word of the language, its library or the emitted text
//   fn long[N](x: f32[N]) -> (y: f32[N]) { y = x + 4; }
//      ^~~~
// names_taken.fx:8:4: warning: function 'DOMAIN' is emitted as 'DOMAIN_': a header may have a macro of that name
//   fn DOMAIN[N](x: f32[N]) -> (y: f32[N]) { y = x + 5; }
//      ^~~~~~
// names_taken.fx:9:4: warning: function 'part_2' is emitted as 'part_2_': such names are made for values of the emitted text
//   fn part_2[N](x: f32[N]) -> (y: f32[N]) { y = x + 6; }
//      ^~~~~~
// names_taken.fx:11:4: warning: function 'part' is emitted as 'part_': another function, or what is declared beside it, has that name
//   fn part[N](x: f32[N]) -> (y: f32[N]) { y = x + 8; }
//      ^~~~
