// run: fusec %s --emit=ast
// exit: 1
fn f(x: f32[N]) -> (y: f32[N]) {
    a = x × 2;
    b = x & x | x;
    c = x ^ 2;
    d = x − 1;
    e = xᵀ;
    f = x ≤ 1;
    y = x ? 1 : 2;
    # comment
}
import “ops.h”;
import 'ops.h';
// ---- expect
// lookalikes.fx:4:11: error: '×' is not part of the language: did you mean '*'?
//       a = x × 2;
//             ^
// lookalikes.fx:5:11: error: '&' is not part of the language: write 'a && b' for bool; for integers >= 0, 'x % 2 ** n' keeps the lowest n bits
//       b = x & x | x;
//             ^
// lookalikes.fx:5:15: error: '|' is not part of the language: write 'a || b' for bool; '+' combines bits that do not overlap
//       b = x & x | x;
//                 ^
// lookalikes.fx:6:11: error: '^' is not part of the language: write 'x ** 2' for a power, 'a != b' for the exclusive or of bool
//       c = x ^ 2;
//             ^
// lookalikes.fx:7:11: error: '−' is not part of the language: did you mean '-'?
//       d = x − 1;
//             ^
// lookalikes.fx:8:10: error: 'ᵀ' is not part of the language: did you mean '.T'?
//       e = xᵀ;
//            ^
// lookalikes.fx:9:11: error: '≤' is not part of the language: did you mean '<='?
//       f = x ≤ 1;
//             ^
// lookalikes.fx:10:11: error: '?' is not part of the language: write 'where(condition, a, b)'
//       y = x ? 1 : 2;
//             ^
// lookalikes.fx:11:5: error: '#' is not part of the language: write '// ..' for a comment
//       # comment
//       ^
// lookalikes.fx:13:8: error: strings are written in double quotes: ".."
//   import “ops.h”;
//          ^~~~~~~
// lookalikes.fx:14:8: error: strings are written in double quotes: ".."
//   import 'ops.h';
//          ^~~~~~~
