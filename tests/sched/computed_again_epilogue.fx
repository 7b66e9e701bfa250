// A sigmoid that a pointwise kernel and the epilogue of a product read: on a GPU both compute it from what they read
// anyway, as an exponential takes less time than to store and load 4 bytes. Not the operand of a product.
// run: fusec explain %s --arch=sm_90a --fn=epilogue -o %t.txt
// run: grep -E "^kernel|  does|  reads|  writes" %t.txt
// run: fusec explain %s --arch=sm_90a --fn=operand -o %t.operand.txt
// run: grep -E "^kernel|  does|  reads|  writes" %t.operand.txt
fn epilogue(a: bf16[512, 768], b: bf16[512, 768], dy: bf16[512, 256], w: bf16[256, 768])
    -> (h: bf16[512, 768], da: bf16[512, 768]) {
    s = sigmoid(a);
    h = a * s * b;
    da = (dy @ w) * b * (s * (1 + a * (1 - s)));
}

fn operand(a: bf16[512, 768], w: bf16[768, 256]) -> (h: bf16[512, 768], y: f32[512, 256]) {
    s = sigmoid(a) as bf16;
    h = a * s;
    y = s @ w;
}
// ---- expect
// kernel epilogue_0: pointwise over [512, 768]
//   does      neg, exp, add, div, 2 mul, as
//   reads     1.5 MiB: a, b
//   writes    768.0 KiB: h
// kernel epilogue_1: dot over [512, 768]
//   does      neg, exp, 2 add, div, matmul, 4 mul, sub, as
//   reads     2.1 MiB: a, dy, w, b
//   writes    768.0 KiB: da
// kernel operand_0: pointwise over [512, 768]
//   does      neg, exp, add, div, 2 as, mul
//   reads     768.0 KiB: a
//   writes    1.5 MiB: s, h
// kernel operand_1: dot over [512, 256]
//   does      matmul
//   reads     1.1 MiB: s, w
//   writes    512.0 KiB: y
