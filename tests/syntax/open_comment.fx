// run: fusec %s --emit=ast
// exit: 1
fn f(x: f32[N]) -> (y: f32[N]) {
    y = x; /* this goes on
}
/* and this is in it
// ---- expect
// open_comment.fx:4:12: error: this comment does not end
//       y = x; /* this goes on
//              ^~
