// A header lies below the folder of the model: no "..", no absolute path, and it is there.
// run: fusec %s --emit=graph
// exit: 1
import "missing.h";
import "../imported.h";
import "sub/../imported.h";
import "/etc/passwd";
import "sub//imported.h";
import "";
import "with space.h";
import "$(HOME).h";
import ".";
import "sub/";
import "missing.h";
fn f[N](x: f32[N]) -> (y: f32[N]) { y = x; }
// ---- expect
// error_import_files.fx:14:1: error: 'missing.h' is imported twice
//   import "missing.h";
//   ^~~~~~~~~~~~~~~~~~~
// error_import_files.fx:4:1: note: it is imported here
//   import "missing.h";
//   ^~~~~~~~~~~~~~~~~~~
// error_import_files.fx:4:9: error: 'missing.h' is not there
//   import "missing.h";
//           ^~~~~~~~~
// error_import_files.fx:5:9: error: '../imported.h' leads out of its folder by '..'
//   import "../imported.h";
//           ^~~~~~~~~~~~~
// error_import_files.fx:6:9: error: 'sub/../imported.h' leads out of its folder by '..'
//   import "sub/../imported.h";
//           ^~~~~~~~~~~~~~~~~
// error_import_files.fx:7:9: error: '/etc/passwd' is an absolute path: write one below the folder of the model
//   import "/etc/passwd";
//           ^~~~~~~~~~~
// error_import_files.fx:8:9: error: 'sub//imported.h' has an empty part
//   import "sub//imported.h";
//           ^~~~~~~~~~~~~~~
// error_import_files.fx:9:9: error: '' is empty
//   import "";
//           ^
// error_import_files.fx:10:9: error: 'with space.h' has characters that no header has here
//   import "with space.h";
//           ^~~~~~~~~~~~
// error_import_files.fx:11:9: error: '$(HOME).h' has characters that no header has here
//   import "$(HOME).h";
//           ^~~~~~~~~
// error_import_files.fx:12:9: error: '.' is a directory
//   import ".";
//           ^
// error_import_files.fx:13:9: error: 'sub/' is a directory
//   import "sub/";
//           ^~~~
// error_import_files.fx:14:9: error: 'missing.h' is not there
//   import "missing.h";
//           ^~~~~~~~~
