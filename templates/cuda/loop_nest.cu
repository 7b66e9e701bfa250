/* loop_nest.cu: the call of one of several loop nests of a pointwise kernel, by packs or element by
 * element; `block` counts the blocks of the nest. */
#define WHOLE 7
#define VECTOR 4
#define BODY alone_body
#define ARGUMENTS block
#define TILE_ARGUMENTS VECTOR * block + l
#define REST_ARGUMENTS VECTOR * block
#define CONDITION blockIdx.x < 5
template <int VEC> __device__ void alone_body(int) {}
extern "C" __global__ void alone() {
    const int block = blockIdx.x;
//@BEGIN
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
//@FINISH
}
