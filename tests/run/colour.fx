// run: fusec %s --color=always --emit=ast
// exit: 1
// run: fusec %s --color=never --emit=ast
// exit: 1
fn f(
// ---- expect
// [1mcolour.fx:6:1:[0m [1;31merror:[0m expected ')' or a name, found the end of the file
// colour.fx:6:1: error: expected ')' or a name, found the end of the file
