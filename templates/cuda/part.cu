/* part.cu: one of several tensors that a pointwise kernel computes, each in blocks of its own. */
#define BLOCKS 10
#define VECTOR 4
#define BODY alone_body
#define ARGUMENTS block
#define CONDITION true
template <int VEC> __device__ void alone_body(int) {}
extern "C" __global__ void alone() {
    int block = blockIdx.x;
    //@BEGIN
    if (block < BLOCKS) {
        //@IF wide
        if (CONDITION)
            BODY<VECTOR>(ARGUMENTS);
        else
            BODY<1>(ARGUMENTS);
        //@END
        //@IF narrow
        //@HOLE call
        //@END
        return;
    }
    block -= BLOCKS;
//@FINISH
}
