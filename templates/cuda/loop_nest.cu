/* loop_nest.cu: one of several loop nests of a pointwise kernel, each in blocks of its own. */
#define BLOCKS 10
#define VECTOR 4
#define BODY alone_body
#define ARGUMENTS block
#define TILE_ARGUMENTS VECTOR * block + l
#define REST_ARGUMENTS 3 * 10 + block
#define WHOLE 10
#define CONDITION blockIdx.x < 5
template <int VEC> __device__ void alone_body(int) {}
extern "C" __global__ void alone() {
    int block = blockIdx.x;
    //@BEGIN
    if (block < BLOCKS) {
        //@IF rest
        if (block >= WHOLE) { /* elements that no whole block of packs has */
            BODY<1>(REST_ARGUMENTS);
            return;
        }
        //@END
        //@IF always
        BODY<VECTOR>(ARGUMENTS);
        //@END
        //@IF tested
        if (CONDITION) {
            BODY<VECTOR>(ARGUMENTS);
            return;
        }
        //@END
        //@IF tiles
#pragma unroll 1
        for (int l = 0; l < VECTOR; l++)
            BODY<1>(TILE_ARGUMENTS);
        //@END
        //@HOLE narrow
        return;
    }
    block -= BLOCKS;
//@FINISH
}
