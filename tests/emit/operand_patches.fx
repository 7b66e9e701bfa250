// Patches of images, as a product reads them: 16 neighbours of a row are contiguous, so that cp.async
// brings packs of 8, and none of their elements has an address of its own.
// run: fusec %s --target=cuda --arch=sm_90a -o %t.cu
// run: grep -A 2 -E "cp_async\(copies|x_pack" %t.cu
fn embed(x: bf16[64, 3, 224, 224], w: bf16[768, 768]) -> (y: bf16[64, 196, 768]) {
    p = permute(reshape(x, 64, 3, 14, 16, 14, 16), 0, 2, 4, 1, 3, 5);
    y = reshape(p, 64, 196, 768) @ w.T;
}
// ---- expect
//                         cp_async(copies + raw_x + (item * 128 + thread) * 16,
//                                  x + (at_m / 196) * 150528 + (at_k / 256) * 50176 +
//                                  ((at_m % 196) / 14) * 3584 + ((at_k / 16) % 16) * 224 +
// --
//                             const auto x_pack = load_pack<VEC>(x_read[item].at);
// #pragma unroll
//                             for (int l = 0; l < VEC; l++)
//                                 elements.at[part + l] = x_pack.at[l];
//                         }
//                         store_pack((bf16 *)(slot + swizzled<128>(row, chunk)), elements);
// --
//                             const auto x_pack = load_pack<VEC>(x + (at_m / 196) * 150528 +
//                                                                (at_k / 256) * 50176 +
//                                                                ((at_m % 196) / 14) * 3584 +
// --
//                                 elements.at[part + l] = x_pack.at[l];
//                         }
//                         store_pack((bf16 *)(slot + swizzled<128>(row, chunk)), elements);
