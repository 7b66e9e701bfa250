#!/usr/bin/env python3
"""Runs fusec bench on the CPU and checks its output, except the times.

    python3 tests/bench.py FUSEC
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MODEL = """
fn norm[N, D](x: bf16[N, D]) -> (y: bf16[N, D]) {
    y = x * rsqrt(mean(x * x, keep = true) + 1e-6);
}
fn project[N, D](x: f32[N, D], w: f32[D, 2 * D]) -> (y: f32[N, 2 * D], most: f32[2 * D]) {
    y = x @ w;
    most = max(y, axis = 0);
}
"""
DIMS = {"N": 33, "D": 48}


class Failure(Exception):
    pass


def expect(condition, what):
    if not condition:
        raise Failure(what)


def bench(fusec, model, *flags):
    dims = [x for name, n in DIMS.items() for x in ("-D", f"{name}={n}")]
    result = subprocess.run([fusec, "bench", model, "--device=cpu", "--repeat=3", *dims, *flags],
                            capture_output=True, text=True)
    expect(result.returncode == 0, f"exit status {result.returncode}\n{result.stderr}")
    return result.stdout


def check_row(row):
    expect(0 < row["least_us"] <= row["median_us"], f"times: {row}")
    expect(row["rounds"] == 3 and row["launches"] >= 1, f"rounds: {row}")
    expect(abs(row["gb_s"] - 1e-3 * row["bytes"] / row["median_us"]) <= 1e-4 * row["gb_s"],
           f"rate: {row}")
    expect(row["of_peak"] > 0, f"of peak: {row}")
    expect(row["expected_us"] > 0, f"expected: {row}")


def check_json(fusec, model):
    found = json.loads(bench(fusec, model, "--json"))
    plan = json.loads(subprocess.run([fusec, model, "--emit=plan", "--json", "--target=c"], capture_output=True,
                                     text=True, check=True).stdout)
    plan = {f["name"]: [k["name"] for k in f["kernels"]] for f in plan["functions"]}
    expect(found["version"] == 1 and found["kind"] == "cpu" and found["threads"] >= 1, "the head")
    expect(found["copy_gb_s"] > 0 and found["f32_tflop_s"] > 0, "the peaks")
    expect({f["name"]: [k["name"] for k in f["kernels"]] for f in found["functions"]} == plan,
           "kernels are not those of the plan")
    for function in found["functions"]:
        expect(function["dims"] == DIMS and function["sets"] >= 2, "dims and sets")
        for row in function["kernels"] + [function["whole"]]:
            check_row(row)
        for what in ("bytes", "flops"):
            total = sum(kernel[what] for kernel in function["kernels"])
            expect(function["whole"][what] == total, f"{what} of the whole")
    norm = found["functions"][0]["kernels"][0]
    expect(norm["bytes"] == 2 * 2 * DIMS["N"] * DIMS["D"], f"bytes of norm: {norm['bytes']}")


def check_table(fusec, model):
    lines = bench(fusec, model, "--fn=norm").splitlines()
    number = r" +\d+\.\d+"
    expect(re.search(r", \d+ threads?; a copy moves .* GB/s; f32 .* TFLOP/s$", lines[0]), lines[0])
    expect(re.fullmatch(r"norm N=33 D=48; \d+ sets of buffers", lines[2]), lines[2])
    for line, name in zip(lines[4:], ("norm_0", "whole"), strict=True):
        expect(re.fullmatch(f"  {name}{5 * number}", line), line)


def check_advice(fusec, model):
    head, line = bench(fusec, model, "--fn=norm", "--advice").splitlines()
    expect(head.split() == ["size", "expected", "us", "now", "us", "then", "saved"], head)
    expect(re.fullmatch(r"N = 33 -> 48 +- +\d+\.\d+ +\d+\.\d+ +-?\d+ %", line), line)


def check_trace(fusec, model):
    """run --trace: each kernel of each run on the track of the device, none before its launch. The name of
    the file is not UTF-8."""
    trace = pathlib.Path(model).with_suffix(".json")
    model = shutil.copy(model, trace.with_name(os.fsdecode(b"byte\xff.fx")))
    dims = [x for name, n in DIMS.items() for x in ("-D", f"{name}={n}")]
    subprocess.run([fusec, "run", model, "--fn=project", "--device=cpu", "--repeat=2", "--trace", trace, *dims],
                   capture_output=True, check=True)
    events = json.loads(trace.read_text())["traceEvents"]
    tracks = {e["tid"]: e["args"]["name"] for e in events if e["ph"] == "M"}
    spans = [e for e in events if e["ph"] == "X"]
    kernels = [e for e in spans if tracks[e["tid"]] not in ("compiler", "host")]
    launches = [e for e in spans if tracks[e["tid"]] == "host"]
    expect(len(kernels) == len(launches) > 0 and len(kernels) % 2 == 0, "launches")
    expect({e["args"]["run"] for e in kernels} == {0, 1}, "runs")
    expect([e["name"] for e in kernels] == [e["args"]["kernel"] for e in launches], "order")
    expect(all(e["dur"] > 0 for e in kernels), "durations")
    expect(all("byte<ff>.fx:" in e["args"]["place"] for e in kernels), "places")
    expect(all(a["ts"] + a["dur"] <= b["ts"] + 1e-3 for a, b in zip(launches, launches[1:])), "overlap")


def check_diagnose(fusec, model):
    out = bench(fusec, model, "--diagnose", "--fn=project")
    rows = re.findall(r"^  (project_\d) +[\d.]+ +[\d.]+ +[\d.]+[! ] .* (\S+)$", out, re.M)
    expect(rows and all(r[1] in ("overhead", "memory", "compute", "latency") for r in rows), f"rows: {out}")
    for name, regime in rows:
        expect(re.search(rf"{name}.*: bound by {regime}: ", out), f"{name} has no advice: {out}")
    expect(re.search(r"whole: [\d.]+ us, [\d.]+ times that with 2 N; .* MFU", out.replace("(MFU", " MFU")), out)


def check_diagnose_json(fusec, model):
    found = json.loads(bench(fusec, model, "--diagnose", "--fn=norm", "--json"))
    function, = found["functions"]
    kernel, = function["kernels"]
    expect(found["copy_gb_s"] > 0 and function["name"] == "norm" and function["doubled"] == "N", f"{found}")
    expect(kernel["name"] == "norm_0" and kernel["expected_us"] > 0 and kernel["host_us"] is None, f"{kernel}")
    expect(kernel["regime"] in ("overhead", "memory", "compute", "latency") and kernel["advice"], f"{kernel}")
    error = max(kernel["median_us"] / kernel["expected_us"], kernel["expected_us"] / kernel["median_us"])
    expect(abs(function["error"] - error) < 1e-3 * error, f"{function}")


def check_indices(fusec, _):
    """A kernel that is timed alone finds the indices that it reads, not what later kernels store there."""
    model = pathlib.Path(__file__).parents[1] / "examples/graph_attention.fx"
    sizes = ["-D", "N=512", "-D", "E=4096", "-D", "D=64"]
    result = subprocess.run([fusec, "bench", model, "--device=cpu", "--repeat=2", *sizes], capture_output=True,
                            text=True)
    expect(result.returncode == 0, f"exit status {result.returncode}\n{result.stderr}")


def main():
    checks = (check_json, check_table, check_advice, check_diagnose, check_diagnose_json, check_trace,
              check_indices)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder, "model.fx")
        model.write_text(MODEL)
        for check in checks:
            try:
                check(sys.argv[1], model)
            except Failure as failure:
                failed += 1
                print(f"FAIL {check.__name__}: {failure}")
    print(f"{len(checks) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
