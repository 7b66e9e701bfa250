#!/usr/bin/env python3
"""Interrupts fusec at many moments: afterwards there is a complete file or none, and the folder for
temporary files is empty. Also fails if a command was never interrupted in time.

    python3 tests/interrupt.py FUSEC [--count 12]
"""
import argparse
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

MODEL = "fn f[N](x: f32[N]) -> (y: f32[N]) { y = exp(x) + 1; }\n"
COMMANDS = (["m.fx", "-o", "out.so"],
            ["run", "m.fx", "-D", "N=300000", "--repeat", "20", "--check", "--out", "out.npy"])


def interrupted(fusec, arguments, delay, folder):
    """What is wrong after an interrupt `delay` seconds into a run; and whether it came in time."""
    work, scratch = folder / "work", folder / "scratch"
    work.mkdir()
    scratch.mkdir()
    (work / "m.fx").write_text(MODEL)
    process = subprocess.Popen([fusec, *arguments], cwd=work, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True,
                               env=dict(os.environ, TMPDIR=str(scratch)))
    time.sleep(delay)
    in_time = process.poll() is None
    if in_time:
        os.killpg(process.pid, signal.SIGINT)
    status = process.wait(60)
    left = [path.name for path in scratch.iterdir()]
    left += [path.name for path in work.iterdir() if path.name not in ("m.fx", arguments[-1])]
    if left:
        return f"left behind: {' '.join(left)}", in_time
    out = work / arguments[-1]
    whole = whole_size(fusec, arguments, folder)
    if out.exists() and out.stat().st_size != whole:
        return f"{out.name} has {out.stat().st_size} bytes of {whole}", in_time
    if in_time and status not in (-signal.SIGINT, 0):
        return f"exit status {status}", in_time
    return "", in_time


def whole_size(fusec, arguments, folder):
    work = folder / "whole"
    work.mkdir(exist_ok=True)
    (work / "m.fx").write_text(MODEL)
    subprocess.run([fusec, *arguments], cwd=work, check=True, capture_output=True)
    return (work / arguments[-1]).stat().st_size


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fusec")
    parser.add_argument("--count", type=int, default=12)
    options = parser.parse_args()
    fusec = str(pathlib.Path(options.fusec).resolve())
    failed = passed = late = 0
    for arguments in COMMANDS:
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            whole_size(fusec, arguments, pathlib.Path(folder))
            duration = time.perf_counter() - start
        interrupts = 0
        for i in range(options.count):
            with tempfile.TemporaryDirectory() as folder:
                delay = duration * (i + 0.5) / options.count
                message, in_time = interrupted(fusec, arguments, delay, pathlib.Path(folder))
            late += not in_time
            interrupts += in_time
            failed += bool(message)
            passed += not message
            if message:
                print(f"FAIL after {delay:.3f} s of fusec {' '.join(arguments)}: {message}")
        failed += not interrupts
        if not interrupts:
            print(f"FAIL no signal came before the end of fusec {' '.join(arguments)}")
    print(f"{passed} passed, {failed} failed, {late} of them after the end")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
