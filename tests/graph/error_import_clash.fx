// Names of the model and of its headers are one set; the language's come first, with a warning.
// needs: imported.h
// run: fusec %s --emit=graph
// exit: 1
import "imported.h";
const half_of = 0.5;
fn scale(x: f32) -> (y: f32) { y = x; }
fn f[N](x: f32[N]) -> (y: f32[N]) { y = sigmoid(x); }
// ---- expect
// error_import_clash.fx:6:7: error: 'half_of' is already defined, by an imported header
//   const half_of = 0.5;
//         ^~~~~~~
// imported.h:3:22: note: it is defined here
//   static inline double half_of(double x) { return x / 2; }
//                        ^~~~~~~
// error_import_clash.fx:7:4: error: 'scale' is already defined, by an imported header
//   fn scale(x: f32) -> (y: f32) { y = x; }
//      ^~~~~
// imported.h:2:21: note: it is defined here
//   static inline float scale(float x, int n) { return x * n; }
//                       ^~~~~
// error_import_clash.fx:8:41: warning: this is the language's 'sigmoid', not that of the header: give that one another name
//   fn f[N](x: f32[N]) -> (y: f32[N]) { y = sigmoid(x); }
//                                           ^~~~~~~
// imported.h:4:21: note: it is defined here
//   static inline float sigmoid(float x) { return 1 / (1 + expf(-x)); }
//                       ^~~~~~~
