#!/usr/bin/env python3
"""Runs fusec explain --resources, which compiles with NVRTC and needs no GPU. Exit 77 where there is none.

    python3 tests/resources.py FUSEC
"""
import pathlib
import subprocess
import sys
import tempfile

MODEL = "fn soft[N](x: f32[N, 512]) -> (y: f32[N, 512]) { y = softmax(x); }\n"


def main():
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder, "model.fx")
        model.write_text(MODEL)
        result = subprocess.run([sys.argv[1], "explain", "--resources", "--arch=sm_80", model],
                                capture_output=True, text=True)
    if "NVRTC is not installed" in result.stderr:
        print(result.stderr)
        sys.exit(77)
    head, line = result.stdout.splitlines()
    name, registers, local, shared, dynamic, threads, blocks, occupancy = line.split()[:8]
    wrong = (head.split()[0] != "kernel" or name != "soft_0" or not 16 <= int(registers) <= 255 or
             int(local) or int(dynamic) or int(threads) % 32 or int(blocks) < 1 or
             not 0 < int(occupancy) <= 100 or int(shared) < 0)
    print(result.stdout)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
