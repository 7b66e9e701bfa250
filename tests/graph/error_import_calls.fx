// Calls of imported functions are checked: number, names and types of their arguments, shapes.
// needs: imported.h
// run: fusec %s --emit=graph
// exit: 1
import "imported.h";
fn f[N, M](x: f32[N], n: i32[N], d: f64[M], b: bool[N]) -> (y: f32[N]) {
    a = scale(x);
    c = scale(x, x);
    e = scale(n, 2);
    g = scale(x, 2.5);
    h = scale(x, 2, 3);
    i = scale(x, m = 3);
    j = scale(x, x = x);
    k = scal(x, 2);
    l = opposite(x);
    m = scale(b, 2);
    o = blend(x, d, x, x);
    p = half_of(n);
    q = scale + 1;
    y = x;
}
// ---- expect
// error_import_calls.fx:7:9: error: 'scale' needs the argument 'n'
//       a = scale(x);
//           ^~~~~~~~
// imported.h:2:21: note: it is 'scale(x: f32, n: i32) -> f32'
//   static inline float scale(float x, int n) { return x * n; }
//                       ^~~~~
// error_import_calls.fx:8:18: error: 'n' of 'scale' has the type i32, and the value is f32[N]: write 'as i32'
//       c = scale(x, x);
//                    ^
// imported.h:2:21: note: it is 'scale(x: f32, n: i32) -> f32'
//   static inline float scale(float x, int n) { return x * n; }
//                       ^~~~~
// error_import_calls.fx:9:15: error: 'x' of 'scale' has the type f32, and the value is i32[N]: write 'as f32'
//       e = scale(n, 2);
//                 ^
// imported.h:2:21: note: it is 'scale(x: f32, n: i32) -> f32'
//   static inline float scale(float x, int n) { return x * n; }
//                       ^~~~~
// error_import_calls.fx:10:18: error: 'n' of 'scale' has the type i32, and the value is the number 2.5: write 'as i32'
//       g = scale(x, 2.5);
//                    ^~~
// imported.h:2:21: note: it is 'scale(x: f32, n: i32) -> f32'
//   static inline float scale(float x, int n) { return x * n; }
//                       ^~~~~
// error_import_calls.fx:11:21: error: 'scale' takes 2 arguments, and this is number 3
//       h = scale(x, 2, 3);
//                       ^
// imported.h:2:21: note: it is 'scale(x: f32, n: i32) -> f32'
//   static inline float scale(float x, int n) { return x * n; }
//                       ^~~~~
// error_import_calls.fx:12:18: error: 'scale' has no argument 'm'
//       i = scale(x, m = 3);
//                    ^
// imported.h:2:21: note: it is 'scale(x: f32, n: i32) -> f32'
//   static inline float scale(float x, int n) { return x * n; }
//                       ^~~~~
// error_import_calls.fx:13:18: error: 'x' is given twice
//       j = scale(x, x = x);
//                    ^~~~~
// error_import_calls.fx:13:15: note: it is given here
//       j = scale(x, x = x);
//                 ^
// error_import_calls.fx:14:9: error: no function is called 'scal'; did you mean 'scale'?
//       k = scal(x, 2);
//           ^~~~
// error_import_calls.fx:15:18: error: 'b' of 'opposite' has the type bool, and the value is f32[N]: write 'as bool'
//       l = opposite(x);
//                    ^
// imported.h:5:21: note: it is 'opposite(b: bool) -> bool'
//   static inline _Bool opposite(_Bool b) { return !b; }
//                       ^~~~~~~~
// error_import_calls.fx:16:15: error: 'x' of 'scale' has the type f32, and the value is bool[N]: write 'as f32'
//       m = scale(b, 2);
//                 ^
// imported.h:2:21: note: it is 'scale(x: f32, n: i32) -> f32'
//   static inline float scale(float x, int n) { return x * n; }
//                       ^~~~~
// error_import_calls.fx:17:9: error: shapes f32[N] and f32[M] do not match: axis -1 is N here and M there
//       o = blend(x, d, x, x);
//           ^~~~~~~~~~~~~~~~~
// error_import_calls.fx:17:15: note: this is f32[N]
//       o = blend(x, d, x, x);
//                 ^
// error_import_calls.fx:17:18: note: this is f32[M]
//       o = blend(x, d, x, x);
//                    ^
// error_import_calls.fx:18:17: error: 'x' of 'half_of' has the type f64, and the value is i32[N]: write 'as f64'
//       p = half_of(n);
//                   ^
// imported.h:3:22: note: it is 'half_of(x: f64) -> f64'
//   static inline double half_of(double x) { return x / 2; }
//                        ^~~~~~~
// error_import_calls.fx:19:9: error: 'scale' is a function: call it, as in 'scale(..)'
//       q = scale + 1;
//           ^~~~~
