// run: fusec run %s --fn wide -D N=3 --out %t.safetensors
// run: fusec run %s --fn narrow --in %t.safetensors
// exit: 1
// run: fusec run %s --fn bytes --in %t.safetensors
// exit: 1
fn wide[N](a: f64[N], b: i64[N]) -> (x: f64[N], ids: i64[N]) {
    x = a;
    ids = b;
}
fn narrow[N](ids: i32[N], x: f32[N]) -> (y: f32[N]) { y = x + (ids as f32); }
fn bytes[N](x: bf16[N]) -> (y: bf16[N]) { y = x; }
// ---- expect
// x: f64[3]  mean 0.1965  max 0.8796  checksum 1bf4848f0466461c
// ids: i64[3]  mean 4.333  max 9  checksum 94dc8a86a8e95601
// fusec: remark: random inputs, seed 0: a, b
// types_of_files.fx:10:27: error: input x is f64[3] in out.safetensors, but the model says f32[N]
//   fn narrow[N](ids: i32[N], x: f32[N]) -> (y: f32[N]) { y = x + (ids as f32); }
//                             ^~~~~~~~~
// fusec: note: files are not converted: save x.astype('float32'), or declare it f64
// types_of_files.fx:11:13: error: input x is f64[3] in out.safetensors, but the model says bf16[N]
//   fn bytes[N](x: bf16[N]) -> (y: bf16[N]) { y = x; }
//               ^~~~~~~~~~
// fusec: note: files are not converted: declare it f64 and write 'x as bf16', or save it in that type with PyTorch (NumPy lacks it)
