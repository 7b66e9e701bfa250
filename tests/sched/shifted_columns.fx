// Rows that start anywhere in packs, beside operands of columns alone, which are loaded one element at a time: packs
// where rows of single elements do not stay in registers, or these are few bytes.
// run: fusec explain %s --arch=sm_90a --machine=H200 --target=cuda > all
// run: grep -E "^kernel|tile" all
fn long(x: f32[1073, 34785], g: f32[34785]) -> (y: f32[1073, 34785]) { y = rms_norm(x, g); }
fn short(x: bf16[16384, 4099], g: bf16[4099]) -> (y: bf16[16384, 4099]) { y = rms_norm(x, g) as bf16; }
fn bias(x: bf16[16384, 2053], g: bf16[2053], b: f32[2053]) -> (y: bf16[16384, 2053]) { y = layer_norm(x, g, b) as bf16; }
fn even(x: bf16[16384, 2054], g: bf16[2054]) -> (y: bf16[16384, 2054]) { y = rms_norm(x, g) as bf16; }
// ---- expect
// kernel long_0: row over [1073, 34785] along 34785
//   tile      kind=row,cluster=2,threads=256,row_threads=256,warp_columns=0,vector=4,keep=shared,unroll=8
// kernel short_0: row over [16384, 4099] along 4099
//   tile      kind=row,cluster=1,threads=64,row_threads=64,warp_columns=0,vector=8,keep=registers,unroll=4
// kernel bias_0: row over [16384, 2053] along 2053
//   tile      kind=row,cluster=1,threads=128,row_threads=128,warp_columns=0,vector=1,keep=registers,unroll=4
// kernel even_0: row over [16384, 2054] along 2054
//   tile      kind=row,cluster=1,threads=128,row_threads=128,warp_columns=0,vector=2,keep=registers,unroll=4
