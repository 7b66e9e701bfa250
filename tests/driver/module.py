#!/usr/bin/env python3
"""Makes an emitted .cu file a program that runs its kernels one at a time: what the driver for
tests takes for machine code.

    python3 tests/driver/module.py RUNTIME.o FILE.cu PROGRAM
"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "shim")]
import emulate  # noqa: E402


def table(text):
    kernels = emulate.bounds_of(text)
    rows = "".join(f"    DRIVER_KERNEL({name}, {bounds}),\n" for name, bounds in kernels.items())
    return (f'#include "{HERE}/kernels.h"\n'
            f'extern "C" const DriverKernel driver_kernels[] = {{\n{rows}}};\n'
            f'extern "C" const int driver_kernel_count = {len(kernels)};\n')


def main():
    runtime, cu, program = map(pathlib.Path, sys.argv[1:])
    try:
        emulate.build(cu, table(cu.read_text()), runtime, program)
    except emulate.Failure as failure:
        sys.exit(str(failure))


if __name__ == "__main__":
    main()
