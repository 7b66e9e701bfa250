#!/usr/bin/env python3
"""Runs the examples on the inputs beside this file and compares with what NumPy said their outputs
are (make_references.py). Needs nothing but Python and fusec.

    python3 tests/reference/check_references.py FUSEC [NAME..]

An element passes when |got - expected| <= relative * |expected| + floor * max|expected|: a unit in
the last place of narrow types, rounding of sums in wide ones. NaN and the infinities, and integers,
must be equal.
"""
import math
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import safetensors  # noqa: E402

TOLERANCE = {  # relative, floor
    "f64": (1e-13, 1e-14), "f32": (4e-6, 1e-6), "f16": (2**-10, 2**-12), "bf16": (2**-7, 2**-9),
    "f8e4m3": (2**-3, 2**-6), "f8e5m2": (2**-2, 2**-5)}


def wrong_elements(dtype, got, expected):
    """Indices of the elements that differ."""
    if dtype not in TOLERANCE:
        return [i for i, (a, b) in enumerate(zip(got, expected)) if a != b]
    relative, floor = TOLERANCE[dtype]
    floor *= max((abs(x) for x in expected if math.isfinite(x)), default=0)

    def close(a, b):
        if not math.isfinite(a) or not math.isfinite(b):
            return a == b or a != a and b != b
        return abs(a - b) <= relative * abs(b) + floor

    return [i for i, (a, b) in enumerate(zip(got, expected)) if not close(a, b)]


def check(fusec, name):
    """A message, empty when all is well."""
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/out.safetensors"
        command = [fusec, "run", str(HERE.parents[1] / "examples" / f"{name}.fx"),
                   "--in", str(HERE / f"{name}.in.safetensors"), "--out", out]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            return f"exit status {run.returncode}: {' '.join(command)}\n{run.stderr}"
        got = safetensors.read(out)
    expected = safetensors.read(HERE / f"{name}.out.safetensors")
    if got.keys() != expected.keys():
        return f"outputs {', '.join(got)}; expected {', '.join(expected)}"
    for key, (dtype, shape, values) in expected.items():
        if got[key][:2] != (dtype, shape):
            return f"{key} is {got[key][0]}{list(got[key][1])}; expected {dtype}{list(shape)}"
        wrong = wrong_elements(dtype, got[key][2], values)
        if wrong:
            i = wrong[0]
            return (f"{key}: {len(wrong)} of {len(values)} elements differ, the first at {i}: "
                    f"{got[key][2][i]!r}, expected {values[i]!r}")
    return ""


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    fusec, names = sys.argv[1], sys.argv[2:]
    names = names or sorted(path.name.removesuffix(".in.safetensors")
                            for path in HERE.glob("*.in.safetensors"))
    failed = 0
    for name in names:
        message = check(fusec, name)
        failed += bool(message)
        if message:
            print(f"FAIL {name}: {message}")
    print(f"{len(names) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
