// Nothing asks for the position of a thread within its row where a row has one element.
// run: fusec %s --fn one --arch=sm_80 -o %t.cu
// run: grep "const bool valid\|const int lane =" %t.cu
// run: fusec %s --fn several --arch=sm_80 -o %t.cu
// run: grep "const bool valid\|const int lane =" %t.cu
fn one(x: f32[64, 1], w: f32[1, 1], h: f32[64, 1]) -> (y: f32[64, 1]) {
    y = h + x @ w;
}

fn several(x: f32[66, 300], h: f32[66]) -> (y: f32[66]) {
    y = h + sum(x);
}
// ---- expect
//     const bool valid = first < 64; /* beyond the end: read the last row, store nothing */
//     const int lane = threadIdx.x % 16;
//     const bool valid = first < 66; /* beyond the end: read the last row, store nothing */
