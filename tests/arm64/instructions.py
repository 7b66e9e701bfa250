#!/usr/bin/env python3
"""Counts the instructions of hot loops of emitted C for arm64: that they are NEON's, and neither spill
nor call anything.

    python3 tests/arm64/instructions.py FUSEC
"""
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass

COMPILER = "aarch64-linux-gnu-gcc"
FLAGS = ["-march=armv8-a", "-ffp-contract=fast", "-fopenmp", "-S"]
LEVELS = ["-O2", "-O3"]  # of fusec, and what emitted files say
SKIPPED = 77
LABEL, BRANCH = r"(\.L\w+):", r"(?:b\.?\w*|cbn?z|tbn?z)\s+(?:.*,\s*)?(\.L\w+)$"


@dataclass
class Case:
    """The innermost loop with the most instructions of the kind `main`: how many it has of some kinds,
    and how many in all it may have. A kind is the start of an instruction and some of its operands."""
    name: str
    text: str
    main: str
    counts: dict
    most: int


SGEMM = "fn f[M, N, K](a: f32[M, K], b: f32[K, N]) -> (y: f32[M, N]) { y = a @ b; }"
DGEMM = SGEMM.replace("f32", "f64")
SOFTMAX = "fn f[N, D](x: f32[N, D]) -> (y: f32[N, D]) { y = softmax(x); }"
GELU = "fn f[N](x: f32[N]) -> (y: f32[N]) { y = gelu(x); }"
CASES = [
    # 12 rows of two vectors of sums; factors are lanes: 3 vectors of them and 2 of the right operand
    Case("sgemm", SGEMM, r"fmla .*\.s\[\d\]", {r"fmla .*\.4s.*\.s\[\d\]": 24, r"ldp q|ldr q": 3}, 32),
    Case("dgemm", DGEMM, r"fmla .*\.d\[\d\]", {r"fmla .*\.2d.*\.d\[\d\]": 24}, 34),
    Case("softmax, its exp", SOFTMAX, r"fmla .*\.4s", {r"fmla .*\.4s": 10, "ldr q": 1, "fdiv": 0}, 60),
    Case("softmax, its max", SOFTMAX, r"fmax .*\.4s", {"fcm": 0, "bsl": 0}, 32),
    Case("gelu", GELU, r"tbl ", {"tbl ": 6, r"fmla .*\.4s": 6, "umov": 0}, 80),
]


def inner_loops(assembly):
    """Instructions of each loop that has no other in it."""
    for body in re.split(r"^\t\.type\t.*%function$", assembly, flags=re.M):
        lines = [re.sub(r"\s+", " ", line.strip()) for line in body.splitlines()]
        labels = {m[1]: i for i, line in enumerate(lines) if (m := re.match(LABEL, line))}
        found = [(labels[m[1]], i) for i, line in enumerate(lines)
                 if (m := re.match(BRANCH, line)) and labels.get(m[1], i) < i]
        for first, last in found:
            if not any((first, last) != other and first <= other[0] and other[1] <= last
                       for other in found):
                yield [x for x in lines[first:last + 1] if re.match("[a-z]", x)]


def faults(case, assembly):
    def count(loop, kind):
        return sum(bool(re.match(kind, x)) for x in loop)

    # Several loops may be equal in that: one for whole tiles or vectors, and one for the rest.
    most = max((count(loop, case.main) for loop in inner_loops(assembly)), default=0)
    if not most:
        return [f"no loop has '{case.main}'"]
    loop = min((x for x in inner_loops(assembly) if count(x, case.main) == most), key=len)
    said = [f"{count(loop, kind)} of '{kind}', not {number}" for kind, number in case.counts.items()
            if count(loop, kind) != number]
    said += [f"{len(loop)} instructions, more than {case.most}"] * (len(loop) > case.most)
    said += ["a spill or a local array"] * any("[sp" in x for x in loop)
    said += ["a call"] * any(re.match(r"blr? ", x) for x in loop)
    kinds = collections.Counter(x.split()[0] for x in loop)
    return [f"{', '.join(said)}\n  the loop: {dict(kinds)}"] if said else []


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if not shutil.which(COMPILER):
        print(f"skipped: {COMPILER} is missing")
        sys.exit(SKIPPED)
    failed, compiled = 0, {}
    with tempfile.TemporaryDirectory() as folder:
        model, source, output = (pathlib.Path(folder, name) for name in ("f.fx", "f.c", "f.s"))
        for case in CASES:
            for level in LEVELS:
                if (case.text, level) not in compiled:
                    model.write_text(case.text + "\n")
                    subprocess.run([sys.argv[1], model, "-o", source], check=True)
                    subprocess.run([COMPILER, level, *FLAGS, source, "-o", output], check=True)
                    compiled[case.text, level] = output.read_text()
                for fault in faults(case, compiled[case.text, level]):
                    failed += 1
                    print(f"FAIL {case.name}, {level}: {fault}")
    print(f"{len(CASES) * len(LEVELS) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
