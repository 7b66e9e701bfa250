#!/usr/bin/env python3
"""libfusec.so shows what fusec.h declares and nothing else, and uses no function by which a library
ends its process or writes to standard error.

    python3 tests/api/symbols.py LIBRARY
"""
import pathlib
import re
import shutil
import subprocess
import sys

HEADER = pathlib.Path(__file__).resolve().parents[2] / "runtime" / "include" / "fusec.h"
DECLARED = re.compile(r"^FUSEC_API .*?\b(fusec_\w+)\(", re.M)
# The lexer that Flex writes has a function, never called, that only an optimising compiler drops.
FORBIDDEN = {"_exit", "_Exit", "abort", "__assert_fail", "quick_exit", "perror", "puts", "printf"}


def symbols(library, which):
    out = subprocess.run(["nm", "-D", which, library], check=True, text=True,
                         stdout=subprocess.PIPE).stdout
    return {line.split()[-1].split("@")[0] for line in out.splitlines()}


def main():
    library = sys.argv[1]
    if not shutil.which("nm"):
        print("skipped: there is no nm")
        sys.exit(77)
    declared = set(DECLARED.findall(HEADER.read_text()))
    shown = symbols(library, "--defined-only") - {"FUSEC_0"}
    wrong = [f"declared, but not in the library: {name}" for name in sorted(declared - shown)]
    wrong += [f"in the library, but not declared: {name}" for name in sorted(shown - declared)]
    wrong += [f"used: {name}"
              for name in sorted(symbols(library, "--undefined-only") & FORBIDDEN)]
    print("\n".join(wrong + [f"{len(shown)} functions, {len(wrong)} mistakes"]))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
