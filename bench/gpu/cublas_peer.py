#!/usr/bin/env python3
"""Times the matrix products of the workloads in cuBLAS, loaded by name: no package is needed.
Prints one line of JSON for each.

    python3 bench/gpu/cublas_peer.py [NAME..]

Exit status 77 when there is no cuBLAS. Random data, sets of buffers in turn, the median.
"""
import ctypes
import glob
import itertools
import json
import pathlib
import random
import statistics
import struct
import sys
import time

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent)]
from workloads import WORKLOADS  # noqa: E402

SKIPPED = 77
BYTES = {"bf16": 2, "f32": 4}
TYPES = {"bf16": 14, "f32": 0}  # of cudaDataType
COMPUTE_F32, DEFAULT_ALGORITHM, TRANSPOSED, AS_IT_IS = 68, -1, 1, 0
TO_DEVICE = 1
L2_ATTRIBUTE = 38
PATTERN = 1 << 20  # random elements; they repeat
WARM_SECONDS = 0.2
WORKSPACE = 64 << 20  # bytes that cuBLAS may use: with fewer it has fewer ways


def load(stem):
    """A library of CUDA: where the system looks, beside the toolkit, in Python's packages of it."""
    folders = ["", "/usr/local/cuda/lib64/"]
    for path in sys.path:
        folders += [f"{folder}/" for folder in glob.glob(f"{path}/nvidia/*/lib")]
    for folder, version in itertools.product(folders, (".13", ".12", "")):
        try:
            return ctypes.CDLL(f"{folder}lib{stem}.so{version}", ctypes.RTLD_GLOBAL)
        except OSError:
            pass
    print(f"skipped: no lib{stem}", file=sys.stderr)
    sys.exit(SKIPPED)


def need(status, call):
    if status:
        sys.exit(f"{call}: error {status}")


class Cuda:
    def __init__(self):
        self.runtime = load("cudart")
        self.runtime.cudaMalloc.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
        self.runtime.cudaMemcpy.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t,
                                            ctypes.c_int]
        self.runtime.cudaFree.argtypes = [ctypes.c_void_p]
        self.events = [self.event(), self.event()]

    def event(self):
        event = ctypes.c_void_p()
        need(self.runtime.cudaEventCreate(ctypes.byref(event)), "cudaEventCreate")
        return event

    def cache(self):
        value = ctypes.c_int()
        need(self.runtime.cudaDeviceGetAttribute(ctypes.byref(value), L2_ATTRIBUTE, 0), "attribute")
        return value.value

    def allocate(self, size, data=None):
        at = ctypes.c_void_p()
        need(self.runtime.cudaMalloc(ctypes.byref(at), size), f"cudaMalloc of {size} bytes")
        if data:
            for start in range(0, size, len(data)):
                part = min(len(data), size - start)
                need(self.runtime.cudaMemcpy(at.value + start, data, part, TO_DEVICE), "cudaMemcpy")
        return at

    def microseconds(self, run):
        start, stop = self.events
        need(self.runtime.cudaEventRecord(start, None), "cudaEventRecord")
        run()
        need(self.runtime.cudaEventRecord(stop, None), "cudaEventRecord")
        need(self.runtime.cudaEventSynchronize(stop), "cudaEventSynchronize")
        milliseconds = ctypes.c_float()
        need(self.runtime.cudaEventElapsedTime(ctypes.byref(milliseconds), start, stop), "elapsed")
        return 1e3 * milliseconds.value


def pattern(dtype):
    rng = random.Random(1)
    words = struct.pack(f"<{PATTERN}f", *(rng.uniform(-1, 1) for _ in range(PATTERN)))
    if dtype == "f32":
        return words
    return b"".join(words[i + 2:i + 4] for i in range(0, len(words), 4))  # the upper half


class Gemm:
    """C[m, n] = A[m, k] B[n, k]ᵀ, row-major: for cuBLAS, which is column-major, Cᵀ = B Aᵀ."""

    def __init__(self, cuda):
        self.cuda, self.blas, self.handle = cuda, load("cublas"), ctypes.c_void_p()
        need(self.blas.cublasCreate_v2(ctypes.byref(self.handle)), "cublasCreate")
        need(self.blas.cublasSetWorkspace_v2(self.handle, cuda.allocate(WORKSPACE),
                                             ctypes.c_size_t(WORKSPACE)), "cublasSetWorkspace")

    def sets(self, m, n, k, dtype):
        data, each = pattern(dtype), BYTES[dtype]
        size = each * (m * k + n * k + m * n)
        return [(self.cuda.allocate(each * m * k, data), self.cuda.allocate(each * n * k, data),
                 self.cuda.allocate(each * m * n))
                for _ in range(1 + min(2 * self.cuda.cache() // size, 64))]

    def run(self, m, n, k, dtype, a, b, c):
        one, zero = ctypes.c_float(1), ctypes.c_float(0)
        kind = TYPES[dtype]
        need(self.blas.cublasGemmEx(self.handle, TRANSPOSED, AS_IT_IS, n, m, k, ctypes.byref(one),
                                    b, kind, k, a, kind, k, ctypes.byref(zero), c, kind, n,
                                    COMPUTE_F32, DEFAULT_ALGORITHM), "cublasGemmEx")

    def measure(self, m, n, k, dtype):
        sets = self.sets(m, n, k, dtype)
        turn = itertools.cycle(sets)
        begun = time.monotonic()
        while time.monotonic() < begun + WARM_SECONDS:  # until the clock rates are stable
            once = self.cuda.microseconds(lambda: self.run(m, n, k, dtype, *next(turn)))
        rounds = max(7, min(200, int(3e5 / once)))
        times = [self.cuda.microseconds(lambda: self.run(m, n, k, dtype, *next(turn)))
                 for _ in range(rounds)]
        for buffers in sets:
            for at in buffers:
                self.cuda.runtime.cudaFree(at)
        return statistics.median(times), min(times)


def main():
    gemm = Gemm(Cuda())
    for workload in WORKLOADS:
        if workload.gemm and (not sys.argv[1:] or workload.name in sys.argv[1:]):
            median, least = gemm.measure(*workload.gemm)
            print(json.dumps({"workload": workload.name, "peer": "cuBLAS", "median_us": median,
                              "least_us": least}), flush=True)


if __name__ == "__main__":
    main()
