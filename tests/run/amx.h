/* A shim of AMX for tests: tiles in plain C. It ends the program where hardware faults: tiles that
 * are not configured, or shapes that do not fit. AMX_REFUSED in the environment: Linux refuses the
 * registers. */
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

typedef struct AmxState {
    int is_configured;
    struct {
        uint8_t palette, start_row, reserved[14];
        uint16_t bytes[16];
        uint8_t rows[16];
    } shapes;
    uint8_t tile[8][16][64];
} AmxState;

static _Thread_local AmxState amx;
static long amx_loads, amx_products;

static void amx_fault(const char *what) {
    fprintf(stderr, "AMX: %s\n", what);
    abort();
}

static inline void amx_check(int t) {
    if (!amx.is_configured) amx_fault("no tile is configured");
    if (t < 0 || t > 7 || !amx.shapes.rows[t]) amx_fault("a tile that is not configured");
}

static inline void amx_configure(const void *from) {
    memcpy(&amx.shapes, from, sizeof amx.shapes);
    if (amx.shapes.palette != 1 || amx.shapes.start_row) amx_fault("a wrong palette");
    for (int i = 0; i < 14; i++)
        if (amx.shapes.reserved[i]) amx_fault("reserved bytes");
    for (int t = 0; t < 16; t++)
        if (amx.shapes.bytes[t] > (t < 8 ? 64 : 0) || amx.shapes.rows[t] > (t < 8 ? 16 : 0))
            amx_fault("a wrong shape");
    memset(amx.tile, 0xff, sizeof amx.tile); /* so that stale tiles show; hardware has zeros */
    amx.is_configured = 1;
    amx_loads++;
}

static inline void amx_release(void) { amx.is_configured = 0; }

static inline void amx_zero(int t) {
    amx_check(t);
    memset(amx.tile[t], 0, sizeof amx.tile[t]);
}

static inline void amx_load(int t, const void *from, long stride) {
    amx_check(t);
    for (int r = 0; r < amx.shapes.rows[t]; r++)
        memcpy(amx.tile[t][r], (const char *)from + r * stride, amx.shapes.bytes[t]);
}

static inline void amx_store(int t, void *to, long stride) {
    amx_check(t);
    for (int r = 0; r < amx.shapes.rows[t]; r++)
        memcpy((char *)to + r * stride, amx.tile[t][r], amx.shapes.bytes[t]);
}

/* c += a b: shapes c[m][n], a[m][k], b[k][n], in units of 4 bytes. */
static inline void amx_shapes(int c, int a, int b) {
    amx_check(c), amx_check(a), amx_check(b);
    if (c == a || c == b || a == b) amx_fault("one tile is two operands");
    if (amx.shapes.rows[c] != amx.shapes.rows[a] || amx.shapes.bytes[c] != amx.shapes.bytes[b] ||
        amx.shapes.bytes[a] != 4 * amx.shapes.rows[b])
        amx_fault("shapes of a product that do not fit");
    amx_products++;
}

static inline float amx_bf16(const uint8_t *at) {
    uint32_t bits = (uint32_t)at[0] << 16 | (uint32_t)at[1] << 24;
    float x;
    memcpy(&x, &bits, 4);
    return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

/* The elements of a tile. */
static inline void amx_widen(int t, float to[16][32]) {
    for (int r = 0; r < amx.shapes.rows[t]; r++)
        for (int i = 0; i < amx.shapes.bytes[t] / 2; i++) to[r][i] = amx_bf16(amx.tile[t][r] + 2 * i);
}

static inline void amx_floats(int c, int a, int b) {
    float x[16][32], y[16][32];
    amx_shapes(c, a, b);
    amx_widen(a, x), amx_widen(b, y);
    for (int m = 0; m < amx.shapes.rows[c]; m++)
        for (int n = 0; n < amx.shapes.bytes[c] / 4; n++) {
            float sum;
            memcpy(&sum, amx.tile[c][m] + 4 * n, 4);
            for (int k = 0; k < amx.shapes.rows[b]; k++)
                for (int q = 0; q < 2; q++) sum += x[m][2 * k + q] * y[k][2 * n + q];
            if (fpclassify(sum) == FP_SUBNORMAL) sum = 0;
            memcpy(amx.tile[c][m] + 4 * n, &sum, 4);
        }
}

static inline void amx_bytes(int c, int a, int b, int is_signed) {
    amx_shapes(c, a, b);
    for (int m = 0; m < amx.shapes.rows[c]; m++)
        for (int n = 0; n < amx.shapes.bytes[c] / 4; n++) {
            uint32_t sum;
            memcpy(&sum, amx.tile[c][m] + 4 * n, 4);
            for (int k = 0; k < amx.shapes.rows[b]; k++)
                for (int q = 0; q < 4; q++) {
                    const uint8_t x = amx.tile[a][m][4 * k + q];
                    sum +=
                        (uint32_t)((is_signed ? (int8_t)x : x) * (int8_t)amx.tile[b][k][4 * n + q]);
                }
            memcpy(amx.tile[c][m] + 4 * n, &sum, 4);
        }
}

static inline void amx_multiply(const char *how, int c, int a, int b) {
    if (!strcmp(how, "tdpbf16ps"))
        amx_floats(c, a, b);
    else
        amx_bytes(c, a, b, !strcmp(how, "tdpbssd"));
}

/* In place of those that are emitted. */
#define TILE_CONFIGURE(shapes)        amx_configure(&(shapes))
#define TILE_RELEASE()                amx_release()
#define TILE_LOAD(t, p, bytes)        amx_load(t, p, bytes)
#define TILE_STORE(t, p, bytes)       amx_store(t, p, bytes)
#define TILE_ZERO(t)                  amx_zero(t)
#define TILE_MULTIPLY(how, sum, x, y) amx_multiply(how, sum, x, y)

/* Says at the end whether tiles were used. */
static __attribute__((destructor)) void amx_report(void) {
    printf(amx_products ? "tiles were used\n" : "no tile was used\n");
}

/* In place of Linux; declared as the emitted text declares its functions. */
#define syscall amx_syscall
#pragma GCC push_options
#pragma GCC optimize("no-delete-null-pointer-checks")
long amx_syscall(long number, ...);
long amx_syscall(long number, ...) {
    (void)number;
    return getenv("AMX_REFUSED") ? -1 : 0;
}
#pragma GCC pop_options
