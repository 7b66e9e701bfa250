// run: fusec %s --emit=ast
// exit: 1
fn f(x: f32[N]) -> (y: f32[N]) {
    let a = 1;
    if (a) b = 1;
    for (i in x) c = 1;
    return x;
}
def g(x): return x
// ---- expect
// other_languages.fx:4:9: error: expected ',' or '=', found 'a'
//       let a = 1;
//           ^
// other_languages.fx:4:5: note: write 'name = value;'
//       let a = 1;
//       ^~~
// other_languages.fx:5:8: error: expected ',' or '=', found '('
//       if (a) b = 1;
//          ^
// other_languages.fx:5:5: note: there is no 'if': 'where(condition, a, b)' selects by element
//       if (a) b = 1;
//       ^~
// other_languages.fx:6:9: error: expected ',' or '=', found '('
//       for (i in x) c = 1;
//           ^
// other_languages.fx:6:5: note: there are no loops: operators work on whole tensors
//       for (i in x) c = 1;
//       ^~~
// other_languages.fx:7:12: error: expected ',' or '=', found 'x'
//       return x;
//              ^
// other_languages.fx:7:5: note: there is no 'return': outputs are assigned by name
//       return x;
//       ^~~~~~
// other_languages.fx:9:1: error: expected 'fn', 'const' or 'import', found 'def'
//   def g(x): return x
//   ^~~
// other_languages.fx:9:1: note: a function is 'fn name[dims](inputs) -> (outputs) { .. }'
//   def g(x): return x
//   ^~~
