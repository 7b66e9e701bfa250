/* cuda.cu: memory of the functions of a .cu file, for the self-test: that of the first device. */
//@BEGIN
/* ---- memory of the functions: device memory -------------------------------------------------- */

static void fx_cuda(cudaError_t status)
{
    if (status != cudaSuccess) fx_stop(cudaGetErrorString(status));
}

static void *fx_space(int64_t bytes)
{
    void *at;
    fx_cuda(cudaMalloc(&at, (size_t)bytes + 256));
    return at;
}

static void fx_release(void *at) { fx_cuda(cudaFree(at)); }

static void fx_put(void *at, const void *from, int64_t bytes)
{
    fx_cuda(cudaMemcpy(at, from, (size_t)bytes, cudaMemcpyHostToDevice));
}

static void fx_get(void *to, const void *at, int64_t bytes)
{
    fx_cuda(cudaMemcpy(to, at, (size_t)bytes, cudaMemcpyDeviceToHost)); /* waits for the kernels */
}

static double fx_seconds(const fx_function *f, void *const *at, const int64_t *dims, void *space,
                         int runs)
{
    cudaEvent_t start, stop;
    float milliseconds = 0;
    fx_cuda(cudaEventCreate(&start));
    fx_cuda(cudaEventCreate(&stop));
    fx_cuda(cudaEventRecord(start));
    for (int i = 0; i < runs; i++) f->call(dims, at, space);
    fx_cuda(cudaEventRecord(stop));
    fx_cuda(cudaEventSynchronize(stop));
    fx_cuda(cudaEventElapsedTime(&milliseconds, start, stop));
    fx_cuda(cudaEventDestroy(start));
    fx_cuda(cudaEventDestroy(stop));
    return 1e-3 * milliseconds;
}
