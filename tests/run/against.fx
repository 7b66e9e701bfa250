// run: fusec run %s --in x.npy --out %t.safetensors --seed 1
// run: fusec run %s --in x.npy --against %t.safetensors --seed 1
// run: fusec run %s --in x.npy --against %t.safetensors --seed 2
// exit: 1
// run: fusec run %s -D N=4 -D D=3 --against %t.safetensors
// exit: 1
// run: fusec run %s --in x.npy --against x.npy
// exit: 1
// run: fusec run %s --in x.npy --against missing.safetensors
// exit: 3
// run: fusec run %s --in x.npy --against %t.safetensors --repeat 2
// exit: 2
// needs: x.npy
fn f[N, D](x: f32[N, D], b: f32[D]) -> (y: f32[N, D], top: i32[N]) {
    y = x + b;
    top = argmax(x, axis = -1);
}
// ---- expect
// y: f32[5, 3]  mean 0.02504  max 1.726  checksum 8a49af28a2f6706a
// top: i32[5]  mean 0.8  max 1  checksum 2b58c4a36ac2587b
// fusec: remark: random inputs, seed 1: b
// y: ok, largest error 0 of 1.13e-06 allowed, at [0, 0]: got -1.94229794, want -1.94229794
// top: ok
// fusec: remark: random inputs, seed 1: b
// y: wrong (error), largest error 0.85 of 2.04e-06 allowed, at [1, 0]: got -1.4592979, want -0.609682739
// top: ok
// fusec: remark: random inputs, seed 2: b
// fusec: error: 1 of 2 outputs of f are wrong
// fusec: remark: random inputs, seed 0: x, b
// against.fx:14:41: error: output y is f32[5, 3] in out.safetensors, not f32[4, 3]
//   fn f[N, D](x: f32[N, D], b: f32[D]) -> (y: f32[N, D], top: i32[N]) {
//                                           ^
// fusec: remark: random inputs, seed 0: b
// fusec: error: x.npy has no output y
// fusec: note: a .npy file is of the output that it is named after: y.npy
// fusec: remark: random inputs, seed 0: b
// fusec: error: open missing.safetensors: No such file or directory
// fusec: error: --against runs nothing and cannot be combined with --repeat
