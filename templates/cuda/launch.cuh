/* launch.cuh: what host launchers call. Sections as in types.cuh. */
#pragma once
#include "hopper.cuh"
//@BEGIN
//@SECTION --
// ---- launches ------------------------------------------------------------------------------

//@SECTION ceil_div
HOST_DEVICE long long ceil_div(long long a, long long b) { return (a + b - 1) / b; }

//@SECTION fx_least
HOST_DEVICE long long fx_least(long long a, long long b) { return a < b ? a : b; }

//@SECTION fx_most
HOST_DEVICE long long fx_most(long long a, long long b) { return a > b ? a : b; }

//@SECTION allow_shared
#ifndef __CUDACC_RTC__
/* Needed once before a kernel has more than 48 KiB of dynamic shared memory. */
template <class Kernel>
[[maybe_unused]] static cudaError_t allow_shared(Kernel *kernel, int bytes) {
    return cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                bytes);
}
#endif

//@SECTION persistent_blocks
#ifndef __CUDACC_RTC__
/* Blocks of a persistent kernel, which take tiles until none is left: one for each multiprocessor,
 * in whole clusters, or as many as there are tiles if these are fewer. */
[[maybe_unused]] static unsigned persistent_blocks(long long tiles, int cluster = 1) {
    int device = 0, processors = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    const long long most = processors < cluster ? cluster : processors / cluster * cluster;
    return (unsigned)(tiles < most ? tiles : most);
}
#endif

//@SECTION MapType
/* As in CUtensorMapDataType. */
enum MapType { MAP_BYTES = 0, MAP_F16 = 6, MAP_BF16 = 9, MAP_TF32 = 11 };

//@SECTION Encoder
#ifndef __CUDACC_RTC__
/* As in cuda.h: CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion and
 * CUtensorMapFloatOOBfill. */
enum { MAP_PLAIN = 0, MAP_SWIZZLE_128 = 3, MAP_FETCH_256 = 3, MAP_ZEROS = 0 };

/* A function of the driver that encodes TMA descriptors. It is looked up at run time, so that
 * programs need not link the driver. */
template <class Function> struct Encoder {
    cudaError_t status;
    Function *encode;

    explicit Encoder(const char *name) {
        void *found = nullptr;
        cudaDriverEntryPointQueryResult result;
        status = cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &result);
        if (!status && !found) status = cudaErrorNotSupported;
        encode = (Function *)found;
    }
};
#endif

//@SECTION pixel_map
#ifndef __CUDACC_RTC__
/* Encodes the TMA descriptor of images, by im2col: channels, which are contiguous, width, height and
 * images; `stride` is that of the last three in bytes. A box has `channels` of `pixels`, row by row
 * and image by image, each `moved` along its row and down; outside of its image it is 0. If an
 * address or stride is no multiple of 16 bytes the descriptor stays empty, as in tensor_map. */
[[maybe_unused]] static cudaError_t pixel_map(TensorMap *map, MapType type, const void *at,
                                              const long long (&extent)[4],
                                              const long long (&stride)[3], const int (&moved)[2],
                                              unsigned channels, unsigned pixels) {
    typedef int Encode(void *, int, unsigned, void *, const unsigned long long *,
                       const unsigned long long *, const int *, const int *, unsigned, unsigned,
                       const unsigned *, int, int, int, int);
    if ((unsigned long long)at % 16 || stride[0] % 16) return cudaSuccess;
    static const Encoder<Encode> encoder("cuTensorMapEncodeIm2col");
    if (encoder.status) return encoder.status;
    unsigned long long size[4], step[3];
    for (int i = 0; i < 4; i++) size[i] = (unsigned long long)extent[i];
    for (int i = 0; i < 3; i++) step[i] = (unsigned long long)stride[i];
    const unsigned each[] = {1, 1, 1, 1};
    return (cudaError_t)encoder.encode(map, type, 4, (void *)at, size, step, moved, moved, channels,
                                       pixels, each, MAP_PLAIN, MAP_SWIZZLE_128, MAP_FETCH_256,
                                       MAP_ZEROS);
}
#endif

//@SECTION tensor_map
#ifndef __CUDACC_RTC__

/* Encodes the TMA descriptor of a tensor of three axes, innermost first and contiguous; `stride` is
 * that of the two others in bytes. Boxes have inner rows of 128 bytes with the 128-byte swizzle. If
 * an address or stride is no multiple of 16 bytes the descriptor stays empty: the kernel then
 * copies element by element. */
[[maybe_unused]] static cudaError_t tensor_map(TensorMap *map, MapType type, const void *at,
                                               const long long (&extent)[3],
                                               const long long (&stride)[2], int box_x, int box_y) {
    typedef int Encode(void *, int, unsigned, void *, const unsigned long long *,
                       const unsigned long long *, const unsigned *, const unsigned *, int, int,
                       int, int);
    if ((unsigned long long)at % 16 || stride[0] % 16 || stride[1] % 16) return cudaSuccess;
    static const Encoder<Encode> encoder("cuTensorMapEncodeTiled");
    if (encoder.status) return encoder.status;
    const unsigned long long size[] = {(unsigned long long)extent[0], (unsigned long long)extent[1],
                                       (unsigned long long)extent[2]};
    const unsigned long long step[] = {(unsigned long long)stride[0],
                                       (unsigned long long)stride[1]};
    const unsigned box[] = {(unsigned)box_x, (unsigned)box_y, 1}, each[] = {1, 1, 1};
    return (cudaError_t)encoder.encode(map, type, 3, (void *)at, size, step, box, each, MAP_PLAIN,
                                       MAP_SWIZZLE_128, MAP_FETCH_256, MAP_ZEROS);
}
#endif
