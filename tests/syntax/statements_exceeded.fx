// run: fusec --limit statements=3 %s --emit=ast
// exit: 1
const a = 1;
fn f() -> (y: f32) {
    y = 1;
    assert y;
    b = 2;
}
// ---- expect
// statements_exceeded.fx:7:5: error: there are more statements than 3 ('--limit statements=N' changes this)
//       b = 2;
//       ^~~~~~
