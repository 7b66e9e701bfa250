/* The CUDA prelude, every function of it. NVRTC compiles this file as it is. Built with nvcc it
 * is a program: conversions and integer rules on the host against references written here, then,
 * where there is a device, the device against the host.
 *   nvrtc_compile -I . --arch sm_75 --arch sm_90a --arch sm_121 tests/unit/prelude.cu
 *   nvcc -arch=native -I . tests/unit/prelude.cu -o prelude && ./prelude */
#include "templates/cuda/prelude.cuh"

enum { CODES = 18, RULES = 40, REDUCED = 16, THREADS = 256 };

/* What becomes of x, as bits, the same on both sides. */
HOST_DEVICE void codes_of(double wide, unsigned *out) {
    float x = (float)wide;
    out[0] = to_bf16(x).bits, out[1] = to_f16(x).bits;
    out[2] = to_f8e4m3(x).bits, out[3] = to_f8e5m2(x).bits;
    out[4] = float_bits(round_bf16(x)), out[5] = float_bits(round_f16(x));
    out[6] = float_bits(round_f8e4m3(x)), out[7] = float_bits(round_f8e5m2(x));
    out[8] = float_bits(round_bf16_f64(wide)), out[9] = float_bits(round_f16_f64(wide));
    out[10] = float_bits(round_f8e4m3_f64(wide)), out[11] = float_bits(round_f8e5m2_f64(wide));
    out[12] = to_bf16x2(x, 1.0f), out[13] = to_f16x2(x, 1.0f);
    out[14] = (unsigned)i32_of(x), out[15] = (unsigned)i32_of(wide);
    out[16] = (unsigned)i8_of(x), out[17] = (unsigned)u8_of(wide);
}

/* The integer rules on a and b, and the float ones on x and y. */
HOST_DEVICE void rules_of(long long a, long long b, float x, float y, double *out) {
    int p = i32_of(a), q = i32_of(b), n = 0;
    out[n++] = add_wrap(p, q), out[n++] = (double)add_wrap(a, b);
    out[n++] = sub_wrap(p, q), out[n++] = (double)sub_wrap(a, b);
    out[n++] = mul_wrap(p, q), out[n++] = (double)mul_wrap(a, b);
    out[n++] = neg_wrap(p), out[n++] = (double)neg_wrap(a);
    out[n++] = abs_wrap(p), out[n++] = (double)abs_wrap(a);
    out[n++] = div_trunc(p, q), out[n++] = (double)div_trunc(a, b);
    out[n++] = mod_trunc(p, q), out[n++] = (double)mod_trunc(a, b);
    out[n++] = pow_int(p, q % 64), out[n++] = (double)pow_int(a, b % 64);
    out[n++] = sign_of(p), out[n++] = (double)sign_of(a);
    out[n++] = max_nan(p, q), out[n++] = (double)max_nan(a, b);
    out[n++] = min_nan(p, q), out[n++] = (double)min_nan(a, b);
    out[n++] = i8_of(p) + i8_of(a) + u8_of(p) + u8_of(a) + (double)i64_of(p) + i64_of(a == b);
    out[n++] = sign_of(x), out[n++] = sign_of((double)x);
    out[n++] = max_nan(x, y), out[n++] = max_nan((double)x, (double)y);
    out[n++] = min_nan(x, y), out[n++] = min_nan((double)x, (double)y);
    out[n++] = mod_trunc(x, y), out[n++] = mod_trunc((double)x, (double)y);
    out[n++] = (double)i64_of(x), out[n++] = (double)i64_of((double)y);
    out[n++] = i8_of((double)x), out[n++] = u8_of(x);
    out[n++] = i8_of(x > y), out[n++] = u8_of(x > y), out[n++] = i32_of(x > y);
    while (n < RULES) out[n++] = 0;
}

extern "C" __global__ void codes(const double *x, unsigned *out, long long n) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n) codes_of(x[i], out + CODES * i);
}

extern "C" __global__ void rules(const long long *a, const float *x, double *out, long long n) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n) rules_of(a[2 * i], a[2 * i + 1], x[2 * i], x[2 * i + 1], out + RULES * i);
}

extern "C" __global__ void decoded(float *out) { /* 65536 threads: each 16-bit code, each byte */
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    bf16 b = {(unsigned short)i};
    f16 h = {(unsigned short)i};
    f8e4m3 e = {(unsigned char)i};
    f8e5m2 f = {(unsigned char)i};
    out[4 * i] = from_bf16(b), out[4 * i + 1] = from_f16(h);
    out[4 * i + 2] = from_f8e4m3(e), out[4 * i + 3] = from_f8e5m2(f);
}

template <class Op, int CALL, class T> DEVICE T of_block(T x) {
    block_reduce<Op, CALL>(x);
    return x;
}

extern "C" __global__ void reduced(const float *x, double *out) { /* one block of THREADS */
    float v = x[threadIdx.x];
    double d = v;
    int i = (int)v;
    long long l = i;
    float sum = v, half = v / 2;
    block_reduce<Sum, 13>(sum, half);
    double r[REDUCED] = {of_block<Sum, 0>(v),
                         of_block<Sum, 1>(d),
                         (double)of_block<Sum, 2>(i),
                         (double)of_block<Sum, 3>(l),
                         of_block<Max, 4>(v),
                         of_block<Max, 5>(d),
                         (double)of_block<Max, 6>(i),
                         (double)of_block<Max, 7>(l),
                         of_block<Min, 8>(v),
                         (double)of_block<Min, 9>(l),
                         (double)of_block<Any, 10>(i > 200),
                         (double)of_block<All, 11>(i > 200),
                         of_block<Prod, 12>(i < 10 ? 2.0f : 1.0f),
                         warp_reduce<Sum, 8>(v),
                         sum,
                         half};
    if (threadIdx.x == 9)
        for (int k = 0; k < REDUCED; k++) out[k] = r[k];
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
extern "C" __global__ void products(const uint4 *x, float *y) { /* a warp: what they mean is tested
                                                                  * in tests/shim */
    __shared__ __align__(128) unsigned char tile[32 * 16];
    const int lane = threadIdx.x, at = swizzled<128>(lane / 8, lane % 8);
    unsigned a[4], b[2];
    float d[4] = {};
    int sums[4] = {};
    cp_async(tile + at, x + lane);
    cp_async_commit();
    cp_async_wait<0>();
    __syncwarp();
    ldmatrix_x4(a[0], a[1], a[2], a[3], tile + 16 * lane);
    ldmatrix_x2(b[0], b[1], tile + 16 * lane);
    mma_bf16(d, a, b), mma_f16(d, a, b), mma_tf32(d, a, b), mma_i8(sums, a, b);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 890
    mma_f8e4m3(d, a, b), mma_f8e5m2(d, a, b);
#endif
    ldmatrix_x4_trans(a[0], a[1], a[2], a[3], tile + 16 * lane);
    ldmatrix_x2_trans(b[0], b[1], tile + 16 * lane);
    a[0] = to_tf32(exp2_approx(d[0]));
    mma_tf32(d, a, b);
    y[lane] = d[0] + sums[0];
}
#endif

extern "C" __global__ void packed(const float *x, float *y, const bf16 *b, bf16 *c, const f8e4m3 *e,
                                  f8e4m3 *f) {
    int i = threadIdx.x;
    Pack<float, 4> four = load_pack<4>(x + 4 * i);
    for (int k = 0; k < 4; k++) four.at[k] += 1.0f;
    store_pack(y + 4 * i, four);
    Pack<bf16, 8> eight = load_pack<8>(b + 8 * i);
    stream_pack(c + 8 * i, eight);
    stream_pack(f + 16 * i, load_pack<16>(e + 16 * i));
}

#ifndef __CUDACC_RTC__
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

static int failures;

static void check(bool good, const char *what, double x) {
    if (!good && failures++ < 20) printf("%s: wrong at %a\n", what, x);
}

static bool same(double a, double b) {
    return a == b ? signbit(a) == signbit(b) : a != a && b != b;
}

/* The value that a narrow float of this shape takes for x. */
static double narrowed(double x, int fraction, int bias, double most, bool infinite) {
    if (x == 0 || x != x || (isinf(x) && infinite)) return x;
    int exponent;
    frexp(x, &exponent);
    if (exponent < 2 - bias) exponent = 2 - bias;
    double unit = ldexp(1, exponent - 1 - fraction), nearest = rint(x / unit) * unit;
    return fabs(nearest) <= most ? copysign(nearest, x) : infinite ? copysign(INFINITY, x) : NAN;
}

static double bits_value(unsigned bits) { return bits_float(bits); }

static void check_codes(double wide) {
    unsigned got[CODES];
    codes_of(wide, got);
    float x = (float)wide;
    const struct {
        int fraction, bias;
        double most;
        bool infinite;
    } shape[4] = {{7, 127, 0x1.fep127, true},
                  {10, 15, 65504, true},
                  {3, 7, 448, false},
                  {2, 15, 57344, true}};
    for (int k = 0; k < 4; k++) {
        double want =
            narrowed(x, shape[k].fraction, shape[k].bias, shape[k].most, shape[k].infinite);
        double exact =
            narrowed(wide, shape[k].fraction, shape[k].bias, shape[k].most, shape[k].infinite);
        check(same(bits_value(got[4 + k]), want), "round from f32", wide);
        check(same(bits_value(got[8 + k]), exact), "round from f64", wide);
    }
    check((got[12] & 0xffff) == got[0] && got[12] >> 16 == 0x3f80, "bf16x2", wide);
    check((got[13] & 0xffff) == got[1] && got[13] >> 16 == 0x3c00, "f16x2", wide);
    double whole = wide != wide ? 0 : trunc(wide), single = x != x ? 0 : trunc((double)x);
    check((int)got[14] == fmin(fmax(single, -0x1p31), 0x1p31 - 1), "i32_of float", wide);
    check((int)got[15] == fmin(fmax(whole, -0x1p31), 0x1p31 - 1), "i32_of double", wide);
    check((int)got[16] == fmin(fmax(single, -128), 127), "i8_of", wide);
    check((int)got[17] == fmin(fmax(whole, 0), 255), "u8_of", wide);
}

static void check_rules(long long a, long long b) {
    double got[RULES];
    rules_of(a, b, 7.5f, -2.0f, got);
    int p = (int)a, q = (int)b;
    long long limit = -0x7fffffffffffffffll - 1;
    check(got[0] == (int)((unsigned)p + (unsigned)q), "add_wrap", (double)a);
    check(got[4] == (int)((unsigned)p * (unsigned)q), "mul_wrap", (double)a);
    check(got[11] == (double)(b == 0                  ? 0
                              : a == limit && b == -1 ? a
                                                      : a / b),
          "div_trunc", (double)a);
    check(got[13] == (double)(b == 0 || b == -1 ? 0 : a % b), "mod_trunc", (double)a);
    check(got[9] == (double)(a == limit ? a : llabs(a)), "abs_wrap", (double)a);
    check(got[29] == 1.5 && got[25] == 7.5 && got[27] == -2 && got[34] == 7, "floats", 0);
}

static unsigned long long random_bits() {
    static unsigned long long state = 1;
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return state ^ state >> 29;
}

template <class T> static T *device_copy(const std::vector<T> &host) {
    void *at = NULL;
    if (cudaMalloc(&at, host.size() * sizeof(T)) != cudaSuccess) exit(3);
    cudaMemcpy(at, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    return (T *)at;
}

template <class T> static void host_copy(std::vector<T> &host, const T *device) {
    cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost);
    cudaError_t error = cudaGetLastError();
    check(error == cudaSuccess, cudaGetErrorString(error), 0);
}

static void check_device(const std::vector<double> &x, const std::vector<long long> &a) {
    size_t n = x.size(), m = a.size() / 2;
    std::vector<unsigned> got(CODES * n);
    unsigned *out = device_copy(got), want[CODES];
    codes<<<(unsigned)(n / 256 + 1), 256>>>(device_copy(x), out, (long long)n);
    host_copy(got, out);
    for (size_t i = 0; i < n; i++) {
        codes_of(x[i], want);
        for (int k = 0; k < CODES && x[i] == x[i]; k++)
            check(got[CODES * i + k] == want[k] ||
                      (k > 3 && k < 12 && bits_value(want[k]) != bits_value(want[k])),
                  "codes on the device", x[i]);
    }
    std::vector<float> y(2 * m);
    for (size_t i = 0; i < 2 * m; i++) y[i] = (float)x[i % n];
    std::vector<double> ruled(RULES * m);
    double *rules_out = device_copy(ruled), expected[RULES];
    rules<<<(unsigned)(m / 256 + 1), 256>>>(device_copy(a), device_copy(y), rules_out,
                                            (long long)m);
    host_copy(ruled, rules_out);
    for (size_t i = 0; i < m; i++) {
        rules_of(a[2 * i], a[2 * i + 1], y[2 * i], y[2 * i + 1], expected);
        for (int k = 0; k < RULES; k++)
            check(ruled[RULES * i + k] == expected[k] || expected[k] != expected[k],
                  "rules on the device", k);
    }
    std::vector<float> values(4 << 16);
    float *values_out = device_copy(values);
    decoded<<<256, 256>>>(values_out);
    host_copy(values, values_out);
    for (unsigned i = 0; i < 1 << 16; i++) {
        bf16 b = {(unsigned short)i};
        f16 h = {(unsigned short)i};
        f8e4m3 e = {(unsigned char)i};
        f8e5m2 f = {(unsigned char)i};
        check(same(values[4 * i], from_bf16(b)) && same(values[4 * i + 1], from_f16(h)) &&
                  same(values[4 * i + 2], from_f8e4m3(e)) &&
                  same(values[4 * i + 3], from_f8e5m2(f)),
              "decoded on the device", i);
    }
    std::vector<float> count(THREADS);
    for (int i = 0; i < THREADS; i++) count[i] = (float)i;
    std::vector<double> sums(REDUCED),
        known = {32640, 32640, 32640, 32640, 255, 255, 255, 255, 0, 0, 1, 0, 1024, 92, 32640, 16320};
    double *sums_out = device_copy(sums);
    reduced<<<1, THREADS>>>(device_copy(count), sums_out);
    host_copy(sums, sums_out);
    for (int k = 0; k < REDUCED; k++) check(sums[k] == known[k], "reduced on the device", k);
    std::vector<float> four(128), fours(128);
    std::vector<bf16> eight(256), eights(256);
    std::vector<f8e4m3> sixteen(512), sixteens(512);
    for (int i = 0; i < 512; i++)
        sixteen[i].bits = (unsigned char)i, eight[i / 2].bits = (unsigned short)i;
    float *four_out = device_copy(fours);
    bf16 *eight_out = device_copy(eights);
    f8e4m3 *sixteen_out = device_copy(sixteens);
    packed<<<1, 32>>>(device_copy(four), four_out, device_copy(eight), eight_out,
                      device_copy(sixteen), sixteen_out);
    host_copy(fours, four_out), host_copy(eights, eight_out), host_copy(sixteens, sixteen_out);
    check(fours[127] == 1 && !memcmp(eight.data(), eights.data(), 512) &&
              !memcmp(sixteen.data(), sixteens.data(), 512),
          "packed on the device", 0);
}

int main() {
    std::vector<double> x = {0,     -0.0,     INFINITY,     -INFINITY,  NAN,
                             448,   464,      465,          65519,      65520,
                             57344, 61440,    61439.999999, 0x1.ffp127, 0x1.fefffffffffffp127,
                             1e300, 0x1p-1074};
    for (int i = 0; i < 200000; i++) {
        double wide;
        unsigned long long bits = random_bits();
        memcpy(&wide, &bits, sizeof wide);
        x.push_back(i % 2 ? wide : bits_float((unsigned)bits));
        double few = 1 + (double)(bits % 64) / 32; /* ties, and what is just off them */
        x.push_back(ldexp(nextafter(few, i % 3 - 1.0), (int)(bits >> 8) % 40));
        x.push_back(ldexp(few, -(int)(bits >> 16 & 31)));
    }
    std::vector<long long> a = {0, 0, 1, 0, -1, -1, -0x7fffffffffffffffll - 1, -1, 0x80000000ll,
                                -1};
    for (int i = 0; i < 20000; i++) a.push_back((long long)random_bits() >> (i % 60));
    for (double each : x) check_codes(each);
    for (size_t i = 0; i + 1 < a.size(); i += 2) check_rules(a[i], a[i + 1]);
    int devices = 0;
    if (cudaGetDeviceCount(&devices) == cudaSuccess && devices)
        check_device(x, a);
    else
        printf("no device: the host side only\n");
    printf("%zu numbers, %d failures\n", x.size(), failures);
    return failures != 0;
}
#endif
