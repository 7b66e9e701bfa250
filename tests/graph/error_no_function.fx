// run: fusec %s --emit=graph
// exit: 1
const a = 1;
// ---- expect
// error_no_function.fx:1:1: error: the file defines no function
//   // run: fusec %s --emit=graph
//   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
