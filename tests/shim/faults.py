#!/usr/bin/env python3
"""Checks that the shim catches what it should: each file in faults/ is a small program with one fault
(or none), and comments say which tensors it takes and what messages it must cause.

    python3 tests/shim/faults.py [NAME..]

    // tensors: input x f32[64], output y f32[64]    parameters of its function `run`, then workspace:
    // workspace: 256                                bytes
    // expect: TEXT                                  part of the message; "ok": there is none

`#include "prelude.cuh"` is what emitted CUDA is written in; other files are those of faults/.
"""
import os
import pathlib
import re
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import emulate
from emulate import BYTES, Failure, Function, Parameter

TEMPLATES = pathlib.Path(__file__).resolve().parents[2] / "templates/cuda"
FAULTS = pathlib.Path(__file__).resolve().parent / "faults"
SKIPPED = 77


def comments(text, key):
    return re.findall(rf"^// {key}: (.*)$", text, re.M)


def function_of(text):
    tensors = [Parameter(*entry) for line in comments(text, "tensors") for entry in
               [(kind, name, dtype, shape.split(", ")) for kind, name, dtype, shape in
                re.findall(r"(input|output) (\w+) (\w+)\[(.*?)\]", line)]]
    return Function("run", tensors, [])


def with_includes(text, name, seen):
    """The text with what it includes in place, each file once; lines keep their file and number."""
    def included(match):
        line = text[:match.end()].count("\n") + 2
        if match[1] in seen:
            return ""
        seen.add(match[1])
        folder = TEMPLATES if match[1].endswith(".cuh") else FAULTS
        inner = with_includes((folder / match[1]).read_text(), match[1], seen)
        return f'# 1 "{match[1]}"\n{inner}\n# {line} "{name}"'
    text = text.replace("#pragma once\n", "\n")
    return re.sub(r'^#include "(.+)"$', included, text, flags=re.M)


def caller(function, workspace):
    """As emulate.caller makes for emitted files."""
    arguments = [f"tensors[{i}]" for i in range(len(function.tensors))]
    arguments += ["workspace"] if workspace else []
    return (f'extern "C" long long shim_workspace(const long long *) {{ return {workspace}; }}\n'
            f'extern "C" int shim_call(void *const *tensors, const long long *, void *workspace) {{\n'
            f"    (void)workspace;\n    return run({', '.join(arguments)});\n}}\n")


def message_of(path, runtime, folder):
    text = path.read_text()
    function = function_of(text)
    workspace = int((comments(text, "workspace") or [0])[0])
    folder.mkdir()
    inputs = {t.name: bytes(i % 97 for i in range(int(t.shape[0]) * BYTES[t.dtype]))
              for t in function.tensors}
    try:
        cu = folder / path.name
        cu.write_text(with_includes(text, path.name, set()))
        emulate.build(cu, caller(function, workspace), runtime, folder / "program")
        emulate.run([folder / "program"], function, {}, inputs, [0, 132], folder)
    except Failure as failure:
        return str(failure)
    return "ok"


def attempt(job):
    path, runtime, folder = job
    message = message_of(path, runtime, folder / path.stem)
    missing = [text for text in comments(path.read_text(), "expect") if text not in message]
    return "".join(f"FAIL {path.name}: expected: {text}\n" for text in missing) + (
        message if missing else "")


def main():
    if not shutil.which(emulate.COMPILER):
        print(f"skipped: there is no {emulate.COMPILER}")
        sys.exit(SKIPPED)
    passed = failed = 0
    paths = [path for path in sorted(FAULTS.glob("*.cu"))
             if len(sys.argv) < 2 or path.stem in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = pathlib.Path(name)
        runtime = emulate.build_runtime()
        for message in pool.map(attempt, [(path, runtime, folder) for path in paths]):
            passed, failed = passed + (not message), failed + bool(message)
            if message:
                print(message, flush=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
