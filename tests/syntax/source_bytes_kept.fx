// run: fusec --limit source_bytes=100 %s --emit=ast
//-------------------------------
const a = 1;
// ---- expect
// file
//   const a
//     number 1
