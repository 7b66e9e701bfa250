#!/usr/bin/env python3
"""How far the expected times of kernels are from measured ones: every example, and the workloads of
scripts/gpu-suite, on the CPU or a GPU. Writes bench/results/prediction_DEVICE.md.

    python3 bench/prediction.py FUSEC [--device cpu] [--threads 1] [--jobs 1] [--seconds S] [--out FILE] [NAME..]

FUSEC is the command; NAMEs select some of the models. `fusec bench --json` gives both times. Measured are medians
on a GPU and the least times on a CPU, which other programs use, too. On a CPU the dims of the suite are
halved, the largest first, until 50 ms are expected. Before it measures, --jobs processes compile all models
at once, into the cache. --seconds: what is not measured by then is left out, and counted.
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

MOST_US, LEAST_SIZE, FAR = 50e3, 128, 2


def flags_of(dims):
    return [x for name, size in dims.items() for x in ("-D", f"{name}={size}")]


class Run:
    def __init__(self, options):
        self.o, self.fusec = options, str(options.fusec.resolve())
        self.device, self.rows, self.failed = "", [], []
        self.end = time.monotonic() + options.seconds

    def call(self, *words):
        return subprocess.run([self.fusec, *map(str, words)], capture_output=True, text=True, cwd=ROOT)

    def fit(self, path, dims):
        """Sizes for a CPU."""
        dims = dict(dims)
        while True:
            found = self.call(path, *flags_of(dims), "--target=c", "--emit=plan", "--json")
            expected = json.loads(found.stdout)["functions"][0]["roofline"]["expected_us"]
            largest = max(dims, key=dims.get)
            if expected <= MOST_US or dims[largest] < 2 * LEAST_SIZE:
                return dims
            dims[largest] = (dims[largest] + 1) // 2

    def models(self):
        """Each: its name, its file, its sizes."""
        for path in sorted((ROOT / "examples").glob("*.fx")):
            sizes = re.findall(r"^// (?:try|small): (.*)$", path.read_text(), re.M)
            large = re.findall(r"^// try: (.*)$", path.read_text(), re.M)
            flags = (large or sizes)[0].split()
            yield f"examples/{path.name}", path, flags
        for w in WORKLOADS:
            dims = self.fit(w.path, w.large) if self.o.device == "cpu" else w.large
            yield w.name, w.path, flags_of(dims)

    def bench(self, path, flags, repeat):
        return self.call("bench", path, *flags, "--device", self.o.device, f"--threads={self.o.threads}",
                         f"--repeat={repeat}", "--json")

    def measure(self, name, path, flags):
        result = self.bench(path, flags, self.o.repeat)
        if result.returncode:
            self.failed.append(f"{name}: {result.stderr.strip().splitlines()[-1]}")
            return
        found = json.loads(result.stdout)
        self.device = found["device"] + (f", {found['threads']} threads" if found["threads"] > 1 else "")
        which = "median_us" if found["kind"] == "cuda" else "least_us"
        sizes = " ".join(flag for flag in flags if flag != "-D")
        for function in found["functions"]:
            for kernel in function["kernels"]:
                if kernel["expected_us"]:
                    self.rows.append((name, sizes, kernel["name"], kernel["expected_us"], kernel[which]))

    def all(self):
        models = [m for m in self.models() if not self.o.names or any(n in m[0] for n in self.o.names)]
        if self.o.jobs > 1:
            with ThreadPoolExecutor(self.o.jobs) as pool:
                list(pool.map(lambda m: self.bench(m[1], m[2], 1), models))
        for i, model in enumerate(models):
            if time.monotonic() > self.end:
                self.failed.append(f"no time for {len(models) - i} models, from {model[0]} on")
                break
            self.measure(*model)

    def table(self):
        errors = sorted((max(us / expected, expected / us), kernel) for _, _, kernel, expected, us in self.rows)
        factors = [error for error, _ in errors]
        far = sum(factor > FAR for factor in factors)
        lines = [f"# Expected and measured times: {self.device}\n",
                 f"{datetime.date.today()}, `python3 bench/prediction.py --device {self.o.device}`: "
                 f"{len(self.rows)} kernels. Off by a factor of {statistics.median(factors):.2f} in the median, "
                 f"{factors[int(0.9 * (len(factors) - 1))]:.2f} at the 90th percentile, {factors[-1]:.2f} at worst "
                 f"({errors[-1][1]}); {far} by more than {FAR}, marked `!`.\n",
                 "| model | sizes | kernel | expected, us | measured, us | measured / expected |",
                 "|---|---|---|---:|---:|---:|"]
        for name, sizes, kernel, expected, us in self.rows:
            mark = " !" if max(us / expected, expected / us) > FAR else ""
            lines.append(f"| {name} | {sizes} | {kernel} | {expected:.1f} | {us:.1f} | {us / expected:.2f}{mark} |")
        lines += ["", *(f"Not measured: {failure}\n" for failure in self.failed)] if self.failed else []
        return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fusec", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=1e6)
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    run = Run(options)
    run.all()
    place = "cpu" if options.device == "cpu" else run.device.split(" (")[0].split()[-1].lower()
    path = options.out or ROOT / f"bench/results/prediction_{place}.md"
    path.write_text(run.table())
    print(run.table())


if __name__ == "__main__":
    main()
