#!/usr/bin/env python3
"""Runs python/tests/test_fusec.py over a library, with a Python that has NumPy and PyTorch.

    python3 tests/python_package.py LIBFUSEC

Exit 77 where no Python here has both. The last line counts the cases, as that of other tests."""
import os
import pathlib
import re
import subprocess
import sys

from python_with import python_with, sanitizer_environment

ROOT = pathlib.Path(__file__).resolve().parents[1]


def main():
    library = pathlib.Path(sys.argv[1]).resolve()
    python = python_with("numpy", "torch")
    if not python:
        print("no Python here has numpy and torch")
        sys.exit(77)
    done = subprocess.run([python, ROOT / "python/tests/test_fusec.py"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True,
                          env=dict(os.environ, LD_LIBRARY_PATH=str(library.parent),
                                   PYTHONPATH=str(ROOT / "python"), PYTHONDONTWRITEBYTECODE="1",
                                   **sanitizer_environment(library)))
    print(done.stdout, end="")
    ran = re.search(r"^Ran (\d+) tests", done.stdout, re.M)
    failed = sum(map(int, re.findall(r"(?:failures|errors)=(\d+)", done.stdout)))
    if ran:
        print(f"{int(ran[1]) - failed} passed, {failed} failed")
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
