/* entry.cu: the kernel of a body that moves packs of VECTOR elements where sizes and pointers allow,
 * else one element at a time. */
#define HEAD extern "C" __global__ void alone()
#define VECTOR 4
#define BODY alone_body
#define ARGUMENTS
#define CONDITION true
template <int VEC> __device__ void alone_body() {}
//@BEGIN
HEAD {
    if (CONDITION)
        BODY<VECTOR>(ARGUMENTS);
    else
        BODY<1>(ARGUMENTS);
}
