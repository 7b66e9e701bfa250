// Functions of a header that cannot be operators, and why.
// needs: imported_bad.h
// run: fusec %s --emit=graph --limit errors=40
// exit: 1
import "imported_bad.h";
fn f[N](x: f32[N]) -> (y: f32[N]) {
    a = first(x);
    b = total(3, x);
    c = nothing(x);
    d = both(x);
    e = mask(x);
    g = declared(x);
    h = counted(x);
    i = kept(x);
    j = forever(x);
    k = even(x);
    l = nine(x, x, x, x, x, x, x, x, x);
    m = pi();
    n = made(x);
    o = uses_made(x);
    p = calls_umlaut(x);
    y = x;
}
// ---- expect
// error_import_functions.fx:7:9: error: 'first' of the header is no operator: its argument 'x' is a pointer
//       a = first(x);
//           ^~~~~
// imported_bad.h:4:7: note: it is declared here
//   float first(const float *x) { return x[0]; }
//         ^~~~~
// error_import_functions.fx:8:9: error: 'total' of the header is no operator: it takes any number of arguments (..)
//       b = total(3, x);
//           ^~~~~
// imported_bad.h:5:7: note: it is declared here
//   float total(int n, ...) { return n; }
//         ^~~~~
// error_import_functions.fx:9:9: error: 'nothing' of the header is no operator: its result is void
//       c = nothing(x);
//           ^~~~~~~
// imported_bad.h:6:6: note: it is declared here
//   void nothing(float x) {}
//        ^~~~~~~
// error_import_functions.fx:10:9: error: 'both' of the header is no operator: its result is 'struct pair', which is no element type: take float, double, int, int64_t or bool
//       d = both(x);
//           ^~~~
// imported_bad.h:7:13: note: it is declared here
//   struct pair both(float x) { struct pair p = {x, x}; return p; }
//               ^~~~
// error_import_functions.fx:11:9: error: 'mask' of the header is no operator: its result is 'unsigned int', which is no element type: take float, double, int, int64_t or bool
//       e = mask(x);
//           ^~~~
// imported_bad.h:8:10: note: it is declared here
//   unsigned mask(float x) { return x > 0; }
//            ^~~~
// error_import_functions.fx:12:9: error: 'declared' of the header is no operator: 'declared' has no body there
//       g = declared(x);
//           ^~~~~~~~
// imported_bad.h:9:7: note: it is declared here
//   float declared(float x);
//         ^~~~~~~~
// error_import_functions.fx:13:9: error: 'counted' of the header is no operator: it uses 'counter', which is not const
//       h = counted(x);
//           ^~~~~~~
// imported_bad.h:10:7: note: it is declared here
//   float counted(float x) { return x + counter++; }
//         ^~~~~~~
// error_import_functions.fx:14:9: error: 'kept' of the header is no operator: 'kept' keeps data between calls
//       i = kept(x);
//           ^~~~
// imported_bad.h:11:7: note: it is declared here
//   float kept(float x) { static float last; float y = last; last = x; return y; }
//         ^~~~
// error_import_functions.fx:15:9: error: 'forever' of the header is no operator: 'forever' calls itself
//       j = forever(x);
//           ^~~~~~~
// imported_bad.h:12:7: note: it is declared here
//   float forever(float x) { return x > 0 ? forever(x - 1) : 0; }
//         ^~~~~~~
// error_import_functions.fx:16:9: error: 'even' of the header is no operator: 'even' calls itself
//       k = even(x);
//           ^~~~
// imported_bad.h:14:7: note: it is declared here
//   float even(float x) { return x > 0 ? odd(x - 1) : 1; }
//         ^~~~
// error_import_functions.fx:17:9: error: 'nine' of the header is no operator: it has 9 arguments, and 8 are the most
//       l = nine(x, x, x, x, x, x, x, x, x);
//           ^~~~
// imported_bad.h:16:7: note: it is declared here
//   float nine(float a, float b, float c, float d, float e, float f, float g, float h, float i) {
//         ^~~~
// error_import_functions.fx:18:9: error: 'pi' of the header is no operator: it has no argument: a const of the model does the same
//       m = pi();
//           ^~
// imported_bad.h:19:7: note: it is declared here
//   float pi(void) { return 3.14f; }
//         ^~
// error_import_functions.fx:19:9: error: 'made' of the header is no operator: a macro writes 'made'
//       n = made(x);
//           ^~~~
// imported_bad.h:21:1: note: it is declared here
//   MAKE(made)
//   ^~~~
// error_import_functions.fx:20:9: error: 'uses_made' of the header is no operator: a macro writes 'made'
//       o = uses_made(x);
//           ^~~~~~~~~
// imported_bad.h:22:7: note: it is declared here
//   float uses_made(float x) { return made(x); }
//         ^~~~~~~~~
// error_import_functions.fx:21:9: error: 'calls_umlaut' of the header is no operator: 'calls_umlaut' has a character that is not ASCII
//       p = calls_umlaut(x);
//           ^~~~~~~~~~~~
// imported_bad.h:24:7: note: it is declared here
//   float calls_umlaut(float x) { return x + ü; }
//         ^~~~~~~~~~~~
