#!/usr/bin/env python3
"""Makes an emitted .cu file a program that runs its kernels one at a time: what the driver for
tests takes for machine code. What was made of a text once is in the folder MADE.

    python3 tests/driver/module.py RUNTIME.o MADE FILE.cu PROGRAM
"""
import hashlib
import os
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
    runtime, made, cu, program = map(pathlib.Path, sys.argv[1:])
    text = cu.read_text()
    known = made / hashlib.sha256(text.encode()).hexdigest()
    if not known.exists():
        try:
            emulate.build(cu, table(text), runtime, program)
        except emulate.Failure as failure:
            sys.exit(str(failure))
        program.rename(known)
    os.link(known, program)


if __name__ == "__main__":
    main()
