// needs: imported.h
// run: fusec %s --emit=graph
// exit: 1
import "imported.h";
import "imported.h";
fn f[N](x: f32[N]) -> (y: f32[N]) { y = x; }
// ---- expect
// error_import_twice.fx:5:1: error: 'imported.h' is imported twice
//   import "imported.h";
//   ^~~~~~~~~~~~~~~~~~~~
// error_import_twice.fx:4:1: note: it is imported here
//   import "imported.h";
//   ^~~~~~~~~~~~~~~~~~~~
