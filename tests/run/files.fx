// needs: x.npy
// run: fusec run %s --in x.npy --out %t.safetensors
// run: cp x.npy other.npy
// run: fusec run %s --in other.npy
// exit: 1
// run: fusec run %s --in x.npy --out %t.npy
// exit: 1
// run: fusec run %s --fn f --in x.npy --in x.npy --in ./x.npy
// exit: 1
// run: fusec run %s --in missing.npy
// exit: 3
// run: fusec run %s --in x.npy -D N=4
// exit: 1
// run: fusec run %s --in x.npy --out %t.txt
// exit: 2
// run: fusec run %s --in %t.safetensors
// exit: 1
// run: fusec run %s -D D=3
// exit: 1
fn f[N, D](x: f32[N, D], b: f32[D]) -> (y: f32[N, D], z: f32[N]) {
    y = x + 1;
    z = sum(x * 0 + b * 0, axis = -1);
}
// ---- expect
// y: f32[5, 3]  mean 0.8629  max 2.39  checksum 25809488ff65dee8
// z: f32[5]  mean 0  max 0  checksum e2b2ae96494bd047
// fusec: remark: random inputs, seed 0: b
// fusec: error: other.npy holds no input of f: those are x, b
// fusec: note: a .npy file is for the input that it is named after, as in x.npy
// fusec: error: out.npy: a .npy file holds one tensor, not 2; use .safetensors
// fusec: error: ./x.npy: input x was already given
// fusec: error: open missing.npy: No such file or directory
// fusec: remark: random inputs, seed 0: b
// files.fx:20:12: error: input x is f32[5, 3] in x.npy, but the model says f32[4, D]
//   fn f[N, D](x: f32[N, D], b: f32[D]) -> (y: f32[N, D], z: f32[N]) {
//              ^~~~~~~~~~~~
// files.fx:20:9: note: D = 3, from axis 1 of input x
//   fn f[N, D](x: f32[N, D], b: f32[D]) -> (y: f32[N, D], z: f32[N]) {
//           ^
// fusec: error: out.txt: the name ends in neither .npy nor .safetensors
// fusec: error: out.safetensors holds no input of f: those are x, b
// fusec: error: the size of N is not known: give it a value, as in -D N=64
