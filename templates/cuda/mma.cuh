/* mma.cuh: cp.async, ldmatrix and mma.sync: the tensor cores of sm_80 and later. Sections as in
 * types.cuh. */
#pragma once
#include "memory.cuh"
//@BEGIN
//@SECTION --
// ---- tensor cores: the instructions of sm_80 and later, by their names ----------------------

//@SECTION shared_address
DEVICE unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

//@SECTION cp_async
/* Starts an asynchronous copy of 16 bytes to shared memory that bypasses L1; both addresses are
 * aligned. If !inside, zeros are written and nothing is read. This thread sees the bytes once it
 * has waited for the group that the copy was committed to; other threads after the next barrier. */
DEVICE void cp_async(void *to, const void *from, bool inside = true) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :: "r"(shared_address(to)), "l"(from), "r"(inside ? 16 : 0) : "memory");
}

//@SECTION cp_async_first
/* Starts an asynchronous copy of 16 bytes to shared memory, of which the first `count` elements are
 * read, and the others become 0; both addresses are aligned. It is waited for like cp_async. */
template <class T> DEVICE void cp_async_first(void *to, const T *from, int count) {
    constexpr int N = 16 / sizeof(T);
    const int bytes = (count < 0 ? 0 : count < N ? count : N) * (int)sizeof(T);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :: "r"(shared_address(to)), "l"(from), "r"(bytes) : "memory");
}

//@SECTION cp_async_part
/* The same of N neighbours; those that are 4 or 8 bytes go by way of L1. */
template <int N, class T> DEVICE void cp_async_part(T *to, const T *from, bool inside) {
    constexpr int bytes = N * sizeof(T);
    if constexpr (bytes == 16)
        cp_async(to, from, inside);
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;"
                     :: "r"(shared_address(to)), "l"(from), "n"(bytes), "r"(inside ? bytes : 0)
                     : "memory");
}

//@SECTION cp_async_piece
/* Starts a copy of the aligned N neighbours among which from[at] is, to the same place among N of
 * `to`, where its own is to[place]. Unless all are known to be inside, nothing is read outside from[0]
 * to from[end - 1]. */
template <int N, class T, class I>
DEVICE void cp_async_piece(bool inside, T *to, unsigned place, const T *from, I at,
                           decltype(at) end) {
    at -= (int)(place % N);
    to += place - place % N;
    if (inside || (at >= 0 && at + N <= end)) {
        cp_async_part<N>(to, from + at, true);
        return;
    }
#pragma unroll 1
    for (int l = 0; l < N; l++)
        if (at + l >= 0 && at + l < end) to[l] = from[at + l];
}

//@SECTION place_in_piece
/* How many elements of N neighbours that are aligned are before this one. */
template <int N, class T> DEVICE unsigned place_in_piece(const T *p) {
    return (unsigned)((unsigned long long)p / sizeof(T) % N);
}

//@SECTION cp_async_commit
/* Commits the copies that this thread has started since the last commit as a group. */
DEVICE void cp_async_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

//@SECTION cp_async_wait
/* Waits until at most the last PENDING groups are in flight. */
template <int PENDING> DEVICE void cp_async_wait() {
    asm volatile("cp.async.wait_group %0;" :: "n"(PENDING) : "memory");
}

//@SECTION swizzled
/* The byte offset of a 16-byte chunk in a tile whose rows have ROW_BYTES bytes: 64 or a multiple of
 * 128. Chunks are permuted by row, so that one column of eight rows is free of bank conflicts. */
template <int ROW_BYTES> DEVICE int swizzled(int row, int chunk) {
    return row * ROW_BYTES + ((chunk ^ (ROW_BYTES == 64 ? row >> 1 & 3 : row & 7)) << 4);
}

//@SECTION add_two
/* Adds to two neighbours in memory, by atomics. */
DEVICE void add_two(float *to, float x, float y) {
    atomicAdd(to, x);
    atomicAdd(to + 1, y);
}

//@SECTION ldmatrix_x4
/* Loads four matrices of 8 rows of 16 bytes. Lane l gives the address of row l % 8 of matrix l / 8,
 * and receives from each matrix the 4 bytes at 4 * (l % 4) of row l / 4. */
DEVICE void ldmatrix_x4(unsigned &r0, unsigned &r1, unsigned &r2, unsigned &r3, const void *row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
                 : "r"(shared_address(row)) : "memory");
}

//@SECTION ldmatrix_x4_trans
/* The same, with matrices of 8 x 8 16-bit elements transposed: lane l receives rows 2 * (l % 4) and
 * 2 * (l % 4) + 1 of column l / 4. */
DEVICE void ldmatrix_x4_trans(unsigned &r0, unsigned &r1, unsigned &r2, unsigned &r3,
                              const void *row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
                 : "r"(shared_address(row)) : "memory");
}

//@SECTION ldmatrix_x2
/* Loads two matrices: lanes 0 to 15 give the addresses of their rows. */
DEVICE void ldmatrix_x2(unsigned &r0, unsigned &r1, const void *row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r0), "=r"(r1) : "r"(shared_address(row)) : "memory");
}

//@SECTION ldmatrix_x2_trans
DEVICE void ldmatrix_x2_trans(unsigned &r0, unsigned &r1, const void *row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r0), "=r"(r1) : "r"(shared_address(row)) : "memory");
}

//@SECTION --
/* d += a b of a warp: a has 16 rows, b 8 columns, and a row of a and a column of b are 32 bytes.
 * With g = lane / 4 and t = lane % 4, a thread holds
 *
 *   a[0], a[1]   of rows g and g + 8: bytes 4 t to 4 t + 3       a[2], a[3]   16 bytes on
 *   b[0]         of column g: bytes 4 t to 4 t + 3               b[1]         16 bytes on
 *   d[0], d[1]   of row g: columns 2 t and 2 t + 1               d[2], d[3]   of row g + 8
 */

//@SECTION pack_word
/* Elements of a pack that a register holds: the i-th 4 bytes. */
template <class T, int N> DEVICE unsigned pack_word(const Pack<T, N> &pack, int i) {
    return ((const unsigned *)pack.at)[i];
}

//@SECTION pack_byte
/* A byte of a word of four, less `bias`: what is computed of all four takes one instruction, and
 * each then becomes a float by another one. */
struct PackByte {
    unsigned word;
    int at, bias;
    __host__ __device__ operator int() const { return (int)(word >> 8 * at & 255) - bias; }
};

template <int N> DEVICE PackByte pack_byte(const Pack<unsigned char, N> &pack, int i) {
    if constexpr (N % 4)
        return {pack.at[i], 0, 0};
    else
        return {((const unsigned *)pack.at)[i / 4], i % 4, 0};
}

template <int N> DEVICE PackByte pack_byte(const Pack<signed char, N> &pack, int i) {
    if constexpr (N % 4)
        return {(unsigned char)pack.at[i] ^ 0x80u, 0, 128};
    else
        return {((const unsigned *)pack.at)[i / 4] ^ 0x80808080u, i % 4, 128};
}

/* x % 16 and x / 16, of a byte without a sign. */
DEVICE PackByte low_half(PackByte x) { return {x.word & 0x0F0F0F0Fu, x.at, 0}; }
DEVICE PackByte high_half(PackByte x) { return {x.word >> 4 & 0x0F0F0F0Fu, x.at, 0}; }

/* The byte as the last one of the float 1.5 * 2^23. */
DEVICE float small_difference(PackByte x, float y) {
#ifdef __CUDA_ARCH__
    const unsigned bits = __byte_perm(0x4B400000u, x.word, 0x3214u + x.at);
#else
    const unsigned bits = 0x4B400000u + (x.word >> 8 * x.at & 255);
#endif
    return bits_float(bits) - (12582912.0f + (float)x.bias + y);
}
DEVICE float small_float(PackByte x) { return small_difference(x, 0.0f); }

//@SECTION mma_bf16
DEVICE void mma_bf16(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

//@SECTION mma_f16
DEVICE void mma_f16(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

//@SECTION mma_tf32
/* The last 13 bits of what a and b hold as float are ignored. */
DEVICE void mma_tf32(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

//@SECTION mma_i8
/* Sums wrap. */
DEVICE void mma_i8(int (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

//@SECTION mma_f8e4m3
/* sm_89 and later. */
DEVICE void mma_f8e4m3(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

//@SECTION mma_f8e5m2
/* sm_89 and later. */
DEVICE void mma_f8e5m2(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm("mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

//@SECTION renewed
/* x, of 32 bits, as a value that the compiler knows nothing of: results of it are not hoisted. */
template <class T> DEVICE T renewed(T x) {
    asm volatile("" : "+r"(x));
    return x;
}

//@SECTION warp_uniform
/* x, which is the same in all lanes of a warp, so that the compiler knows that: addresses of it are
 * in uniform registers. */
DEVICE unsigned warp_uniform(unsigned x) { return __shfl_sync(0xffffffff, x, 0); }

//@SECTION renewed_pointer
/* The same of a pointer to shared memory, whose address compilers would ask for at each use. */
DEVICE unsigned char *renewed_pointer(unsigned char *x) {
    asm volatile("" : "+l"(x));
    return x;
}

//@SECTION to_tf32
/* To nearest, ties away from zero, as the bits of a float. */
DEVICE unsigned to_tf32(float x) {
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return bits;
}

//@SECTION round_tf32
template <int N> DEVICE void round_tf32(unsigned (&x)[N]) {
#pragma unroll
    for (int i = 0; i < N; i++) x[i] = to_tf32(bits_float(x[i]));
}

//@SECTION split_bf16
/* x and y as sums of bf16 numbers, the largest first; term[i][AT] has those of both. */
template <int AT, int TERMS, int WORDS>
DEVICE void split_bf16(unsigned (&term)[TERMS][WORDS], unsigned x, unsigned y) {
    float low = bits_float(x), high = bits_float(y);
#pragma unroll
    for (int i = 0; i < TERMS; i++) {
        const unsigned both = to_bf16x2(low, high);
        term[i][AT] = both;
        low -= bits_float(both << 16);
        high -= bits_float(both & 0xffff0000u);
    }
}

//@SECTION split_left
/* Fragments of 16 x 16 f32 numbers, as ldmatrix loads them, as fragments of bf16. Along k, numbers
 * come in another order: the same for both operands. */
template <int TERMS>
DEVICE void split_left(unsigned (&term)[1][TERMS][4], const unsigned (&x)[8]) {
    split_bf16<0>(term[0], x[0], x[2]);
    split_bf16<1>(term[0], x[1], x[3]);
    split_bf16<2>(term[0], x[4], x[6]);
    split_bf16<3>(term[0], x[5], x[7]);
}

//@SECTION split_right
template <int TERMS>
DEVICE void split_right(unsigned (&term)[1][TERMS][2], const unsigned (&x)[4]) {
    split_bf16<0>(term[0], x[0], x[1]);
    split_bf16<1>(term[0], x[2], x[3]);
}

//@SECTION split_tf32
/* Fragments of f32 numbers, as ldmatrix loads them, as sums of two tf32 numbers, the larger first;
 * N of one instruction after the other. The larger is rounded, ties away from zero, by integers: a
 * conversion takes four instructions, since it keeps infinities. Of the smaller, which has 13 bits
 * at most, tensor cores read the upper 11. */
template <int EACH, int N>
DEVICE void split_tf32(unsigned (&term)[EACH][2][N], const unsigned (&x)[EACH * N]) {
#pragma unroll
    for (int i = 0; i < EACH * N; i++) {
        const unsigned large = (x[i] + 0x1000u) & 0xffffe000u;
        term[i / N][0][i % N] = large;
        term[i / N][1][i % N] = float_bits(bits_float(x[i]) - bits_float(large));
    }
}

//@SECTION copy_chunk
/* 16 bytes to shared memory, element by element; those that are not among the first `count` become
 * 0. */
template <class T> DEVICE void copy_chunk(void *to, const T *from, int count) {
    constexpr int N = 16 / sizeof(T);
    Pack<T, N> chunk = {};
#pragma unroll
    for (int i = 0; i < N; i++)
        if (i < count) chunk.at[i] = from[i];
    store_pack((T *)to, chunk);
}

//@SECTION copy_chunk_tf32
/* Four floats to shared memory, rounded; those that are not among the first `count` become 0. */
DEVICE void copy_chunk_tf32(void *to, const float *from, int count) {
    Pack<float, 4> chunk = {};
#pragma unroll
    for (int i = 0; i < 4; i++)
        if (i < count) chunk.at[i] = bits_float(to_tf32(from[i]));
    store_pack((float *)to, chunk);
}

//@SECTION copy_panels
/* A tile that TMA cannot bring, by a warpgroup: ROWS rows in PANELS panels of 128 bytes, in
 * chunks of 16 bytes, EACH elements. copy(to, row, column, count) copies the first `count` elements
 * of a chunk, those within `rows` rows and `columns` columns; none if it is not positive. */
template <int ROWS, int PANELS, int EACH, class Copy>
DEVICE void copy_panels(unsigned char *slot, idx rows, idx columns, const Copy &copy) {
    constexpr int most = PANELS * 8 * EACH;
    const int height = rows < ROWS ? (int)rows : ROWS, width = columns < most ? (int)columns : most;
#pragma unroll 1
    for (int item = threadIdx.x % 128; item < PANELS * ROWS * 8; item += 128) {
        const int line = item / 8, chunk = item % 8, row = line % ROWS;
        const int column = (line / ROWS * 8 + chunk) * EACH;
        const int count = row < height ? width - column : 0;
        copy(slot + swizzled<128>(line, chunk), row, column, count < EACH ? count : EACH);
    }
}

//@SECTION held_sums
/* N neighbours in registers. */
template <int N, class T> DEVICE Pack<T, N> held_sums(const T *from) {
    Pack<T, N> sums;
#pragma unroll
    for (int i = 0; i < N; i++) sums.at[i] = from[i];
    return sums;
}

//@SECTION load_sums
/* N neighbours in shared memory, which are 16-byte aligned if N is at least 4. */
template <int N, class T> DEVICE Pack<T, N> load_sums(const T *from) {
    constexpr int EACH = N < 4 ? N : 4;
    Pack<T, N> sums;
#pragma unroll
    for (int i = 0; i < N; i += EACH) {
        const Pack<T, EACH> part = load_pack<EACH>(from + i);
#pragma unroll
        for (int l = 0; l < EACH; l++) sums.at[i + l] = part.at[l];
    }
    return sums;
}
