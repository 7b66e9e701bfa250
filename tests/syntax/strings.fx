// run: fusec %s --emit=ast
// exit: 1
import "ops.h;
const a = "text";
import ops;
import "";
import "tab	here";
// ---- expect
// strings.fx:3:8: error: this string does not end on its line
//   import "ops.h;
//          ^~~~~~~
// strings.fx:4:11: error: expected an expression, found a string
//   const a = "text";
//             ^~~~~~
// strings.fx:5:8: error: expected a string, found 'ops'
//   import ops;
//          ^~~
// strings.fx:7:8: error: a string cannot hold control characters
//   import "tab here";
//          ^~~~~~~~~~
