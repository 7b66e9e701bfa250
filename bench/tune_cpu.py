#!/usr/bin/env python3
"""Default tiles against tuned ones on the CPU: `fusec tune` on kernels of every family. The two times of
a row are of one interleaved run, the last thing that a tuning does. Writes bench/results/tune_cpu.md,
up to its line "Defaults that were mended".

    python3 bench/tune_cpu.py build/release/fusec [--threads 1] [--budget 20] [NAME..]

Takes about the budget for each row, 20 s, and 5 s more: 3 minutes with --budget 12.
"""
import argparse
import datetime
import json
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PRODUCT = "fn f[M, N, K](a: {t}[M, K], b: {t}[K, N]) -> (c: {t}[M, N]) {{ c = a @ b; }}"
ATTENTION = """fn f[B, S, D](q: f32[B, S, D], k: f32[B, S, D], v: f32[B, S, D]) -> (y: f32[B, S, D]) {
    w = softmax(q @ k.T * 0.125, axis = -1);
    y = w @ v;
}"""
SOFTMAX = "fn f[N, D](x: f32[N, D]) -> (y: f32[N, D]) { y = softmax(x, axis = -1); }"
LAYER_NORM = """fn f[N, D](x: f32[N, D], g: f32[D], b: f32[D]) -> (y: f32[N, D]) {
    c = x - mean(x, keep = true);
    y = c * rsqrt(mean(c * c, keep = true) + 1e-5) * g + b;
}"""
CASES = {
    "sgemm, square": (PRODUCT.format(t="f32"), "M=768 N=768 K=768"),
    "sgemm, skinny": (PRODUCT.format(t="f32"), "M=16 N=2048 K=2048"),
    "sgemm, short K": (PRODUCT.format(t="f32"), "M=2048 N=2048 K=24"),
    "bf16 product": (PRODUCT.format(t="bf16"), "M=512 N=512 K=1024"),
    "geglu": ((ROOT / "examples/geglu.fx").read_text(), "N=128 D=256"),
    "softmax, short rows": (SOFTMAX, "N=32768 D=64"),
    "softmax, long rows": (SOFTMAX, "N=64 D=65536"),
    "layer norm": (LAYER_NORM, "N=4096 D=1024"),
    "attention": (ATTENTION, "B=4 S=512 D=64"),
    "transpose": ("fn f[M, N](x: f32[M, N]) -> (y: f32[N, M]) { y = x.T; }", "M=2048 N=2048"),
    "column sum": ("fn f[M, N](x: f32[M, N]) -> (y: f32[N]) { y = sum(x, axis = 0); }",
                   "M=4096 N=1024"),
}


def run(fusec, words, folder):
    env = dict(os.environ, FUSEC_CACHE_DIR=str(folder / "cache"))
    result = subprocess.run([fusec, *words], cwd=folder, env=env, text=True, check=True,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(result.stdout)


def row(fusec, name, options):
    text, dims = CASES[name]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "m.fx").write_text(text)
        words = ["m.fx", "--device=cpu", f"--threads={options.threads}", "--json"]
        for dim in dims.split():
            words += ["-D", dim]
        tuned = run(fusec, ["tune", *words, f"--budget={options.budget}s"], folder)
        least = run(fusec, ["bench", *words, "--repeat=3", "--tuning=never"], folder)
    f = tuned["functions"][0]
    whole = least["functions"][0]["whole"]
    changed = [kernel for kernel in f["kernels"] if f["kept"] and kernel["tile"] != kernel["default_tile"]]
    what = "another partition" if f["kept"] else "default kept"
    if changed:
        old = dict(pair.split("=") for pair in changed[0]["default_tile"].split(","))
        new = dict(pair.split("=") for pair in changed[0]["tile"].split(","))
        what = ", ".join(f"{key}={value} (was {old.get(key)})" for key, value in new.items()
                         if old.get(key) != value)
    print(f"{name}: {f['default_us']:.0f} us, {f['tuned_us']:.0f} us: {what}", flush=True)
    part = f"{whole['least_us'] / f['tuned_us']:.2f}" if whole["least_us"] else ""
    return tuned["device"], (f"| {name} | {dims} | {f['default_us']:.1f} | {f['tuned_us']:.1f} "
                             f"| {f['default_us'] / f['tuned_us']:.2f} | {part} "
                             f"| {len(f['trials'])} | {f['seconds']:.0f} | {what} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fusec")
    parser.add_argument("names", nargs="*", help=f"of {', '.join(CASES)}")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--budget", type=int, default=20, help="seconds for each row")
    options = parser.parse_intermixed_args()
    fusec = str(pathlib.Path(options.fusec).resolve())
    rows = [row(fusec, name, options) for name in options.names or CASES]
    load = pathlib.Path("/proc/loadavg").read_text().strip()
    text = f"""# Default tiles against tuned ones on a CPU

{datetime.date.today()}, {rows[0][0]}, {options.threads} thread(s), `python3 bench/tune_cpu.py
build/release/fusec --threads {options.threads} --budget {options.budget}`. Default and tuned take turns in one run;
times are first quartiles, in µs, of launches on buffers that are in no cache. `of peak`: the time at the
measured peak rates of the machine divided by that of the tuned kernel. Load at the end: {load}.

| kernel | sizes | default | tuned | times | of peak | tiles tried | s | tuned tile |
|---|---|---:|---:|---:|---:|---:|---:|---|
"""
    text += "\n".join(line for _, line in rows) + """

Rows gain by streaming stores where an output is in no cache, as here: the default streams outputs from half
of L3 on, since what reads a smaller one next may find it in a cache.
"""
    result = ROOT / "bench/results/tune_cpu.md"
    if not options.names:  # what is written by hand stays
        result.write_text(text + "".join(result.read_text().partition("\nDefaults that were mended")[1:]))
    print(text)


if __name__ == "__main__":
    main()
