// run: fusec --limit depth=5 %s --emit=ast
// exit: 1
const a = 1 + 2 + 3 + 4 + 5 + 6 + 7;
const b = ;
// ---- expect
// depth_exceeded_by_a_chain.fx:3:29: error: an expression nests deeper than 5 ('--limit depth=N' changes this)
//   const a = 1 + 2 + 3 + 4 + 5 + 6 + 7;
//                               ^
