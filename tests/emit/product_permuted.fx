// Pieces of a row of results that a permutation takes apart are stored in packs, where the pieces are
// whole ones: 64 columns of two positions, 16 of f32 in packs of four; not of 15.
// run: fusec %s --fn upsampled --arch=sm_90a --assume-aligned --no-test -o %t.cu
// run: grep -A 1 "store_pack(y" %t.cu
// run: fusec %s --fn outer --arch=sm_90a --no-test -o %t.cu
// run: grep -A 1 "store_pack(y" %t.cu
// run: fusec %s --fn odd --arch=sm_90a --no-test -o %t.cu
// run: grep -c "store_pack(y" %t.cu
// exit: 1
fn upsampled(x: bf16[1024, 256], w: bf16[256, 2, 64], b: bf16[64]) -> (y: bf16[2, 1024, 64]) {
    y = permute(reshape(x @ reshape(w, 256, 128), 1024, 2, 64), 1, 0, 2) + b;
}
fn outer(a: bf16[64, 256, 16], b: bf16[64, 256, 16]) -> (y: f32[256, 256, 16, 16]) { y = einsum("sic,sjd->ijcd", a, b); }
fn odd(a: bf16[64, 256, 15], b: bf16[64, 256, 15]) -> (y: f32[256, 256, 15, 15]) { y = einsum("sic,sjd->ijcd", a, b); }
