/* types.cuh: storage types, and what function declarations begin with. The files of the prelude
 * hold named sections; an emitted file gets those that it uses, and what these use. */
#pragma once
//@BEGIN
/* Types and helper functions of this file. bf16, f16 and f8 are storage types: they are computed as
 * float, i8 and u8 as int. No include is needed, with nvcc or NVRTC. HOST_DEVICE functions give the
 * same bits on the host and on the device. */

#define DEVICE [[maybe_unused]] static __device__ __forceinline__
#define HOST_DEVICE [[maybe_unused]] static __host__ __device__ __forceinline__

typedef signed char i8;
typedef unsigned char u8;
typedef int i32;
typedef long long i64, idx;
struct bf16 { unsigned short bits; };
struct f16 { unsigned short bits; };
struct f8e4m3 { unsigned char bits; };
struct f8e5m2 { unsigned char bits; };
typedef unsigned char bool_t; /* 0 or 1 */

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

