#!/usr/bin/env python3
"""Every template of a kernel compiles by itself, with the defaults before its //@BEGIN. Templates
that name an array of dynamic shared memory alike declare it alike, so that kernels of one file agree.

    python3 tests/templates.py NVRTC_COMPILE

CUDA is skipped without NVRTC.
"""
import pathlib
import re
import subprocess
import sys

TEMPLATES = pathlib.Path(__file__).resolve().parents[1] / "templates"
SKIPPED = 77


def check(command, path):
    """Is there nothing wrong with it?"""
    run = subprocess.run([*command, path], capture_output=True, text=True)
    if run.returncode not in (0, SKIPPED):
        print(f"FAIL {path.relative_to(TEMPLATES)}\n{run.stdout}{run.stderr}")
    return run.returncode


def shared_arrays():
    """Is each declared in one way?"""
    declared = {}
    for path in sorted(TEMPLATES.glob("cuda/*.cu")):
        for text, name in re.findall(r"extern __shared__ (.* (\w+)\[\]);", path.read_text()):
            declared.setdefault(name, set()).add(text)
    for texts in declared.values():
        if len(texts) > 1:
            print(f"FAIL shared memory is declared in several ways: {', '.join(sorted(texts))}")
    return int(not declared or any(len(texts) > 1 for texts in declared.values()))


def main():
    nvrtc = [sys.argv[1], "-I", TEMPLATES / "cuda", "--arch", "sm_90a"]
    cc = ["cc", "-std=gnu11", "-fsyntax-only", "-fopenmp", "-march=native", "-w"]
    results = [check(cc, path) for path in sorted(TEMPLATES.glob("c/*.c"))]
    results += [check(nvrtc, path) for path in sorted(TEMPLATES.glob("cuda/*.cu"))]
    results.append(shared_arrays())
    passed, skipped = results.count(0), results.count(SKIPPED)
    print(f"{passed} passed, {len(results) - passed - skipped} failed, {skipped} skipped")
    sys.exit(passed + skipped < len(results))


if __name__ == "__main__":
    main()
