// Headers are in the rule of -MD, in the head of the text and in the plan; -I is a place for them; no
// output is written over one.
// needs: imported.h imported_more.h
// run: fusec -MD %s -I nowhere -o t.c
// run: cat t.d
// run: grep "Imports imported.h (xxh3 " t.c
// run: fusec --json --emit=plan %s -o t.json
// run: grep -A 5 imports t.json
// run: fusec %s --target=c -o imported_more.h
// exit: 1
// run: fusec - --emit=ast -I nowhere
// run: fusec fmt --check %s
import "imported.h";

fn f[N](x: f32[N]) -> (y: f32[N]) {
    y = load_pack(lanes(x, 0.5));
}
// ---- expect
// t.c: import_depend.fx imported.h imported_more.h
//  * Imports imported.h (xxh3 b53684f6d803fcda), imported_more.h (xxh3 50dc6cac522f2043)
//   "imports": [
//     {
//       "file": "imported.h",
//       "xxh3": "b53684f6d803fcda"
//     },
//     {
// fusec: error: 'imported_more.h' is a header that the model imports
// file
//   import "imported.h"
//   fn f
//     dims
//       name N
//     inputs
//       param x
//         type f32
//           name N
//     outputs
//       param y
//         type f32
//           name N
//     let
//       name y
//       call load_pack
//         call lanes
//           name x
//           number 0.5
