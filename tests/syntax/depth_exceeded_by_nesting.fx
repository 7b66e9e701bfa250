// run: fusec --limit depth=5 %s --emit=ast
// exit: 1
const a = f(f(f(f([1]))));
// ---- expect
// depth_exceeded_by_nesting.fx:3:11: error: an expression nests deeper than 5 ('--limit depth=N' changes this)
//   const a = f(f(f(f([1]))));
//             ^
