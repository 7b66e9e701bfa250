/* device.cuh: names of C's library that text of imported headers uses in CUDA: NVRTC has none. */
//@BEGIN
/* What functions of the headers are declared with: as below. */
#define DEVICE [[maybe_unused]] static __device__ __forceinline__

//@SECTION int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t
#ifdef __CUDACC_RTC__
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned uint32_t;
typedef unsigned long long uint64_t;
#else
#include <stdint.h>
#endif

//@SECTION INT_MAX INT_MIN INT32_MAX INT32_MIN INT64_MAX INT64_MIN
#ifdef __CUDACC_RTC__
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define INT32_MAX INT_MAX
#define INT32_MIN INT_MIN
#define INT64_MAX 9223372036854775807ll
#define INT64_MIN (-9223372036854775807ll - 1)
#else
#include <limits.h>
#include <stdint.h>
#endif

//@SECTION FLT_MAX FLT_MIN FLT_EPSILON DBL_MAX DBL_MIN DBL_EPSILON
#ifdef __CUDACC_RTC__
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#else
#include <float.h>
#endif

//@SECTION INFINITY HUGE_VALF NAN
#ifdef __CUDACC_RTC__
#define INFINITY __int_as_float(0x7f800000)
#define HUGE_VALF INFINITY
#define NAN __int_as_float(0x7fffffff)
#else
#include <math.h>
#endif
