#!/usr/bin/env python3
"""A chain of ten small kernels by libfusec on a GPU, by launches and as one CUDA graph, beside PyTorch
in the same run: eager, and torch.compile(mode="reduce-overhead").

    LD_LIBRARY_PATH=BUILD PYTHONPATH=python python3 bench/gpu_chain.py [ROUNDS]

Ten operations, tanh and add in turn, on 64 x 768 numbers in f32: at level 0 each is a kernel of its
own, at the default level all are one kernel. Launches are also timed with programmatic dependent
launch (FusecContextOptions.dependent_launch). A call is timed by the clock of the host, with what
Python takes for it: 200 calls in a stream, then one wait. Times are medians over ROUNDS (default
15), arms taking turns.
"""
import ctypes
import statistics
import sys
import time
from ctypes import POINTER, byref, c_int64, c_void_p

import torch

from fusec import _library as library
from fusec._errors import check
from fusec._library import lib

ROWS, COLUMNS, STEPS, CALLS = 64, 768, 5, 200
TEXT = (f"fn chain(x: f32[{ROWS}, {COLUMNS}]) -> (y: f32[{ROWS}, {COLUMNS}]) {{\n    a0 = x;\n"
        + "".join(f"    a{i + 1} = tanh(a{i}) + {i + 1};\n" for i in range(STEPS))
        + f"    y = a{STEPS};\n}}\n").encode()


def executable(level, as_graph, dependent):
    """Calls of the chain with fusec, ready; and how many kernels it has."""
    context, model, function, ready = c_void_p(), c_void_p(), c_void_p(), c_void_p()
    options = library.ContextOptions(device=1, dependent_launch=dependent)
    check(lib.context_create(byref(options), byref(context)))
    check(lib.model_from_text(context, b"chain.fx", TEXT, len(TEXT),
                              byref(library.ModelOptions(optimise=level)), None, byref(model)))
    check(lib.function_create(model, None, None, byref(function)))
    check(lib.prepare(function, (c_int64 * 1)(), byref(library.PrepareOptions(graph=as_graph)),
                      byref(ready)))
    text = ctypes.c_char_p()
    check(lib.function_text(function, 2, byref(text)))
    return ready, text.value.decode().count("\nkernel ")


def caller(ready, x, y):
    execute = ctypes.CDLL("libfusec.so.0").fusec_execute
    execute.argtypes = [c_void_p, POINTER(c_void_p), ctypes.c_size_t, POINTER(library.CallOptions)]
    pointers = (c_void_p * 2)(x.data_ptr(), y.data_ptr())
    options = library.CallOptions(stream=torch.cuda.current_stream().cuda_stream)
    return lambda: check(execute(ready, pointers, 2, byref(options)))


def steps(x):
    for i in range(STEPS):
        x = torch.tanh(x) + (i + 1)
    return x


def measure(call):
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(CALLS):
        call()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) / CALLS * 1e6


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    x, arms = torch.randn(ROWS, COLUMNS, device="cuda"), {}
    want = steps(x.double()).float()
    for level, name in ((1, "a kernel for each operation"), (0, "fused")):
        for how, as_graph, dependent in (("launches", 0, 0), ("dependent launches", 0, 1),
                                         ("a graph", 1, 0)):
            ready, kernels = executable(level, as_graph, dependent)
            y = torch.full_like(x, float("nan"))
            call = caller(ready, x, y)
            call()
            torch.testing.assert_close(y, want, rtol=1e-5, atol=1e-5)
            arms[f"fusec, {name}, {kernels} kernels, {how}"] = call
    compiled = torch.compile(steps, mode="reduce-overhead")
    for _ in range(5):
        compiled(x)
    arms[f"PyTorch, eager, {2 * STEPS} kernels"] = lambda: steps(x)
    arms['torch.compile(mode="reduce-overhead")'] = lambda: compiled(x)
    times = {name: [] for name in arms}
    for _ in range(rounds):
        for name, call in arms.items():
            times[name].append(measure(call))
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, {ROWS} x {COLUMNS} f32, "
          f"medians of {rounds} rounds of {CALLS} calls\n\n| arm | us a call |\n|---|---:|")
    for name, values in times.items():
        print(f"| {name} | {statistics.median(values):.2f} |")


if __name__ == "__main__":
    main()
