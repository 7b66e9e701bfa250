// run: fusec %s --emit=ast
// exit: 1
fn f(x: f32[N]) -> (y: f32[N]) {
    y = x; /* this goes on
}
/* and this is in it
// ---- expect
// open_comment.fx:4:12: error: this comment is not closed
//       y = x; /* this goes on
//              ^~
