#!/usr/bin/env python3
"""Runs fusec short of memory and of disk space: every allocation fails once, and files may grow to
certain sizes only. Either nothing is missed, or the exit status is 3, a message says what was refused,
and no part of a file is left.

    python3 tests/shortage/shortage.py FUSEC_SHORT    fusec with malloc.c around it
"""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1])]
import safetensors  # noqa: E402

MODEL = """
const root = 1.0 / sqrt(2.0);
fn scaled[N](x: f32[N]) -> (y: f32[N]) { y = exp(x) * root; }
@constant(w)
fn f[N, D](x: f32[N, D], w: bf16[D, 3]) -> (y: f32[N, 3], z: f32[N, 3]) {
    y = softmax(x @ w);
    z = scaled(sum(x))[:, None] + y;
}
"""
LONG = "fn f[N](x: f32[N]) -> (y: f32[N]) { y = exp(x) + 1; }\n"
RUN = ["run", "f.fx", "--device=cpu", "--threads=1", "-D", "N=3"]
COMMANDS = (["f.fx", "-o", "out.c"], ["f.fx", "--target=cuda", "-o", "out.cu"],
            ["f.fx", "--target=json", "-o", "out.json"], ["report", "f.fx", "-o", "out.html"],
            ["explain", "f.fx"], ["fmt", "-"],
            [*RUN, "-D", "D=5", "--check", "--out", "out.safetensors"],
            [*RUN, "--in", "in.safetensors", "--out", "out.safetensors"],
            ["run", "long.fx", "--device=cpu", "--in", "x.npy", "--out", "out.npy"],
            ["run", "long.fx", "--against", "y.npy", "--in", "x.npy"])

# A C compiler that compiles once, and then gives what it made of that name the first time, a little
# later: when its folder is gone by then, nobody waited for it.
COMPILER = """#!/bin/sh
for word; do [ "$before" = -o ] && out=$word; before=$word; done
made="$0.made.${out##*/}"
if [ -e "$made" ]; then
    sleep 0.02
    cp "$made" "$out" || touch "$0.alone"
    exit
fi
cc "$@" && cp "$out" "$made"
"""


def run(fusec, arguments, folder, fail_at=None, file_size=None):
    """(status, standard output, standard error, bytes of the file that is named last or None)"""
    environment = dict(os.environ, CC=str(folder.parent / "cc"), TMPDIR=str(folder),
                       FUSEC_COUNT_IN=str(folder / "count"), FUSEC_FAIL_AT=str(fail_at or 0))

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))
    result = subprocess.run([fusec, *arguments], cwd=folder, capture_output=True, text=True,
                            input=MODEL, env=environment, restore_signals=False, timeout=120,
                            preexec_fn=limit if file_size is not None else None)
    out = folder / arguments[-1]
    made = out.read_bytes() if out.name.startswith("out.") and out.exists() else None
    return result.returncode, result.stdout, result.stderr, made


def write_files(folder):
    (folder / "f.fx").write_text(MODEL)
    (folder / "long.fx").write_text(LONG)
    safetensors.write(folder / "in.safetensors", {"x": ("f32", [3, 5], [0.5] * 15),
                                                  "w": ("bf16", [5, 3], [0.25] * 15)})


def write_arrays(fusec, folder):
    """x.npy and y.npy: what LONG makes, of what it makes."""
    run(fusec, ["run", "long.fx", "--device=cpu", "-D", "N=200000", "--out", "x.npy"], folder)
    run(fusec, ["run", "long.fx", "--device=cpu", "--in", "x.npy", "--out", "y.npy"], folder)


def attempt(fusec, arguments, folder, want, **short):
    """What is wrong with one run; empty when nothing is."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as work:
        work = pathlib.Path(work)
        for path in folder.iterdir():
            (work / path.name).hardlink_to(path)
        before = {path.name for path in work.iterdir()} | {"count"}
        status, out, err, made = run(fusec, arguments, work, **short)
        left = {path.name for path in work.iterdir()} - before - {arguments[-1]}
    if left:
        return f"left behind: {' '.join(left)}"
    if status == 3 and "error:" in err and made is None:
        return ""
    if status == want[0] and (out, made) == (want[1], want[3]):
        return ""
    return f"exit status {status}, {'a' if made else 'no'} file\n{err[-2000:]}"


def sweep(fusec, arguments, base):
    """Messages of all runs that went wrong, and how many there were."""
    folder = base / "files"
    folder.mkdir()
    (base / "cc").write_text(COMPILER)
    (base / "cc").chmod(0o755)
    write_files(folder)
    write_arrays(fusec, folder)
    for made in base.glob("cc.made.*"):
        made.unlink()
    want = run(fusec, arguments, folder)
    count = int((folder / "count").read_text())
    for name in ("count", arguments[-1] if want[3] is not None else "count"):
        (folder / name).unlink(missing_ok=True)
    shortages = [{"fail_at": i + 1} for i in range(count)]
    if want[3] is not None:
        shortages += [{"file_size": n} for n in (0, 1, 1000, len(want[3]) - 1)]
    with ThreadPoolExecutor(2) as pool:
        wrong = pool.map(lambda short: (short, attempt(fusec, arguments, folder, want, **short)),
                         shortages)
    messages = [f"{short}: {message}" for short, message in wrong if message]
    if (base / "cc.alone").exists():
        messages.append("a compiler still ran when its folder was removed")
    return messages, len(shortages) + 1


def main():
    fusec = str(pathlib.Path(sys.argv[1]).resolve())
    passed = failed = 0
    for arguments in COMMANDS:
        with tempfile.TemporaryDirectory() as base:
            wrong, count = sweep(fusec, arguments, pathlib.Path(base))
        for message in wrong:
            print(f"FAIL fusec {' '.join(arguments)}: {message}")
        passed, failed = passed + count - len(wrong), failed + len(wrong)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
