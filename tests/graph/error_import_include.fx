// What a header includes is below the folder, too.
// needs: imported_includes.h
// run: fusec %s --emit=graph
// exit: 1
import "imported_includes.h";
fn f[N](x: f32[N]) -> (y: f32[N]) { y = x; }
// ---- expect
// imported_includes.h:2:10: error: '/etc/passwd' is an absolute path: write one below the folder of the model
//   #include "/etc/passwd"
//            ^~~~~~~~~~~~~
// error_import_include.fx:5:9: note: it is imported here
//   import "imported_includes.h";
//           ^~~~~~~~~~~~~~~~~~~
