/* entry.cu: the kernel of a body that moves packs of VECTOR elements where sizes and pointers
 * allow, else one element at a time; a tile of packs is then VECTOR tiles of elements. If no
 * access is a pack, nothing is tested. */
#define HEAD extern "C" __global__ void alone()
#define VECTOR 4
#define SINGLE 1
#define BODY alone_body
#define ARGUMENTS 0
#define TILE_ARGUMENTS l
#define REST_ARGUMENTS 3 * 10 + blockIdx.x
#define WHOLE 10
#define CONDITION blockIdx.x < 5
template <int VEC> __device__ void alone_body(int) {}
//@BEGIN
HEAD {
    //@IF rest
    if (blockIdx.x >= WHOLE) { /* elements that no whole block of packs has */
        BODY<SINGLE>(REST_ARGUMENTS);
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
    //@IF rows
    BODY<SINGLE>(ARGUMENTS);
    //@END
    //@IF tiles
#pragma unroll 1
    for (int l = 0; l < VECTOR; l++)
        BODY<SINGLE>(TILE_ARGUMENTS);
    //@END
}
