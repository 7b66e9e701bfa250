// Running maxima and minima of few long rows and columns, which a GPU has in chunks: from both ends, and of lengths that
// nothing divides, whose padding is never larger or smaller than what is there.
// run: fusec run %s --check > checks
// run: fusec explain %s --machine=H200 --arch=sm_90a > explained
// run: grep "^kernel" explained
fn extremes(
    x: f32[131072],
    r: bf16[3, 65536],
    c: i32[16384, 5],
    m: f32[2, 20000, 3],
    p: f32[131071],
    q: f8e4m3[1, 170021],
    u: u8[1, 170021],
    l: i64[40003, 2]
) -> (
    a: f32[131072],
    b: bf16[3, 65536],
    d: i32[16384, 5],
    e: f32[2, 20000, 3],
    f: f32[131071],
    g: f8e4m3[1, 170021],
    h: u8[1, 170021],
    i: i64[40003, 2]
) {
    a = cummax(-abs(x) - 1) * 2.0;
    b = cummin(r, reverse = true);
    d = cummax(c - 20, axis = 0);
    e = cummin(m + 2, axis = 1, reverse = true) - m;
    f = cummax(p - 3, reverse = true);
    g = cummax(-q, reverse = true);
    h = cummin(u, reverse = true);
    i = cummax(l - 30, axis = 0, reverse = true);
}
// ---- expect
// fusec: remark: random inputs, seed 0: x, r, c, m, p, q, u, l
// kernel extremes_0: row over [64, 2048] along 2048
// kernel extremes_1: row over [64] along 64
// kernel extremes_2: row over [64, 2048] along 2048
// kernel extremes_3: row over [3, 32, 2048] along 2048
// kernel extremes_4: row over [3, 32] along 32 from its end
// kernel extremes_5: row over [3, 32, 2048] along 2048 from its end
// kernel extremes_6: row over [128, 128, 5] along 128
// kernel extremes_7: row over [128, 5] along 128
// kernel extremes_8: row over [128, 128, 5] along 128
// kernel extremes_9: row over [2, 160, 125, 3] along 125
// kernel extremes_10: row over [2, 160, 3] along 160 from its end
// kernel extremes_11: row over [2, 160, 125, 3] along 125 from its end
// kernel extremes_12: row over [63, 2088] along 2088
// kernel extremes_13: row over [63] along 63 from its end
// kernel extremes_14: row over [63, 2088] along 2088 from its end
// kernel extremes_15: row over [83, 2056] along 2056
// kernel extremes_16: row over [83] along 83 from its end
// kernel extremes_17: row over [83, 2056] along 2056 from its end
// kernel extremes_18: row over [83, 2056] along 2056
// kernel extremes_19: row over [83] along 83 from its end
// kernel extremes_20: row over [83, 2056] along 2056 from its end
// kernel extremes_21: row over [367, 109, 2] along 109
// kernel extremes_22: row over [367, 2] along 367 from its end
// kernel extremes_23: row over [367, 109, 2] along 109 from its end
