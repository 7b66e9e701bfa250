// In CUDA, elements of a row are divided by what all of them share without a division each; a thread goes
// through positions in order, so that an argmax compares values alone.
// run: fusec %s --target=cuda -o %t.cu
// run: grep -E "divide_by\(x_|ArgMax::(step|position)\(" %t.cu
fn quantised[N](x: bf16[N, 4096]) -> (y: i8[N, 4096], scale: f32[N], at: i32[N]) {
    scale = max(abs(x as f32)) / 127.0;
    y = round(x as f32 / scale[:, None]) as i8;
    at = argmax(x);
}
// ---- expect
//             ArgMax::step(best_argmax, x_1, index);
//     const int argmax = ArgMax::position(best_argmax);
//             y_pack.at[l] = (signed char)(i8_of(rint(divide_by(x_1, scale_1))));
