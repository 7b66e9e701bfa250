#!/usr/bin/env python3
"""Runs the CUDA that fusec emits for a model on the CPU, and compares with the reference evaluator.

    python3 tests/shim/run_cuda.py FUSEC MODEL.fx [-D N=3 ..] [-O 0] [--fn NAME] [--in FILE] [--open]
                                   [--skew] [--keep FOLDER]

What is no input of a file is random, as in `fusec run`. --open compiles for any size, and takes those of -D when it runs. --skew moves
tensors away from aligned addresses by one element.
"""
import argparse
import pathlib
import sys
import tempfile

import emulate
from cuda_model import CudaModel, Failure


def options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fusec")
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("-D", action="append", default=[], dest="dims", metavar="DIM=N")
    parser.add_argument("-O", default="2", dest="level")
    parser.add_argument("--fn")
    parser.add_argument("--in", dest="inputs", type=pathlib.Path)
    parser.add_argument("--open", action="store_true")
    parser.add_argument("--skew", action="store_true")
    parser.add_argument("--keep", type=pathlib.Path)
    return parser.parse_args()


def run(o, folder):
    sizes = {name: int(n) for name, n in (dim.split("=") for dim in o.dims)}
    flags = ["-O", o.level] + (["--fn", o.fn] if o.fn else []) + ([] if o.open else [x for dim in o.dims for x in ("-D", dim)])
    model = CudaModel(o.fusec, o.model, flags, emulate.build_runtime(), folder)
    inputs = o.inputs or (folder / "inputs.safetensors" if model.tensors("input") else None)
    if not o.inputs:
        model.write_inputs(sizes, inputs)
    print(model.check(sizes, inputs, int(o.skew)), end="")


def main():
    o = options()
    with tempfile.TemporaryDirectory() as folder:
        if o.keep:
            o.keep.mkdir(parents=True, exist_ok=True)
        try:
            run(o, o.keep or pathlib.Path(folder))
        except Failure as failure:
            sys.exit(str(failure))


if __name__ == "__main__":
    main()
