// run: fusec --limit name_bytes=5 %s --emit=ast
// exit: 1
fn kept5[N](x: f32[N]) -> (y: f32[N]) {
    y = x + longer;
}
// ---- expect
// name_bytes_exceeded.fx:4:13: error: a name has more bytes than 5 ('--limit name_bytes=N' changes this)
//       y = x + longer;
//               ^~~~~~
