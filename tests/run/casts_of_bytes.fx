// All bytes as floats: bf16 and f16 hold them, f8 rounds them once.
// run: fusec run %s --check > checks
// run: fusec %s -o %t.c
// run: grep f64_i32 %t.c
// exit: 1
fn f(scale: f32[1]) -> (
    i_bf16: bf16[256], u_bf16: bf16[256], i_f16: f16[256], u_f16: f16[256],
    i_f8: f8e4m3[256], u_f8: f8e4m3[256], i_wide_f8: f8e5m2[256], u_wide_f8: f8e5m2[256]
) {
    i = (iota(256) + (scale * 0) as i32) as i8;
    u = (iota(256) + (scale * 0) as i32) as u8;
    i_bf16 = i as bf16;
    u_bf16 = u as bf16;
    i_f16 = i as f16;
    u_f16 = u as f16;
    i_f8 = i as f8e4m3;
    u_f8 = u as f8e4m3;
    i_wide_f8 = i as f8e5m2;
    u_wide_f8 = u as f8e5m2;
}
// ---- expect
// fusec: remark: random inputs, seed 0: scale
