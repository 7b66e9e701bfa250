// run: fusec report %s -o overwritten.fx
// exit: 2
// run: fusec graph %s -o ./overwritten.fx
// exit: 2
// run: fusec run %s --device=cpu -D N=4 --trace overwritten.fx
// exit: 2
// run: fusec tune %s -D N=4 --tune-lock overwritten.fx
// exit: 2
// run: fusec %s -o out.c -MD -MF out.c
// exit: 2
// run: fusec %s -o out.d --target=c -MD
// exit: 2
// run: fusec %s -o out.c -o out.h -MD -MF out.h
// exit: 2
// run: fusec %s -o /dev/null -MD -MF -
// run: fusec fmt --check overwritten.fx
// A model is not written over by what is made of it, nor an output by another one.
fn f[N](x: f32[N]) -> (y: f32[N]) {
    y = exp(x);
}
// ---- expect
// fusec: error: the output 'overwritten.fx' is the model itself
// fusec: error: the output 'overwritten.fx' is the model itself
// fusec: error: the output 'overwritten.fx' is the model itself
// fusec: error: the output 'overwritten.fx' is the model itself
// fusec: error: 'out.c' is the path of two outputs
// fusec: error: 'out.d' is the path of two outputs
// fusec: error: 'out.h' is the path of two outputs
// /dev/null: overwritten.fx
