// needs: imported.h
// run: fusec %s --emit=graph --limit import_bytes=100
// exit: 1
import "imported.h";
fn f[N](x: f32[N]) -> (y: f32[N]) { y = scale(x, 2); }
// ---- expect
// error_import_limit.fx:4:9: error: 'imported.h' has more than 100 bytes
//   import "imported.h";
//           ^~~~~~~~~~
// error_import_limit.fx:4:9: note: all headers of a model may have 100 ('--limit import_bytes=N')
//   import "imported.h";
//           ^~~~~~~~~~
