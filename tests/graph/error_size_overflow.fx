// run: fusec %s --emit=graph
// exit: 1
fn f[N](x: f32[N]) -> (y: f32, z: f32, w: f32) {
    y = 9223372036854775807 + 1;
    z = N ** 65;
    a = reshape(x, 4611686018427387904, 4611686018427387904, -1);
    w = sum(x[4611686018427387904 * 4:]);
}
// ---- expect
// error_size_overflow.fx:4:9: error: the value overflows 64 bits, or has more than 64 terms ('--limit dim_terms=N' changes this)
//       y = 9223372036854775807 + 1;
//           ^~~~~~~~~~~~~~~~~~~~~~~
// error_size_overflow.fx:5:9: error: the value overflows 64 bits, or has more than 64 terms ('--limit dim_terms=N' changes this)
//       z = N ** 65;
//           ^~~~~~~
// error_size_overflow.fx:6:41: error: a size here overflows 64 bits, or has more than 64 terms ('--limit dim_terms=N' changes this)
//       a = reshape(x, 4611686018427387904, 4611686018427387904, -1);
//                                           ^~~~~~~~~~~~~~~~~~~
// error_size_overflow.fx:7:15: error: the value overflows 64 bits, or has more than 64 terms ('--limit dim_terms=N' changes this)
//       w = sum(x[4611686018427387904 * 4:]);
//                 ^~~~~~~~~~~~~~~~~~~~~~~
