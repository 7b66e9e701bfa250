// run: fusec --limit source_bytes=100 %s --emit=ast
// exit: 1
//---------------------
const a = 1;
// ---- expect
// source_bytes_exceeded.fx:1:1: error: the file has more bytes than 100 ('--limit source_bytes=N' changes this)
//   // run: fusec --limit source_bytes=100 %s --emit=ast
//   ^
