#!/usr/bin/env python3
"""Every template of a kernel compiles by itself, with the defaults before its //@BEGIN.

    python3 tests/templates.py NVRTC_COMPILE

CUDA is skipped without NVRTC.
"""
import pathlib
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


def main():
    nvrtc = [sys.argv[1], "-I", TEMPLATES / "cuda", "--arch", "sm_90a"]
    cc = ["cc", "-std=gnu11", "-fsyntax-only", "-fopenmp", "-march=native", "-w"]
    results = [check(cc, path) for path in sorted(TEMPLATES.glob("c/*.c"))]
    results += [check(nvrtc, path) for path in sorted(TEMPLATES.glob("cuda/*.cu"))]
    passed, skipped = results.count(0), results.count(SKIPPED)
    print(f"{passed} passed, {len(results) - passed - skipped} failed, {skipped} skipped")
    sys.exit(passed + skipped < len(results))


if __name__ == "__main__":
    main()
