#!/usr/bin/env python3
"""Runs fusec explain --resources, and -o x.sass, which compile with NVRTC and need no GPU. A program stands in for
nvdisasm. Exit 77 where there is no NVRTC.

    python3 tests/resources.py FUSEC
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MODEL = "fn soft[N](x: f32[N, 512]) -> (y: f32[N, 512]) {\n    y = softmax(x);\n}\n"
# Machine code, and no options that the real one does not have; the instructions of every line.
NVDISASM = """#!/bin/sh
[ "$1 $2" = "--print-code --print-line-info" ] && grep -q soft_0 "$3" || exit 1
for line in $(seq 1 400); do echo "	//## File \\"soft.cu\\", line $line"; echo "    /*0000*/ FADD ;"; done
"""


def run(*words, **environment):
    return subprocess.run(words, capture_output=True, text=True, env={**os.environ, **environment})


def check_resources(fusec, model):
    result = run(fusec, "explain", "--resources", "--arch=sm_80", model)
    if "NVRTC is not installed" in result.stderr:
        print(result.stderr)
        sys.exit(77)
    head, line = result.stdout.splitlines()
    name, registers, local, shared, dynamic, threads, blocks, occupancy = line.split()[:8]
    print(result.stdout)
    return (head.split()[0] == "kernel" and name == "soft_0" and 16 <= int(registers) <= 255 and
            not int(local) and not int(dynamic) and int(threads) % 32 == 0 and int(blocks) >= 1 and
            0 < int(occupancy) <= 100 and int(shared) >= 0)


def check_sass(fusec, model):
    """Lines of the source and of the model stand before their instructions."""
    tool = model.parent / "bin" / "nvdisasm"
    tool.parent.mkdir()
    tool.write_text(NVDISASM)
    tool.chmod(0o755)
    sass = model.with_suffix(".sass")
    result = run(fusec, model, "--arch=sm_80", "-o", sass, CUDA_HOME=str(model.parent))
    print(result.stderr)
    text = sass.read_text() if sass.exists() else ""
    emitted = re.findall(r"// model.cu:\d+: (.*)\n", text)
    places = re.findall(r"// \S*model.fx:2: y = softmax\(x\);\n +// model.cu:\d+: (.*)\n", text)
    return (text.count("FADD") == 400 and len(emitted) > 100 and "//@AT" not in text and
            any(re.match(r"const float sub_\d+ = ", line) or "exp" in line for line in places))


def check_no_tool(fusec, model):
    result = run(fusec, model, "--arch=sm_80", "-o", model.with_suffix(".none.sass"), CUDA_HOME="/nowhere",
                 CUDA_PATH="", PATH="")
    print(result.stderr)
    return result.returncode == 3 and "nvdisasm is not installed, and cuobjdump is not installed" in result.stderr


def main():
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder, "model.fx")
        model.write_text(MODEL)
        checks = check_resources, check_sass, check_no_tool
        failed = [check.__name__ for check in checks if not check(sys.argv[1], model)]
    print("failed:", *failed)
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
