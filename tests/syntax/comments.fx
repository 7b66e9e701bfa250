// run: fusec %s --emit=ast
/* one */ const /**/ a /* two
over lines **/ = // three
    1; /***/ /* // */ const b = 2; // */
// the last
// ---- expect
// file
//   const a
//     number 1
//   const b
//     number 2
