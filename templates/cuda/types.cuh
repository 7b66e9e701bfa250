/* types.cuh: storage types, and what function declarations begin with. The files of the prelude
 * hold named sections; an emitted file gets those that it uses, and what these use. */
#pragma once
//@BEGIN
/* Types and helper functions of this file. No include is needed, with nvcc or NVRTC. HOST_DEVICE
 * functions give the same bits on the host and on the device. */

#define DEVICE [[maybe_unused]] static __device__ __forceinline__
#define HOST_DEVICE [[maybe_unused]] static __host__ __device__ __forceinline__

typedef long long idx;

//@SECTION bf16
struct bf16 { unsigned short bits; }; /* in memory only: computed as float */

//@SECTION f16
struct f16 { unsigned short bits; }; /* in memory only: computed as float */

//@SECTION f8e4m3
struct f8e4m3 { unsigned char bits; }; /* in memory only: computed as float */

//@SECTION f8e5m2
struct f8e5m2 { unsigned char bits; }; /* in memory only: computed as float */

//@SECTION bool_t
typedef unsigned char bool_t; /* 0 or 1 */

//@SECTION NAN
#ifndef NAN /* NVRTC has none */
#define NAN __int_as_float(0x7fffffff)
#endif

//@SECTION INFINITY
#ifndef INFINITY /* NVRTC has none */
#define INFINITY __int_as_float(0x7f800000)
#endif

//@SECTION float_bits
HOST_DEVICE unsigned float_bits(float x) {
    union { float value; unsigned bits; } both = {x};
    return both.bits;
}

//@SECTION bits_float
HOST_DEVICE float bits_float(unsigned x) {
    union { unsigned bits; float value; } both = {x};
    return both.value;
}

