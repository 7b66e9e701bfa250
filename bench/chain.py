#!/usr/bin/env python3
"""Where a pointwise kernel turns from memory-bound to compute-bound on the CPU: a chain of 1 to 512
operations, and cos(cos(x)) in one kernel and in two, measured beside the bounds of their rooflines, for
figures that `fusec bench --calibrate` measures first. Writes bench/results/cpu_chain.md and
docs/cpu_chain.svg (by gnuplot).

    python3 bench/cpu_chain.py build/release/fusec [--threads 1] [--rounds 3] [--elements 1048576]

Each time is the least of all launches of several runs, taken in turns: of long kernels, a busy machine
shows too long ones.
"""
import argparse
import datetime
import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
LENGTHS = [2 ** i for i in range(10)]
CALIBRATIONS = 3


def chain(length):
    """Multiplications and additions in turns, of which each two are one instruction."""
    lines = ["fn f[N](x: f32[N]) -> (y: f32[N]) {"]
    value = "x"
    for i in range(length):
        lines.append(f"    a{i} = {value} {'+ 0.001' if i % 2 else '* 0.999'};")
        value = f"a{i}"
    return "\n".join([*lines, f"    y = {value};", "}", ""])


class Bench:
    def __init__(self, options, folder):
        self.fusec, self.folder, self.options = options.fusec.resolve(), folder, options
        self.machine = folder / "machine.json"
        self.calibrate()

    def calibrate(self):
        """The best rates of several runs."""
        runs = [json.loads(self.run("bench", "--calibrate", *self.here())) for _ in range(CALIBRATIONS)]
        best = runs[0]
        best["bytes_per_s"] = max(run["bytes_per_s"] for run in runs)
        for unit in best["operations_per_s"]:
            best["operations_per_s"][unit] = max(run["operations_per_s"][unit] for run in runs)
        self.machine.write_text(json.dumps(best))

    def here(self):
        return "--device=cpu", f"--threads={self.options.threads}", "--cache=off", "--repeat=30"

    def run(self, *words):
        return subprocess.run([self.fusec, *words], cwd=self.folder, text=True, check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout

    def model(self, text):
        path = self.folder / "m.fx"
        path.write_text(text)
        return str(path), "-D", f"N={self.options.elements}"

    def measured(self, text, *flags):
        """Microseconds of all kernels together."""
        found = json.loads(self.run("bench", *self.model(text), *self.here(), "--json", *flags))
        return found["functions"][0]["whole"]["least_us"]

    def predicted(self, text, *flags):
        found = json.loads(self.run(*self.model(text), "--target=c", "--machine", str(self.machine),
                                    "--emit=plan", "--json", *flags))
        return found["functions"][0]["roofline"]


def draw(rows, path):
    data = "\n".join(f"{n} {r['lower_us']} {r['upper_us']} {us} {r['memory_us']} {r['math_us']}"
                     for n, r, us in rows)
    script = f"""$rows << END
{data}
END
set terminal svg size 800,520 background rgb 'white'
set logscale xy
set xlabel 'operations in the chain'
set ylabel 'microseconds'
set key top left
set grid
plot $rows using 1:2:3 with filledcurves linecolor rgb '#c8d8f0' title 'predicted, lower to upper bound', \\
     $rows using 1:5 with lines dashtype 2 linecolor 'black' title 'memory', \\
     $rows using 1:6 with lines dashtype 3 linecolor 'black' title 'arithmetic', \\
     $rows using 1:4 with linespoints pointtype 7 linecolor rgb '#c04000' title 'measured'
"""
    path.write_bytes(subprocess.run(["gnuplot"], input=script.encode(), check=True,
                                    stdout=subprocess.PIPE).stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fusec", type=pathlib.Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--elements", type=int, default=1 << 20)
    options = parser.parse_args()
    cos = "fn f[N](x: f32[N]) -> (y: f32[N]) { y = cos(cos(x)); }\n"
    cases = {n: (chain(n), ()) for n in LENGTHS}
    cases |= {"cos(cos(x)), one kernel": (cos, ()), "cos(cos(x)), two kernels": (cos, ("-O0",))}
    with tempfile.TemporaryDirectory() as folder:
        b = Bench(options, pathlib.Path(folder))
        times = {name: [] for name in cases}
        for _ in range(options.rounds):
            for name, (text, flags) in cases.items():
                times[name].append(b.measured(text, *flags))
        rows = [(name, b.predicted(text, *flags), min(times[name]))
                for name, (text, flags) in cases.items()]
        machine = json.loads(b.machine.read_text())
    draw([row for row in rows if isinstance(row[0], int)], ROOT / "docs/cpu_chain.svg")
    rates = machine["operations_per_s"]
    out = [f"# Chains of operations on the CPU\n\n{datetime.date.today()}, {machine['name']}, "
           f"{options.threads} thread{'s' if options.threads > 1 else ''}, {options.elements} elements "
           f"of f32, least of 30 launches in each of {options.rounds} runs: `python3 bench/cpu_chain.py`. Figures by "
           f"`fusec bench --calibrate`: a copy {machine['bytes_per_s'] / 1e9:.1f} GB/s, f32 "
           f"{rates['f32'] / 1e9:.0f} Gop/s, special functions {rates['special'] / 1e9:.1f} Gop/s.\n",
           "| operations | predicted, us | bound by | measured, us | of the lower bound |",
           "|---|---:|---|---:|---:|"]
    for name, r, us in rows:
        out.append(f"| {name} | {r['lower_us']:.0f} to {r['upper_us']:.0f} | {r['bound']} | {us:.0f} | "
                   f"{us / r['lower_us']:.2f} |")
    (ROOT / "bench/results/cpu_chain.md").write_text("\n".join(out) + "\n")
    print("\n".join(out))


if __name__ == "__main__":
    main()
