#!/usr/bin/env python3
"""Trains examples/char_model.fx by examples/char_model.c: the loss falls, and is, to within
TOLERANCE, that of PyTorch 1.13 from the same start, as examples/char_model_torch.py prints it.

    python3 tests/char_model.py CHAR_MODEL
"""
import csv
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
TOLERANCE = 5e-6  # relative; losses are f32 and printed with 7 digits


def losses(lines):
    return [float(row["loss"]) for row in csv.DictReader(lines)]


def main():
    wanted = losses((ROOT / "tests/reference/char_model.csv").read_text().splitlines())
    arguments = [ROOT / "examples/char_model.fx", ROOT / "examples/char_model.txt", len(wanted)]
    got = losses(subprocess.run([sys.argv[1], *map(str, arguments)], stdout=subprocess.PIPE,
                                text=True, check=True).stdout.splitlines())
    wrong = [f"step {step}: {a}, PyTorch {b}" for step, (a, b) in enumerate(zip(got, wanted), 1)
             if not abs(a - b) <= TOLERANCE * b]
    if len(got) != len(wanted):
        wrong.append(f"{len(got)} steps, not {len(wanted)}")
    elif not got[-1] < 0.75 * got[0]:
        wrong.append(f"the loss falls from {got[0]} to {got[-1]} only")
    print("\n".join(wrong) or f"{len(got)} steps: {got[0]} to {got[-1]}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
