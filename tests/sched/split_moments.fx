// Mean and variance of channels: one kernel reads the rows of each channel, or where these are short the columns,
// and the next combines them. Not where what is reduced is read again, or where a block keeps it.
// run: fusec explain %s --target=cuda --arch=sm_90a -o %t.txt
// run: grep -E "^(fn|kernel)" %t.txt
fn channels(x: bf16[128, 256, 56, 56]) -> (m: f32[256], v: f32[256]) {
    m = mean(x, axis = [0, 2, 3]);
    v = var(x, axis = [0, 2, 3]);
}

fn deviation(x: f32[64, 32, 2048]) -> (d: f32[32]) { d = sqrt(var(x * x, axis = [0, 2])); }

fn normalised(x: bf16[128, 256, 3136]) -> (y: bf16[128, 256, 3136]) {
    m = mean(x, axis = [0, 2], keep = true);
    y = (x - m) * rsqrt(var(x, axis = [0, 2], keep = true));
}

fn few(x: f32[8, 256, 512]) -> (v: f32[256]) { v = var(x, axis = [0, 2]); }

fn short(x: bf16[128, 2048, 7, 7]) -> (v: f32[2048]) { v = var(x, axis = [0, 2, 3]); }
// ---- expect
// fn channels at -O2: 14 ops in 2 kernels
// kernel channels_0: row over [128, 256, 56, 56] along 56, 56
// kernel channels_1: row over [128, 256] along 128
// fn deviation at -O2: 16 ops in 2 kernels
// kernel deviation_0: row over [64, 32, 2048] along 2048
// kernel deviation_1: row over [64, 32] along 64
// fn normalised at -O2: 9 ops in 1 kernel
// kernel normalised_0: row over [128, 256, 3136] along 128, 3136
// fn few at -O2: 6 ops in 1 kernel
// kernel few_0: row over [8, 256, 512] along 8, 512
// fn short at -O2: 14 ops in 2 kernels
// kernel short_0: row over [128, 2048, 7, 7] along 128
// kernel short_1: row over [2048, 7, 7] along 7, 7
