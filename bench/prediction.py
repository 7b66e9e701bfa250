#!/usr/bin/env python3
"""How far the expected times of kernels are from measured ones: every example, and the workloads of
scripts/gpu-suite, on the CPU or a GPU. Writes bench/results/prediction_NAME.md.

    python3 bench/prediction.py FUSEC [--threads 1] [MODEL..]
    python3 bench/prediction.py FUSEC --device cuda [--jobs 12] [--seconds 90] [--save FILE.json] [MODEL..]
    python3 bench/prediction.py FUSEC [--machine H200] --measured FILE.json..

FUSEC is the command; MODELs are parts of names, which select some. `fusec bench --json` measures: medians on a
GPU; on a CPU, which other programs use too, the least times, for dims that are halved until 5 ms are expected,
the largest first. --jobs processes compile all models first, into the cache, for half of --seconds at
most; what has no time is left out, and counted. The last form takes times that were measured before, by --save
or by scripts/gpu-suite (bench/results/h200.json), and what the plan for the machine expects now, if one is given.
"""
import argparse
import datetime
import json
import pathlib
import re
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "bench" / "gpu")]
from workloads import WORKLOADS  # noqa: E402

MOST_US, LEAST_SIZE, FAR = 5e3, 128, 2


def flags_of(dims):
    return [x for name, size in dims.items() for x in ("-D", f"{name}={size}")]


def dims_of(flags):
    """Of "-D N=1 -D M=2"."""
    return {name: int(size) for name, size in re.findall(r"(\w+)=(\d+)", flags)}


class Run:
    def __init__(self, options):
        self.o, self.fusec = options, str(options.fusec.resolve())
        self.device, self.is_gpu, self.measured, self.failed = "", True, [], []
        self.start = time.monotonic()

    def call(self, *words, seconds=None):
        """Its output as JSON; None when it failed."""
        try:
            result = subprocess.run([self.fusec, *map(str, words)], capture_output=True, text=True, cwd=ROOT,
                                    timeout=seconds)
        except subprocess.TimeoutExpired:
            return None
        return json.loads(result.stdout) if result.returncode == 0 else None

    # ---- what to measure --------------------------------------------------------------------

    def fit(self, path, given):
        """Sizes for a CPU."""
        dims = dict(given)
        while True:
            plan = self.call(path, *flags_of(dims), "--target=c", "--emit=plan", "--json")
            if not plan:
                return given
            largest = max(dims, key=dims.get)
            if plan["functions"][0]["roofline"]["expected_us"] <= MOST_US or dims[largest] < 2 * LEAST_SIZE:
                return dims
            given = dict(dims)
            dims[largest] = (dims[largest] + 1) // 2

    def models(self):
        """Each: its name, its file, its sizes."""
        for path in sorted((ROOT / "examples").glob("*.fx")):
            large = re.findall(r"^// try: (.*)$", path.read_text(), re.M)
            small = re.findall(r"^// small: (.*)$", path.read_text(), re.M)
            yield f"examples/{path.name}", path, dims_of((large or small)[0])
        for w in WORKLOADS:
            yield w.name, w.path, w.large

    def selected(self):
        return [m for m in self.models() if not self.o.models or any(part in m[0] for part in self.o.models)]

    # ---- measuring --------------------------------------------------------------------------

    def left(self, share=1.0):
        return self.start + share * self.o.seconds - time.monotonic()

    def bench(self, path, dims, repeat, seconds=None):
        return self.call("bench", path, *flags_of(dims), "--device", self.o.device, f"--threads={self.o.threads}",
                         f"--repeat={repeat}", "--json", seconds=seconds)

    def compile(self, model):
        if self.left(0.5) > 1:
            self.bench(model[1], model[2], 1, self.left(0.5))

    def measure(self, name, path, dims):
        if self.o.device == "cpu":
            dims = self.fit(path, dims)
        found = self.bench(path, dims, self.o.repeat, max(self.left(), 1))
        if not found:
            self.failed.append(name)
            return
        self.device = found["device"] + (f", {found['threads']} threads" if found["threads"] > 1 else "")
        for function in found["functions"]:
            self.measured.append({"name": name, "dims": dims, "fusec": function})

    def measure_all(self):
        models = self.selected()
        if self.o.jobs > 1:
            with ThreadPoolExecutor(self.o.jobs) as pool:
                list(pool.map(self.compile, models))
        for model in models:
            self.measure(*model)
        self.is_gpu = self.o.device == "cuda"
        if self.o.save:
            saved = {"device": self.device, "workloads": self.measured}
            self.o.save.write_text(json.dumps(saved, indent=1) + "\n")

    def read(self, paths):
        for path in paths:
            found = json.loads(path.read_text())
            self.device = found["device"]
            self.is_gpu = "NVIDIA" in self.device
            self.measured += found["workloads"]

    # ---- what was expected ------------------------------------------------------------------

    def expect(self, paths):
        """Puts what the plan for the machine expects in place of what was expected when it was measured."""
        for m in self.measured:
            plan = self.call(paths[m["name"]], *flags_of(m["dims"]), "--machine", self.o.machine, "--emit=plan",
                             "--json")
            functions = {f["name"]: f["kernels"] for f in plan["functions"]}
            kernels = {k["name"]: k["roofline"]["expected_us"] for k in functions.get(m["fusec"]["name"], [])}
            if set(kernels) != {kernel["name"] for kernel in m["fusec"]["kernels"]}:
                self.failed.append(f"{m['name']} (it has other kernels by now)")
            for kernel in m["fusec"]["kernels"]:
                kernel["expected_us"] = kernels.get(kernel["name"])

    def rows(self):
        which = "median_us" if self.is_gpu else "least_us"
        for m in self.measured:
            for kernel in m["fusec"]["kernels"]:
                if kernel["expected_us"]:
                    yield m, kernel["name"], kernel["expected_us"], kernel[which]

    def table(self):
        rows = list(self.rows())
        errors = sorted((max(us / expected, expected / us), kernel) for _, kernel, expected, us in rows)
        factors = [error for error, _ in errors]
        how = " ".join(["--machine", self.o.machine, "--measured", *(path.name for path in self.o.measured)]
                       if self.o.machine else ["--device", "cuda" if self.is_gpu else "cpu"])
        lines = [f"# Expected and measured times: {self.device}\n",
                 f"{datetime.date.today()}, `python3 bench/prediction.py FUSEC {how}`: {len(rows)} kernels of "
                 f"{len(self.measured)} functions. Off by a factor of {statistics.median(factors):.2f} in the median, "
                 f"{factors[int(0.9 * (len(factors) - 1))]:.2f} at the 90th percentile, {factors[-1]:.2f} at worst "
                 f"({errors[-1][1]}); {sum(factor > FAR for factor in factors)} by more than {FAR}, marked `!`.\n",
                 "| model | sizes | kernel | expected, us | measured, us | measured / expected |",
                 "|---|---|---|---:|---:|---:|"]
        for m, kernel, expected, us in rows:
            sizes = " ".join(f"{name}={size}" for name, size in m["dims"].items())
            mark = " !" if max(us / expected, expected / us) > FAR else ""
            lines.append(f"| {m['name']} | {sizes} | {kernel} | {expected:.1f} | {us:.1f} | {us / expected:.2f}{mark} |")
        if self.failed:
            lines.append(f"\nNot measured: {', '.join(self.failed)}.")
        return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fusec", type=pathlib.Path)
    parser.add_argument("models", nargs="*")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=1e5)
    parser.add_argument("--save", type=pathlib.Path)
    parser.add_argument("--machine")
    parser.add_argument("--measured", type=pathlib.Path, nargs="*", default=[])
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    run = Run(options)
    if options.measured:
        run.read(options.measured)
        if options.machine:
            run.expect({name: path for name, path, _ in run.models()})
    else:
        run.measure_all()
    name = "cpu" if not run.is_gpu else run.device.split(" (")[0].split()[-1].lower()
    text = run.table()
    (options.out or ROOT / f"bench/results/prediction_{name}.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
