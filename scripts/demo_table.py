"""Prints the table of scripts/demo, one line for each example. In: the compiler, a folder for .cu files,
names of examples (default: all).

The sizes are those of the line `// try:` in each model. `compile` is the median time of the whole
process that writes the .cu file; `check` compares every output with the reference evaluator.
"""
import json
import pathlib
import re
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
import examples  # noqa: E402

COMPILATIONS = 5


def run(*words):
    """Standard output, and what went wrong or ""."""
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    return result.stdout, result.stderr if result.returncode else ""


def compile_ms(fusec, path, out):
    """Median time, and what went wrong or ""."""
    times = []
    for _ in range(COMPILATIONS):
        start = time.perf_counter()
        _, wrong = run(fusec, path, "-o", out)
        times.append(1e3 * (time.perf_counter() - start))
        if wrong:
            break
    return statistics.median(times), wrong


def attempt(fusec, path, out):
    """Prints the line of one example. What went wrong, or ""."""
    example = examples.Example(path)
    flags = example.large[0].split()
    ms, no_source = compile_ms(fusec, path, out / f"{path.stem}.cu")
    plan, no_plan = run(fusec, path, "--emit=plan", "--json")
    functions = [] if no_plan else json.loads(plan)["functions"]
    kernels = sum(len(function["kernels"]) for function in functions) or "-"
    _, not_right = run(fusec, "run", path, "--check", "--device=cpu", *flags)
    verdict = "no source" if no_source else "wrong" if not_right else "ok"
    sizes = re.sub(r"-D ", "", example.large[0])
    print(f"{path.stem:<24} {kernels:>7} {ms:>11.1f}   {verdict:<9} {sizes}", flush=True)
    return no_source + no_plan + not_right


def main():
    fusec, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    names = sys.argv[3:]
    paths = [path for path in sorted((ROOT / "examples").glob("*.fx"))
             if not names or path.stem in names]
    print(f"\n{'example':<24} {'kernels':>7} {'compile, ms':>11}   {'check':<9} sizes")
    wrong = {path.stem: message for path in paths if (message := attempt(fusec, path, out))}
    for name, message in wrong.items():
        print(f"\n{name}:\n{message}")
    print(f"\n{len(paths) - len(wrong)} of {len(paths)} examples: CUDA source in {out}, "
          "results on the CPU checked")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
