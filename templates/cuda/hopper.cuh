/* hopper.cuh: TMA, mbarriers, wgmma and setmaxnreg of sm_90a. Sections as in types.cuh. */
#pragma once
#include "mma.cuh"
//@BEGIN
//@SECTION --
// ---- sm_90a: TMA, mbarriers, wgmma -----------------------------------------------------------

//@SECTION grid_dependency
/* Programmatic dependent launch; the first call of a kernel. Lets the next kernel start, and waits
 * until the kernels before have ended and their stores are visible. */
DEVICE void grid_dependency() {
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    asm volatile("griddepcontrol.wait;" ::: "memory");
}

//@SECTION TensorMap
/* A TMA descriptor (CUtensorMap) of a tensor; tensor_map makes it on the host. */
struct alignas(64) TensorMap { unsigned char bytes[128]; };

//@SECTION Mbarrier
/* An mbarrier in shared memory. A phase completes when as many threads have arrived as
 * mbarrier_init was given, and all expected bytes. */
struct Mbarrier { unsigned long long state; };

//@SECTION mbarrier_init
DEVICE void mbarrier_init(Mbarrier *barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
                 :: "r"(shared_address(barrier)), "r"(arrivals) : "memory");
}

//@SECTION fence_mbarrier_init
/* Makes mbarrier_init visible to TMA and, after the next __syncthreads, to all threads. */
DEVICE void fence_mbarrier_init() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

//@SECTION mbarrier_arrive
DEVICE void mbarrier_arrive(Mbarrier *barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];"
                 :: "r"(shared_address(barrier)) : "memory");
}

//@SECTION mbarrier_arrive_expect_tx
/* Arrives, and adds bytes that TMA will write to what the phase waits for. */
DEVICE void mbarrier_arrive_expect_tx(Mbarrier *barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :: "r"(shared_address(barrier)), "r"(bytes) : "memory");
}

//@SECTION mbarrier_wait
/* Waits until the phase of the given parity has completed. Phases have parity 0, 1, 0, ..; a wait
 * for parity 1 on a fresh barrier returns at once. */
DEVICE void mbarrier_wait(Mbarrier *barrier, unsigned parity) {
    unsigned done;
    do {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; "
                     "selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(shared_address(barrier)), "r"(parity) : "memory");
    } while (!done);
}

//@SECTION Ring
/* The current stage of a pipeline, and the parity of its barriers' current phase. */
template <int SLOTS> struct Ring {
    int slot = 0;
    unsigned parity = 0;
    __device__ __forceinline__ void step() {
        if (++slot == SLOTS) slot = 0, parity ^= 1;
    }
};

//@SECTION ring_skip
template <int SLOTS> DEVICE void ring_skip(Ring<SLOTS> &ring, int stages) {
    ring.parity ^= (ring.slot + stages) / SLOTS & 1;
    ring.slot = (ring.slot + stages) % SLOTS;
}

//@SECTION tma_load
/* Starts a TMA load of the box at x, y, z (x is contiguous in memory) to shared memory. Elements
 * outside of the tensor are zero; the barrier counts the bytes of the whole box in any case. */
DEVICE void tma_load(void *to, const TensorMap *map, Mbarrier *barrier, int x, int y, int z) {
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3, %4}], [%5];"
                 :: "r"(shared_address(to)), "l"(map), "r"(x), "r"(y), "r"(z),
                    "r"(shared_address(barrier)) : "memory");
}

//@SECTION tma_load_pixels
/* The same of a box of pixels, row by row and image by image: from channel c of the pixel at x, y
 * of image n on, which the map has moved. */
DEVICE void tma_load_pixels(void *to, const TensorMap *map, Mbarrier *barrier, int c, int x, int y,
                            int n) {
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col"
                 ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5}], [%6], {%7, %7};"
                 :: "r"(shared_address(to)), "l"(map), "r"(c), "r"(x), "r"(y), "r"(n),
                    "r"(shared_address(barrier)), "h"((short)0) : "memory");
}

//@SECTION tma_load_multicast
/* The same to each block of the cluster that has a bit in `blocks`, at the same place, for the
 * barrier there. */
DEVICE void tma_load_multicast(void *to, const TensorMap *map, Mbarrier *barrier, int x, int y,
                               int z, unsigned short blocks) {
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1, {%2, %3, %4}], [%5], %6;"
                 :: "r"(shared_address(to)), "l"(map), "r"(x), "r"(y), "r"(z),
                    "r"(shared_address(barrier)), "h"(blocks) : "memory");
}

//@SECTION tma_prefetch
/* Brings the box at x, y, z to L2, for loads that come later. */
DEVICE void tma_prefetch(const TensorMap *map, int x, int y, int z) {
    asm volatile("cp.async.bulk.prefetch.tensor.3d.L2.global.tile [%0, {%1, %2, %3}];"
                 :: "l"(map), "r"(x), "r"(y), "r"(z) : "memory");
}

//@SECTION tma_store
/* Starts a TMA store of a box in shared memory to x, y, z; elements outside of the tensor are left
 * out. Threads that wrote the box call fence_proxy_async and meet at a barrier first. */
DEVICE void tma_store(const TensorMap *map, const void *from, int x, int y, int z) {
    asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group "
                 "[%0, {%1, %2, %3}], [%4];"
                 :: "l"(map), "r"(x), "r"(y), "r"(z), "r"(shared_address(from)) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

//@SECTION tma_store_wait
/* Waits until at most the last PENDING stores of this thread still read their boxes. */
template <int PENDING> DEVICE void tma_store_wait() {
    asm volatile("cp.async.bulk.wait_group.read %0;" :: "n"(PENDING) : "memory");
}

//@SECTION cluster_arrive
/* The first half of cluster_sync: does not wait. */
DEVICE void cluster_arrive() { asm volatile("barrier.cluster.arrive;" ::: "memory"); }

//@SECTION cluster_wait
/* The second half: waits until all threads of the cluster that have not ended have arrived. */
DEVICE void cluster_wait() { asm volatile("barrier.cluster.wait;" ::: "memory"); }

//@SECTION cluster_sync
/* Waits for all threads of the cluster that have not ended. */
DEVICE void cluster_sync() {
    cluster_arrive();
    cluster_wait();
}

//@SECTION address_at
/* The address, in a block of the cluster, of the place that `place` has in this block's shared
 * memory. */
DEVICE unsigned address_at(const void *place, unsigned block) {
    unsigned at;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(at) : "r"(shared_address(place)), "r"(block));
    return at;
}

//@SECTION store_at
/* Stores x in the shared memory of a block of the cluster, at the place that `to` has in this
 * block's; all threads see it after the next cluster_sync. */
template <class T> DEVICE void store_at(T *to, unsigned block, const T &x) {
    union { T value; unsigned word[sizeof(T) / 4]; } both;
    const unsigned at = address_at(to, block);
    both.value = x;
#pragma unroll
    for (int i = 0; i < (int)sizeof(T) / 4; i++)
        asm volatile("st.shared::cluster.b32 [%0], %1;"
                     :: "r"(at + 4 * i), "r"(both.word[i]) : "memory");
}

//@SECTION load_pack_at
/* Loads from the shared memory of a block of the cluster, at the place that `from` has in this
 * block's, 16-byte aligned. */
template <class T> DEVICE Pack<T, 4> load_pack_at(const T *from, unsigned block) {
    union { Pack<T, 4> value; unsigned word[4]; } both;
    asm volatile("ld.shared::cluster.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(both.word[0]), "=r"(both.word[1]), "=r"(both.word[2]), "=r"(both.word[3])
                 : "r"(address_at(from, block)) : "memory");
    return both.value;
}

//@SECTION cluster_reduce
/* block_reduce over all threads of a cluster of BLOCKS blocks, which have all started. A CALL is
 * made once, so that nothing reads `part` while it is written. */
template <class Op, int CALL, int BLOCKS, class T, class... Same>
DEVICE void cluster_reduce(T &x, Same &...more) {
    constexpr int count = 1 + sizeof...(more);
    __shared__ T part[count][BLOCKS];
    block_reduce<Op, CALL>(x, more...);
    T all[count] = {x, more...};
#pragma unroll
    for (int i = 0; i < count; i++)
        if (threadIdx.x < BLOCKS)
            store_at(&part[i][blockIdx.x % BLOCKS], threadIdx.x, all[i]);
    cluster_sync();
#pragma unroll
    for (int i = 0; i < count; i++) {
        all[i] = part[i][0];
#pragma unroll
        for (int block = 1; block < BLOCKS; block++) all[i] = Op::of(all[i], part[i][block]);
    }
    int i = 0;
    x = all[i++];
    ((more = all[i++]), ...);
}

//@SECTION cluster_online
/* block_online over all threads of a cluster of BLOCKS blocks of WARPS warps, which have all
 * started: each warp gives its part to all blocks, so that one barrier suffices. */
template <int CALL, int BLOCKS, int WARPS> DEVICE void cluster_online(float &most, float &sum) {
    __shared__ OnlinePart part[BLOCKS * WARPS];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const OnlinePart own = online_lanes({most, sum});
    if (lane < BLOCKS) store_at(&part[blockIdx.x % BLOCKS * WARPS + warp], lane, own);
    cluster_sync();
    const OnlinePart all = online_parts<BLOCKS * WARPS>(part, BLOCKS * WARPS);
    most = all.most;
    sum = all.sum;
}

//@SECTION cp_async_pack
/* Starts a copy to shared memory where the pack has 16 bytes; others are copied at once. */
template <class T, int N> DEVICE void cp_async_pack(Pack<T, N> *to, const T *from) {
    if constexpr (sizeof(Pack<T, N>) == 16)
        cp_async(to, from);
    else
        *to = load_pack<N>(from);
}

//@SECTION add_pair
/* Adds to two neighbours in memory, each by an atomic of its own; `to` is 8-byte aligned. */
DEVICE void add_pair(float *to, float x, float y) {
    asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" :: "l"(to), "f"(x), "f"(y) : "memory");
}

//@SECTION add_pack
/* Adds to neighbours in memory, each by an atomic of its own; to four aligned ones at once. */
template <int N> DEVICE void add_pack(float *to, const float (&x)[N]) {
    if constexpr (N == 4) {
        if (is_aligned(to, 16)) {
            asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};"
                         :: "l"(to), "f"(x[0]), "f"(x[1]), "f"(x[2]), "f"(x[3]) : "memory");
            return;
        }
    }
    add_each(to, x);
}

//@SECTION mbarrier_arrive_at
/* Arrives at the barrier that has this address in the shared memory of a block of the cluster. */
DEVICE void mbarrier_arrive_at(Mbarrier *barrier, unsigned block) {
    asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];"
                 :: "r"(address_at(barrier, block)) : "memory");
}

//@SECTION fence_proxy_async
/* Makes this thread's stores to shared memory visible to wgmma and TMA after the next barrier. */
DEVICE void fence_proxy_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

//@SECTION wgmma_descriptor
/* The matrix descriptor of a wgmma operand with the 128-byte swizzle; its tile is 1024-byte
 * aligned. K-major operands ignore `next`; for MN-major ones it is the distance in bytes to the
 * next 64 elements of the same k. */
DEVICE unsigned long long wgmma_descriptor(const void *at, int next) {
    const unsigned long long address = shared_address(at) >> 4 & 0x3fff, eight_rows = 1024 >> 4;
    return address | (unsigned long long)(next >> 4) << 16 | eight_rows << 32 | 1ull << 62;
}

//@SECTION wgmma_further
/* The descriptor of a place 16 * BY bytes further on: the upper word stays as it is. */
DEVICE unsigned long long wgmma_further(unsigned long long descriptor, unsigned by) {
    const unsigned long long upper = descriptor >> 32 << 32;
    return upper | ((unsigned)descriptor + by);
}

//@SECTION wgmma_fence
/* Needed before the first wgmma and after any other access to its accumulator registers. */
DEVICE void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

//@SECTION wgmma_commit
/* Commits the wgmmas that were issued since the last commit as a group. */
DEVICE void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

//@SECTION wgmma_wait
/* Waits until at most the last PENDING groups are in flight. */
template <int PENDING> DEVICE void wgmma_wait() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(PENDING) : "memory");
}

//@SECTION wgmma_done
/* Registers of sums that wgmma_wait has waited for: the compiler reads them no earlier. */
template <int N> DEVICE void wgmma_done(float (&sum)[N]) {
#pragma unroll
    for (int i = 0; i < N; i++) asm volatile("" : "+f"(sum[i]) :: "memory");
}

//@SECTION quad_transpose
/* Accumulators of wgmma: a lane has pairs of neighbours at x[at], x[at + 4], x[at + 8], x[at + 12],
 * each of 8 columns that it shares with its quad. Then it has all 8 columns of one of these. */
template <int N> DEVICE void quad_transpose(float (&x)[N], int at) {
#pragma unroll
    for (int far = 1; far < 4; far *= 2) {
        const bool is_upper = threadIdx.x & far;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            if (i & far) continue;
#pragma unroll
            for (int part = 0; part < 2; part++) {
                float &low = x[at + 4 * i + part], &high = x[at + 4 * (i + far) + part];
                const float got = __shfl_xor_sync(0xffffffff, is_upper ? low : high, far);
                (is_upper ? low : high) = got;
            }
        }
    }
}

//@SECTION named_wait
/* Waits until all `threads` of a block that share barrier `number`, 1 to 15, have called this
 * function or named_arrive. */
DEVICE void named_wait(int number, int threads) {
    asm volatile("barrier.cta.sync %0, %1;" :: "r"(number), "r"(threads) : "memory");
}

//@SECTION named_arrive
DEVICE void named_arrive(int number, int threads) {
    asm volatile("barrier.cta.arrive %0, %1;" :: "r"(number), "r"(threads) : "memory");
}

//@SECTION flag_set
/* Sets a flag for other blocks: what this thread has stored or seen comes before it. */
DEVICE void flag_set(unsigned *flag) {
    asm volatile("st.release.gpu.global.u32 [%0], %1;" :: "l"(flag), "r"(1) : "memory");
}

//@SECTION flag_wait
/* Waits until the flag is set; this thread then sees what was stored before it. */
DEVICE void flag_wait(const unsigned *flag) {
    unsigned set;
    do {
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(set) : "l"(flag) : "memory");
    } while (!set);
}

//@SECTION setmaxnreg_decrease
/* Releases registers: each thread of this warpgroup keeps COUNT. */
template <int COUNT> DEVICE void setmaxnreg_decrease() {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" :: "n"(COUNT));
}

//@SECTION setmaxnreg_increase
/* Raises the registers of each thread of this warpgroup to COUNT; waits until they are free. */
template <int COUNT> DEVICE void setmaxnreg_increase() {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" :: "n"(COUNT));
}
