// run: fusec %s --emit=graph
// exit: 1
const a = 1;
// ---- expect
// fusec: error: the file defines no function
