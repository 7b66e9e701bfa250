/* What libclang reads before the headers of a model: names of CUDA and of the standard library that
 * declarations have. Bodies are not read, so functions need no declaration here. */
#define __device__
#define __host__
#define __global__
#define __constant__
#define __shared__
#define __managed__
#define __forceinline__ inline
#define __noinline__
#define __restrict__
#define __builtin_align__(n)
#define __align__(n)
#define __launch_bounds__(...)
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned uint32_t;
typedef unsigned long long uint64_t;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef struct { unsigned short bits; } __half, __nv_bfloat16;
typedef __half half;
typedef __nv_bfloat16 nv_bfloat16;
typedef struct { __half x, y; } __half2, half2;
typedef struct { float x, y; } float2;
typedef struct { float x, y, z; } float3;
typedef struct { float x, y, z, w; } float4;
typedef struct { int x, y; } int2;
typedef struct { int x, y, z, w; } int4;
typedef struct { unsigned x, y; } uint2;
typedef struct { unsigned x, y, z, w; } uint4;
#ifndef __cplusplus
#define bool _Bool
#define true 1
#define false 0
#define NULL ((void *)0)
#else
#define NULL 0
namespace std {}
#endif
#define FLT_MAX __FLT_MAX__
#define FLT_MIN __FLT_MIN__
#define FLT_EPSILON __FLT_EPSILON__
#define DBL_MAX __DBL_MAX__
#define DBL_MIN __DBL_MIN__
#define DBL_EPSILON __DBL_EPSILON__
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define INT32_MAX __INT_MAX__
#define INT32_MIN (-__INT_MAX__ - 1)
#define INT64_MAX __LONG_LONG_MAX__
#define INT64_MIN (-__LONG_LONG_MAX__ - 1)
#define INFINITY (__builtin_inff())
#define HUGE_VALF (__builtin_inff())
#define NAN (__builtin_nanf(""))
