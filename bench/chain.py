#!/usr/bin/env python3
"""Where a pointwise kernel turns from memory-bound to compute-bound: a chain of 1 to 512 operations, and
cos(cos(x)) in one kernel and in two, measured beside the bounds of their rooflines. Writes
bench/results/NAME_chain.json, and from it NAME_chain.md and docs/NAME_chain.svg (by gnuplot, if it is installed).

    python3 bench/chain.py FUSEC [--threads 1] [--rounds 3] [--elements 1048576]
    python3 bench/chain.py FUSEC --device cuda --machine H200 [--elements 33554432]
    python3 bench/chain.py bench/results/NAME_chain.json

FUSEC is the command. The figures of the CPU are measured first, by `fusec bench --calibrate`; a GPU's are
those of --machine. Times are medians on a GPU; on the CPU each is the least of all launches of several runs,
taken in turns: of long kernels, a busy machine shows too long ones. The last form draws what was measured.
"""
import argparse
import datetime
import json
import pathlib
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
LENGTHS = [2 ** i for i in range(10)]
CALIBRATIONS = 3
COS = "fn f[N](x: f32[N]) -> (y: f32[N]) { y = cos(cos(x)); }\n"


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
        self.fusec, self.folder, self.o = options.fusec.resolve(), folder, options
        self.is_cpu = options.device == "cpu"
        self.machine = options.machine
        if self.is_cpu:
            self.machine = str(folder / "machine.json")
            pathlib.Path(self.machine).write_text(json.dumps(self.calibrate()))

    def calibrate(self):
        """The best rates of several runs."""
        runs = [json.loads(self.run("bench", "--calibrate", *self.here())) for _ in range(CALIBRATIONS)]
        best = runs[0]
        best["bytes_per_s"] = max(run["bytes_per_s"] for run in runs)
        for unit in best["operations_per_s"]:
            best["operations_per_s"][unit] = max(run["operations_per_s"][unit] for run in runs)
        return best

    def figures(self):
        if self.is_cpu:
            return json.loads(pathlib.Path(self.machine).read_text())
        return next(m for m in json.loads(self.run("machines", "--json"))["machines"]
                    if m["name"] == self.machine)

    def here(self):
        return f"--device={self.o.device}", f"--threads={self.o.threads}", "--cache=off", "--repeat=30"

    def run(self, *words):
        return subprocess.run([self.fusec, *words], cwd=self.folder, text=True, check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout

    def model(self, text):
        path = self.folder / "m.fx"
        path.write_text(text)
        return str(path), "-D", f"N={self.o.elements}"

    def measured(self, text, *flags):
        """Microseconds of all kernels together."""
        found = json.loads(self.run("bench", *self.model(text), *self.here(), "--json", *flags))
        self.device = found["device"]
        return found["functions"][0]["whole"]["least_us" if self.is_cpu else "median_us"]

    def predicted(self, text, *flags):
        target = "--target=c" if self.is_cpu else "--target=cuda"
        found = json.loads(self.run(*self.model(text), target, "--machine", self.machine,
                                    "--emit=plan", "--json", *flags))
        return found["functions"][0]["roofline"]


def measure(options):
    cases = {n: (chain(n), ()) for n in LENGTHS}
    cases |= {"cos(cos(x)), one kernel": (COS, ()), "cos(cos(x)), two kernels": (COS, ("-O0",))}
    with tempfile.TemporaryDirectory() as folder:
        b = Bench(options, pathlib.Path(folder))
        times = {name: [] for name in cases}
        for _ in range(options.rounds if b.is_cpu else 1):
            for name, (text, flags) in cases.items():
                times[name].append(b.measured(text, *flags))
        rows = []
        for name, (text, flags) in cases.items():
            r = b.predicted(text, *flags)
            rows.append({key: r[key] for key in ("lower_us", "upper_us", "memory_us", "math_us", "bound")}
                        | {"name": name, "us": min(times[name])})
        machine = b.figures()
    threads = f", {options.threads} thread{'s' if options.threads > 1 else ''}" if b.is_cpu else ""
    return {"date": datetime.date.today().isoformat(), "device": b.device + threads, "elements": options.elements,
            "command": "python3 bench/chain.py FUSEC" + ("" if b.is_cpu else
                                                         f" --device cuda --machine {options.machine}"),
            "figures": "fusec bench --calibrate" if b.is_cpu else "the data sheet",
            "bytes_per_s": machine["bytes_per_s"], "operations_per_s": machine["operations_per_s"], "rows": rows}


def chains(found):
    return [row for row in found["rows"] if isinstance(row["name"], int)]


def turn(rows):
    """The length from which arithmetic takes longer than memory, by the rates."""
    return rows[0]["memory_us"] / (rows[-1]["math_us"] / rows[-1]["name"])


def doubled(rows):
    """The length at which the measured time is twice that of the short ones."""
    level = 2 * min(row["us"] for row in rows[:4])
    for below, above in zip(rows, rows[1:]):
        if above["us"] >= level:
            share = (level - below["us"]) / (above["us"] - below["us"])
            return below["name"] + share * (above["name"] - below["name"])


def draw(found, path):
    rows = chains(found)
    data = "\n".join(f"{r['name']} {r['lower_us']} {r['upper_us']} {r['us']} {r['memory_us']} {r['math_us']}"
                     for r in rows)
    at = turn(rows)
    script = f"""$rows << END
{data}
END
set terminal svg size 800,520 noenhanced background rgb 'white'
set logscale xy
set xlabel 'operations in the chain'
set ylabel 'microseconds'
set title '{found["device"]}'
set key top left
set grid
set arrow from {at},graph 0 to {at},graph 1 nohead dashtype 2 linecolor rgb '#508050'
set label 'compute-bound from {at:.0f}' at {at},graph 0.04 offset 1,0
plot $rows using 1:2:3 with filledcurves linecolor rgb '#c8d8f0' title 'predicted, lower to upper bound', \\
     $rows using 1:5 with lines dashtype 2 linecolor 'black' title 'memory', \\
     $rows using 1:6 with lines dashtype 3 linecolor 'black' title 'arithmetic', \\
     $rows using 1:4 with linespoints pointtype 7 linecolor rgb '#c04000' title 'measured'
"""
    path.write_bytes(subprocess.run(["gnuplot"], input=script.encode(), check=True,
                                    stdout=subprocess.PIPE).stdout)


def table(found):
    rates, rows = found["operations_per_s"], chains(found)
    out = [f"# Chains of operations: {found['device']}\n",
           f"{found['date']}, {found['elements']} elements of f32: `{found['command']}`. Figures by "
           f"{found['figures']}: {found['bytes_per_s'] / 1e9:.1f} GB/s, f32 {rates['f32'] / 1e9:.0f} Gop/s, "
           f"special functions {rates['special'] / 1e9:.1f} Gop/s.\n",
           f"The chain is predicted to be compute-bound from {turn(rows):.0f} operations on, and to take twice as "
           f"long as a short one with {2 * turn(rows):.0f}. Measured, it does with {doubled(rows):.0f}.\n",
           "| operations | predicted, us | bound by | measured, us | of the lower bound |",
           "|---|---:|---|---:|---:|"]
    for r in found["rows"]:
        out.append(f"| {r['name']} | {r['lower_us']:.0f} to {r['upper_us']:.0f} | {r['bound']} | {r['us']:.0f} | "
                   f"{r['us'] / r['lower_us']:.2f} |")
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fusec", type=pathlib.Path)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--machine", default="H200")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--elements", type=int)
    options = parser.parse_args()
    options.elements = options.elements or (1 << 20 if options.device == "cpu" else 1 << 25)
    results = ROOT / "bench/results"
    if options.fusec.suffix == ".json":
        found, name = json.loads(options.fusec.read_text()), options.fusec.stem
    else:
        found = measure(options)
        name = ("cpu" if options.device == "cpu" else options.machine.lower()) + "_chain"
        (results / f"{name}.json").write_text(json.dumps(found, indent=1) + "\n")
    (results / f"{name}.md").write_text(table(found))
    if shutil.which("gnuplot"):
        draw(found, ROOT / f"docs/{name}.svg")
    print(table(found))


if __name__ == "__main__":
    main()
