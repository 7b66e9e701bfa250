// run: fusec fmt -



const a = 1;


const b = 2;
// about f

fn f() -> (y: f32) {


    y = 1;



    // about z
    z =

       2;

    /* c */


}


// end


// ---- expect
// // run: fusec fmt -
//
// const a = 1;
//
// const b = 2;
// // about f
//
// fn f() -> (y: f32) {
//     y = 1;
//
//     // about z
//     z = 2;
//
//     /* c */
// }
//
// // end
