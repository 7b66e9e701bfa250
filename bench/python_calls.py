#!/usr/bin/env python3
"""What a call from Python costs: kernels of a few elements, beside NumPy and PyTorch.

    LD_LIBRARY_PATH=build/release PYTHONPATH=python python3 bench/python_calls.py
"""
import time

import numpy
import torch

import fusec

TEXT = """
fn plus[N](x: f32[N], z: f32[N]) -> (y: f32[N]) { y = x + z; }
fn linear[N, D, E](x: f32[N, D], w: f32[E, D], b: f32[E]) -> (y: f32[N, E]) { y = x @ w.T + b; }
"""


def microseconds(f, *inputs, **named):
    """The least of 30 times 200 calls."""
    best = float("inf")
    for _ in range(30):
        begin = time.perf_counter()
        for _ in range(200):
            f(*inputs, **named)
        best = min(best, time.perf_counter() - begin)
    return best / 200 * 1e6


def main():
    m = fusec.compile(TEXT, threads=1)
    torch.set_num_threads(1)
    x = numpy.ones(8, "float32")
    t, a, w, b = torch.ones(8), torch.ones(2, 4), torch.ones(3, 4), torch.ones(3)
    out = numpy.empty_like(x)
    print("| call | fusec, us | peer, us |\n|---|---:|---:|")
    for name, ours, peer in [
            ("x + z, NumPy", microseconds(m.plus, x, x), microseconds(numpy.add, x, x)),
            ("x + z, NumPy, out=", microseconds(m.plus, x, x, out=out),
             microseconds(numpy.add, x, x, out=out)),
            ("x + z, PyTorch", microseconds(m.plus, t, t), microseconds(torch.add, t, t)),
            ("x @ w.T + b, PyTorch", microseconds(m.linear, a, w, b),
             microseconds(torch.nn.functional.linear, a, w, b))]:
        print(f"| {name} | {ours:.1f} | {peer:.1f} |")


if __name__ == "__main__":
    main()
