// run: fusec %s --emit=ast
// exit: 1
fn f(x: f32[N]) -> (y: f32[N]) {
    as = 1;
    fn = 2;
    a = import + 1;
    None = 3;
}
fn assert(x: f32) -> (y: f32) { y = x; }
const as = 1;
// ---- expect
// reserved_words.fx:4:5: error: expected '}' or a statement, found the keyword 'as'
//       as = 1;
//       ^~
// reserved_words.fx:5:5: error: expected '}' or a statement, found the keyword 'fn'
//       fn = 2;
//       ^~
// reserved_words.fx:3:32: note: this '{' is not closed
//   fn f(x: f32[N]) -> (y: f32[N]) {
//                                  ^
// reserved_words.fx:6:9: error: expected an expression, found the keyword 'import'
//       a = import + 1;
//           ^~~~~~
// reserved_words.fx:7:5: error: expected '}' or a statement, found the keyword 'None'
//       None = 3;
//       ^~~~
// reserved_words.fx:9:4: error: expected a name, found the keyword 'assert'
//   fn assert(x: f32) -> (y: f32) { y = x; }
//      ^~~~~~
// reserved_words.fx:10:7: error: expected a name, found the keyword 'as'
//   const as = 1;
//         ^~
