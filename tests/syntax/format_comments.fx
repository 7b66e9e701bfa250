// run: fusec fmt -
/* A block
     that keeps
   its shape. */
// own line
const a = 1;   // trailing
const b = 2; /* one */ /* two */
/* before */ const c = /* inside */ 3; const d /* x */ = 4; // last
@one_kernel // why
// between
fn f(x: f32) -> (y: f32) { // opens
      /* moves
         with its
       first line */
  y = x + // the first
   // on its own
   x; // the last
    y = g(x, /* over
                two */ x);
        // before the end
} // closes
fn g( // here
  x: f32 /* there */
  // and here
) -> (y: f32) {}
// end of file
// ---- expect
// // run: fusec fmt -
// /* A block
//      that keeps
//    its shape. */
// // own line
// const a = 1;  // trailing
// const b = 2;  /* one */  /* two */
// /* before */
// const c = /* inside */ 3;
// const d /* x */ = 4;  // last
// @one_kernel  // why
// // between
// fn f(x: f32) -> (y: f32) {  // opens
//     /* moves
//        with its
//      first line */
//     y = x +  // the first
//         // on its own
//         x;  // the last
//     y = g(x,  /* over
//                  two */
//         x);
//     // before the end
// }  // closes
// fn g(
//     // here
//     x: f32 /* there */
//     // and here
// ) -> (y: f32) {
// }
// // end of file
