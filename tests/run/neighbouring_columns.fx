// On a GPU a thread has neighbouring columns of narrow elements, of reductions in several stages, too: what one stage
// finds of each column is kept for the next, and so are the elements, unless columns are long.
// run: fusec run %s --check
// run: fusec %s --arch=sm_90a -o %t.cu
// run: grep -E "VEC> (div|max|largest|mean)[a-z_0-9]*;|VEC> [xyz]_items" %t.cu
fn columns(x: bf16[40, 40000], y: i8[37, 65536], z: f16[700, 33000], w: bf16[9, 5, 32770]) -> (
    mean_of: f32[40000],
    variance: f32[40000],
    above: i32[65536],
    spread: f32[33000],
    near: f32[5, 32770]
) {
    mean_of = mean(x, axis = 0);
    variance = var(x, axis = 0) * 2.0;
    largest = max(y, axis = 0, keep = true);
    above = sum((y as i32) * 2 > (largest as i32), axis = 0);
    spread = sqrt(var(z * z, axis = 0)) + mean(z, axis = 0);
    low = min(w, axis = 0, keep = true) as f32;
    near = sum((w as f32 - low) * (iota(5)[None, :, None] as f32 + low), axis = 0);
}
// ---- expect
// mean_of: f32[40000]  mean -0.001959  max 0.3999  checksum f65adeca9fc6c367
// variance: f32[40000]  mean 0.6504  max 1.025  checksum d0e1104094951838
// above: i32[65536]  mean 9.263  max 24  checksum 3daf65b32b9c07eb
// spread: f32[33000]  mean 0.2975  max 0.393  checksum cfa1305fedd166f3
// near: f32[5, 32770]  mean 8.483  max 40.49  checksum c80e9c5fdbd08325
// mean_of: ok, largest error 0 of 1.91e-07 allowed, mean 0 of 4.35e-08, at [0]: got 0.221289068, want 0.221289068
// variance: ok, largest error 4.77e-07 of 1.44e-06 allowed, mean 1.18e-07 of 5.52e-07, at [4848]: got 0.768005967, want 0.768006444
// above: ok
// spread: ok, largest error 2.38e-07 of 6.64e-07 allowed, mean 5.82e-08 of 2.59e-07, at [4612]: got 0.269865662, want 0.269865423
// near: ok, largest error 0 of 1.93e-05 allowed, mean 0 of 6.47e-06, at [0, 0]: got -5.14489746, want -5.14489746
// fusec: remark: random inputs, seed 0: x, y, z, w
//     Pack<bf16, VEC> x_items[items];
//     Pack<float, VEC> mean_rows;
//     Pack<signed char, VEC> y_items[items];
//     Pack<int, VEC> largest_1;
//     Pack<float, VEC> mean_rows;
//     Pack<float, VEC> mean_rows_2;
