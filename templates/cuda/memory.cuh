/* memory.cuh: accesses of up to 16 bytes. Sections as in types.cuh. */
#pragma once
#include "narrow.cuh"
//@BEGIN
//@SECTION --
// ---- memory: up to 16 bytes in one access --------------------------------------------------

//@SECTION Pack
template <class T, int N> struct alignas(sizeof(T) * N) Pack { T at[N]; };

//@SECTION Word
/* The register type that is loaded and stored as BYTES bytes in one access. */
template <int BYTES> struct Word;
template <> struct Word<1> { typedef unsigned char type; };
template <> struct Word<2> { typedef unsigned short type; };
template <> struct Word<4> { typedef unsigned type; };
template <> struct Word<8> { typedef uint2 type; };
template <> struct Word<16> { typedef uint4 type; };

//@SECTION load_pack
/* One vector load; p must be aligned to the size of the pack: load_pack<8>(x + 8 * i). */
template <int N, class T> DEVICE Pack<T, N> load_pack(const T *p) {
    union { typename Word<sizeof(T) * N>::type word; Pack<T, N> pack; } both;
    both.word = *(const typename Word<sizeof(T) * N>::type *)p;
    return both.pack;
}

//@SECTION pack_f8e4m3
/* An element of a pack as float. Of neighbours, which one instruction converts, compilers keep one
 * of these. */
template <int N> DEVICE float pack_f8e4m3(const Pack<f8e4m3, N> &pack, int i) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
    if constexpr (N % 4 == 0) {
        const unsigned word = ((const unsigned *)pack.at)[i / 4];
        unsigned both;
        asm("cvt.rn.f16x2.e4m3x2 %0, %1;"
            : "=r"(both) : "h"((unsigned short)(i % 4 < 2 ? word : word >> 16)));
        return from_f16({(unsigned short)(i % 2 ? both >> 16 : both)});
    }
#endif
    return from_f8e4m3(pack.at[i]);
}

//@SECTION pack_f8e5m2
/* The same; a number is the upper half of one of f16. */
template <int N> DEVICE float pack_f8e5m2(const Pack<f8e5m2, N> &pack, int i) {
    return from_f16({(unsigned short)(pack.at[i].bits << 8)});
}

//@SECTION store_pack
template <int N, class T> DEVICE void store_pack(T *p, const Pack<T, N> &pack) {
    union { typename Word<sizeof(T) * N>::type word; Pack<T, N> pack; } both;
    both.pack = pack;
    *(typename Word<sizeof(T) * N>::type *)p = both.word;
}

//@SECTION pack_part
/* N neighbours of a pack. */
template <int N, int ALL, class T> DEVICE Pack<T, N> pack_part(const Pack<T, ALL> &pack, int from) {
    Pack<T, N> part;
#pragma unroll
    for (int i = 0; i < N; i++) part.at[i] = pack.at[from + i];
    return part;
}

//@SECTION Window
/* Elements FROM to TO - 1 beside a place, in packs of N. */
template <class T, int N, int FROM, int TO> struct Window {
    static constexpr int start = (FROM < 0 ? FROM - N + 1 : FROM) / N;
    static constexpr int packs = (TO + N - 1) / N - start;
    Pack<T, N> pack[packs];
    __device__ __forceinline__ T at(int i) const {
        return pack[(i - start * N) / N].at[(i - start * N) % N];
    }
};

//@SECTION load_window
/* Those beside p, which is aligned to a pack. Bounds lie between packs: zeros take the place of
 * elements before `first`, from `end` on, and, unless `inside`, of all. */
template <int N, int FROM, int TO, class T, class First, class End>
DEVICE Window<T, N, FROM, TO> load_window(const T *p, bool inside, First first, End end) {
    Window<T, N, FROM, TO> window;
#pragma unroll
    for (int i = 0; i < window.packs; i++) {
        const int at = (window.start + i) * N;
        window.pack[i] = {};
        if (inside && at + N > first && at < end) window.pack[i] = load_pack<N>(p + at);
    }
    return window;
}

//@SECTION load_pack_if
/* load_pack where `wide`; else element by element, wherever p is. */
template <int N, class T> DEVICE Pack<T, N> load_pack_if(bool wide, const T *p) {
    if (wide) return load_pack<N>(p);
    Pack<T, N> pack;
#pragma unroll
    for (int i = 0; i < N; i++) pack.at[i] = p[i];
    return pack;
}

//@SECTION store_pack_if
/* store_pack where `wide`; else element by element, wherever p is. */
template <int N, class T> DEVICE void store_pack_if(bool wide, T *p, const Pack<T, N> &pack) {
    if (wide) {
        store_pack(p, pack);
        return;
    }
#pragma unroll
    for (int i = 0; i < N; i++) p[i] = pack.at[i];
}

//@SECTION stream_pack
/* store_pack with the streaming cache hint: the data is not read again soon. */
template <int N, class T> DEVICE void stream_pack(T *p, const Pack<T, N> &pack) {
    union { typename Word<sizeof(T) * N>::type word; Pack<T, N> pack; } both;
    both.pack = pack;
    __stcs((typename Word<sizeof(T) * N>::type *)p, both.word);
}

//@SECTION dynamic_shared
/* The dynamic shared memory of a block, for kernels that are templates and those of C linkage. */
extern __shared__ __align__(128) unsigned char dynamic_shared[];

//@SECTION is_aligned
DEVICE bool is_aligned(const void *p, unsigned bytes) { return (unsigned long long)p % bytes == 0; }

//@SECTION copy_block
/* COUNT neighbours, or as many as are left, by all threads of a block, in packs of 16 bytes where
 * both sides are aligned. */
template <int COUNT, class T> DEVICE void copy_block(T *to, const T *from, long long left) {
    constexpr int pack = 16 / sizeof(T);
    const bool whole = left >= COUNT;
    if (whole && is_aligned(to, 16) && is_aligned(from, 16))
        for (int i = threadIdx.x * pack; i < COUNT; i += blockDim.x * pack)
            store_pack(to + i, load_pack<pack>(from + i));
    else
        for (int i = threadIdx.x; i < (whole ? COUNT : (int)left); i += blockDim.x)
            to[i] = from[i];
}

//@SECTION row_place
/* The place of an element of rows of a power of two of packs of 16 bytes, which are permuted, so
 * that neighbouring rows have packs of one number in other banks. */
template <int COLS, int PACK> DEVICE int row_place(int row, int col) {
    constexpr int packs = COLS / PACK, rows = packs < 8 ? 8 / packs : 1;
    return row * COLS + (col / PACK ^ row / rows % packs) * PACK + col % PACK;
}

//@SECTION copy_rows
/* Copies ROWS such rows, or as many elements as are left, by all threads of a block. */
template <int ROWS, int COLS, class T> DEVICE void copy_rows(T *to, const T *from, long long left) {
    constexpr int pack = 16 / sizeof(T);
    const bool whole = left >= ROWS * COLS;
    if (whole && is_aligned(to, 16))
        for (int i = threadIdx.x * pack; i < ROWS * COLS; i += blockDim.x * pack)
            store_pack(to + i, load_pack<pack>(from + row_place<COLS, pack>(i / COLS, i % COLS)));
    else
        for (int i = threadIdx.x; i < (whole ? ROWS * COLS : (int)left); i += blockDim.x)
            to[i] = from[row_place<COLS, pack>(i / COLS, i % COLS)];
}

//@SECTION TransposeTile
/* A tile that is written along its rows, VEC elements at a time, and read across them. Packs are
 * permuted within a row, the same in VEC neighbouring rows, and rows of single elements are an odd
 * number of words apart, so that both are free of bank conflicts. */
template <class T, int ROWS, int COLS, int VEC> struct TransposeTile {
    T element[ROWS * (COLS + 4)];
    /* Of row number l of a pack of rows that starts at `row`. */
    __device__ __forceinline__ T &at(unsigned row, unsigned col, unsigned l = 0) {
        constexpr int pitch = COLS + (sizeof(T) < 4 ? 4 / sizeof(T) : 1), packs = COLS / VEC;
        if (VEC == 1) return element[row * pitch + col];
        T *const first = element + row * COLS + (col / VEC ^ row / VEC % packs) * VEC + col % VEC;
        return first[l * COLS];
    }
};

//@SECTION ShiftedTile
/* Rows of a tile that start anywhere in packs of VEC elements, as they do in memory: `pitch` is
 * congruent to the rows' distance there modulo VEC, and `start` to the place of the first. Packs
 * that are aligned in memory then are in the tile, too. */
template <class T, int VEC> struct ShiftedTile {
    T *element;
    unsigned pitch, start;
    /* Pack number `pack` of a row that starts at from[at]; nothing is read beyond from[end - 1], and
     * zeros take its place. If !inside, all are. */
    __device__ __forceinline__ void load(bool inside, unsigned row, unsigned pack, const T *from,
                                         idx at, idx end) const {
        T *const to = element + (start + row * pitch) / VEC * VEC + pack * VEC;
        at = (at & -(idx)VEC) + pack * VEC;
        if (inside && at + VEC <= end) {
            store_pack(to, load_pack<VEC>(from + at));
            return;
        }
        for (int l = 0; l < VEC; l++) to[l] = inside && at + l < end ? from[at + l] : T{};
    }
    __device__ __forceinline__ T at(unsigned row, unsigned col) const {
        return element[start + row * pitch + col];
    }
};

//@SECTION place_in_pack
/* Elements between the last multiple of 16 bytes and p. */
template <class T> DEVICE int place_in_pack(const T *p) {
    return (int)((unsigned)(unsigned long long)p % 16 / sizeof(T));
}

//@SECTION box_row
/* Where row number `row` is in a box of rows of N elements: it starts at the same place of 16 bytes
 * as it does in the tensor, at `to`, so that what is aligned there is aligned in the box. */
template <int N, class T> DEVICE T *box_row(T *box, int row, const T *to) {
    return box + row * (int)(N + 16 / sizeof(T)) + place_in_pack(to);
}

//@SECTION store_box
/* A warp stores 16 rows of a box, of which `rows` and the first `cols` columns are in the tensor;
 * row number i starts there at to(i). First packs of 16 bytes, then the elements before and after.
 */
template <int N, class T, class Index, class To>
DEVICE void store_box(const T *box, Index rows, Index cols, unsigned lane, const To &to) {
    constexpr int VEC = 16 / sizeof(T), packs = N / VEC, pitch = N + VEC;
    const int end = cols < N ? cols : N;
#pragma unroll
    for (int i = 0; i < packs / 2; i++) {
        const int row = i * (32 / packs) + lane / packs, at = lane % packs * VEC;
        T *const y = to(row);
        const int col = at - place_in_pack(y);
        if (row < rows && col >= 0 && col + VEC <= end)
            store_pack(y + col, load_pack<VEC>(box + row * pitch + at));
    }
#pragma unroll
    for (int i = 0; i < VEC; i++) {
        const int row = i * (16 / VEC) + lane / (2 * VEC), l = lane % (2 * VEC);
        T *const y = to(row);
        const int place = place_in_pack(y), last = (place + end) / VEC * VEC;
        const int at = l < VEC ? l : last + l - VEC, col = at - place;
        const bool is_part = l < VEC ? place > 0 || last == 0 : last > 0;
        if (row < rows && col >= 0 && col < end && is_part)
            y[col] = box[row * pitch + at];
    }
}

//@SECTION next_digit
/* rest % N, of a number below 65536 that becomes rest / N: a product and a shift. */
template <int N> DEVICE int next_digit(unsigned &rest) {
    if (N == 1) return 0;
    const unsigned number = rest;
    rest = (unsigned)((unsigned long long)number * (0xffffffffu / N + 1) >> 32);
    return (int)(number - rest * N);
}

//@SECTION store_part
/* Those elements of a pack whose numbers are from `begin` to `end` - 1. */
template <int N, class T> DEVICE void store_part(T *p, const Pack<T, N> &pack, idx begin, idx end) {
    if (begin <= 0 && end >= N) {
        store_pack(p, pack);
        return;
    }
#pragma unroll
    for (int l = 0; l < N; l++)
        if (l >= begin && l < end) p[l] = pack.at[l];
}

//@SECTION clamp_index
/* An index out of range becomes the nearest valid one. */
DEVICE int clamp_index(int at, idx extent) {
    return at < 0 ? 0 : at < extent ? at : (int)(extent - 1);
}
DEVICE long long clamp_index(long long at, idx extent) {
    return at < 0 ? 0 : at < extent ? at : extent - 1;
}
