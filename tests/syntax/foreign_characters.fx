// run: fusec %s --emit=ast
// exit: 1
fn f(x: f32[N]) -> (y: f32[N]) {
    a = $$$ + $;
    b = x ~ 1;
    c = é;
    d = \n;
    y = x + ;
}
// ---- expect
// foreign_characters.fx:4:9: error: '$$$' is not part of the language
//       a = $$$ + $;
//           ^~~
// foreign_characters.fx:4:15: error: '$' is not part of the language
//       a = $$$ + $;
//                 ^
// foreign_characters.fx:5:11: error: '~' is not part of the language: write '!x' for bool, '-x - 1' for integers
//       b = x ~ 1;
//             ^
// foreign_characters.fx:6:9: error: 'é' is not part of the language
//       c = é;
//           ^
// foreign_characters.fx:7:9: error: '\' is not part of the language
//       d = \n;
//           ^
// foreign_characters.fx:8:13: error: expected an expression, found ';'
//       y = x + ;
//               ^
