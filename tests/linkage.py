#!/usr/bin/env python3
"""A function or a table that only its own file reads is static, and what nothing reads is gone.

    python3 tests/linkage.py LIBRARY..
"""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Programs that are linked with the libraries, and tests.
READERS = ("src/main.c", "src/manual/*.c", "tests/**/*.c", "tests/**/*.h", "tests/**/*.cpp")
# What fusec.h declares, what Flex writes, and a template that is embedded in two ways.
OTHERS = re.compile(r"fusec_|lexer_|import_device$")


def symbols(library):
    """Names that its objects define, and names that they need."""
    out = subprocess.run(["nm", library], check=True, text=True, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL).stdout
    pairs = re.findall(r"([A-TV-Z]|U) (\w+)$", out, re.M)
    return ({name for kind, name in pairs if kind != "U"}, {name for kind, name in pairs if kind == "U"})


def main():
    if not shutil.which("nm"):
        print("skipped: there is no nm")
        sys.exit(77)
    defined, read = set(), set()
    for library in sys.argv[1:]:
        own, needed = symbols(library)
        defined |= own
        read |= needed
    for pattern in READERS:
        for path in ROOT.glob(pattern):
            read |= set(re.findall(r"\w+", path.read_text()))
    wrong = sorted(name for name in defined - read if not OTHERS.match(name))
    print("\n".join([f"no other file reads it: {name}" for name in wrong] +
                    [f"{len(defined)} names, {len(wrong)} mistakes"]))
    sys.exit(bool(wrong) or not defined)


if __name__ == "__main__":
    main()
