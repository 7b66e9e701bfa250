// run: fusec %s --emit=ast
// exit: 1
fn f(x: f32[N]) -> (y: f32[N]) {
    a = x < 1 < 2;
    b = x == 1 != 2;
    c = (x < 1) == (x > 2);
    d = 0 <= x && x
        < 1 >= 2;
}
// ---- expect
// comparisons_do_not_chain.fx:4:15: error: comparisons do not chain: write 'a < b && b < c'
//       a = x < 1 < 2;
//                 ^
// comparisons_do_not_chain.fx:5:16: error: comparisons do not chain: write 'a < b && b < c'
//       b = x == 1 != 2;
//                  ^~
// comparisons_do_not_chain.fx:8:13: error: comparisons do not chain: write 'a < b && b < c'
//           < 1 >= 2;
//               ^~
