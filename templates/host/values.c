/* values.c: elements of tensors for the self-test: storing, loading and rounding each type, random
 * values. Independent of the kernels' conversions. */
//@BEGIN
/* ---- stored elements ------------------------------------------------------------------------- */

static const struct {
    int bytes, mantissa, least; /* least: exponent of the smallest normal number */
    double most;
} fx_type[] = {{1, 0, 0, 0},       {1, 0, 0, 0},        {1, 0, 0, 0},
               {4, 0, 0, 0},       {8, 0, 0, 0},        {1, 3, -6, 448},
               {1, 2, -14, 57344}, {2, 7, -126, 3.38953138925153547590470800371487867e38},
               {2, 10, -14, 65504}, {4, 23, -126, 0},   {8, 52, -1022, 0}};

static int fx_is_float(int type) { return type >= FX_F8E4M3; }
static int fx_is_narrow(int type) { return type >= FX_F8E4M3 && type <= FX_F16; }

/* The distance between neighbours of a narrow type at x. */
static double fx_step(int type, double x)
{
    int exponent = x == 0 || !isfinite(x) ? -2000 : ilogb(x);
    if (exponent < fx_type[type].least) exponent = fx_type[type].least;
    return ldexp(1, exponent - fx_type[type].mantissa);
}

/* To nearest, ties to even; f8e4m3 has no infinity. */
static double fx_round(int type, double x)
{
    if (x == 0 || (!isfinite(x) && type != FX_F8E4M3)) return x;
    double step = fx_step(type, x), rounded = rint(x / step) * step;
    if (fabs(rounded) <= fx_type[type].most) return rounded;
    return type == FX_F8E4M3 ? NAN : x > 0 ? INFINITY : -INFINITY;
}

/* The bits of a finite result of fx_round, and back. */
static unsigned fx_encode(int type, double x)
{
    int mantissa = fx_type[type].mantissa, least = fx_type[type].least;
    unsigned sign = x < 0 ? 1u << (8 * fx_type[type].bytes - 1) : 0;
    double size = fabs(x), step = fx_step(type, x);
    if (size < ldexp(1, least)) return sign | (unsigned)(size / step);
    return sign | (((unsigned)(ilogb(size) - least) << mantissa) + (unsigned)(size / step));
}

static double fx_decode(int type, unsigned bits)
{
    int mantissa = fx_type[type].mantissa, least = fx_type[type].least;
    unsigned sign = 1u << (8 * fx_type[type].bytes - 1), code = bits & (sign - 1);
    int exponent = (int)(code >> mantissa);
    unsigned fraction = code & ((1u << mantissa) - 1);
    double size = exponent ? ldexp((1u << mantissa) + fraction, exponent - 1 + least - mantissa)
                           : ldexp(fraction, least - mantissa);
    if (size > fx_type[type].most) size = type != FX_F8E4M3 && !fraction ? INFINITY : NAN;
    return bits & sign ? -size : size;
}

/* Converts element i of a tensor from `stored` to `given`. */
static void fx_load(const fx_tensor *t, int64_t i)
{
    const unsigned char *from = (const unsigned char *)t->stored + i * fx_type[t->type].bytes;
    double *real = (double *)t->given + i;
    int64_t *whole = (int64_t *)t->given + i;
    float single;
    int32_t word;
    uint16_t half;
    switch (t->type) {
    case FX_I8: *whole = *(const signed char *)from; break;
    case FX_I32: memcpy(&word, from, 4), *whole = word; break;
    case FX_I64: memcpy(whole, from, 8); break;
    case FX_F8E4M3:
    case FX_F8E5M2: *real = fx_decode(t->type, *from); break;
    case FX_BF16:
    case FX_F16: memcpy(&half, from, 2), *real = fx_decode(t->type, half); break;
    case FX_F32: memcpy(&single, from, 4), *real = single; break;
    case FX_F64: memcpy(real, from, 8); break;
    default: *whole = *from; break;
    }
}

/* ---- random values --------------------------------------------------------------------------- */

static uint64_t fx_random(uint64_t x) /* SplitMix64 */
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Floats from -1 to 1, indices in range, other integers from 0 to 9. */
static void fx_fill(fx_tensor *t, uint64_t seed)
{
    int bytes = fx_type[t->type].bytes;
    int64_t below = t->below ? t->below : t->type == FX_BOOL ? 2 : 10;
    if (t->type == FX_I8 && below > 127) below = 127;
    if (t->type == FX_U8 && below > 255) below = 255;
    for (int64_t i = 0; i < t->count; i++) {
        unsigned char *to = (unsigned char *)t->stored + i * bytes;
        uint64_t random = fx_random(fx_random(seed) + (uint64_t)i);
        double real = (double)(int64_t)random * 0x1p-63;
        float single = (float)real;
        uint64_t whole = random % (uint64_t)below;
        uint32_t low = (uint32_t)whole;
        if (fx_is_narrow(t->type)) low = fx_encode(t->type, fx_round(t->type, real));
        uint16_t half = (uint16_t)low;
        if (t->type == FX_F64) memcpy(to, &real, 8);
        else if (t->type == FX_F32) memcpy(to, &single, 4);
        else if (bytes == 8) memcpy(to, &whole, 8);
        else if (bytes == 4) memcpy(to, &low, 4);
        else if (bytes == 2) memcpy(to, &half, 2);
        else *to = (unsigned char)low;
        fx_load(t, i);
    }
}
