// run: fusec fmt -
// exit: 1
const a = ;
const   b = 1;
// ---- expect
// <stdin>:3:11: error: expected an expression, found ';'
//   const a = ;
//             ^
