// What libclang finds wrong in a header, in its words, and there.
// needs: imported.h imported_broken.h
// run: fusec %s --emit=graph
// exit: 1
import "imported_broken.h";
fn f[N](x: f32[N]) -> (y: f32[N]) { y = half_way(x); }
// ---- expect
// imported_broken.h:2:1: error: libclang: unknown type name 'flot'
//   flot half_way(float x) { return x / 2; }
//   ^
// imported_broken.h:3:20: error: libclang: expected ')'
//   float ends(float x { return x; }
//                      ^
// imported_broken.h:3:33: error: libclang: expected function body after function declarator
//   float ends(float x { return x; }
//                                   ^
// error_import_header.fx:5:9: note: it is imported here
//   import "imported_broken.h";
//           ^~~~~~~~~~~~~~~~~
