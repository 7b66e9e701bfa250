// run: fusec --limit depth=5 %s --emit=ast
// exit: 1
const a = f(a = f(b = f(c = 1)));
// ---- expect
// depth_exceeded_by_names.fx:3:13: error: an expression nests deeper than 5 ('--limit depth=N' changes this)
//   const a = f(a = f(b = f(c = 1)));
//               ^
