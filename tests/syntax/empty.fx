// run: fusec %s --emit=ast
// ---- expect
// file
