#!/usr/bin/env python3
"""Runs fusec on its CUDA device without a GPU: the libraries that it loads by name are those of
this folder, which run each kernel on the CPU, by the arguments and launch shape that fusec gives.

    python3 tests/driver/device.py FUSEC FOLDER [NAME..]

FOLDER has libcuda.so.1, libnvrtc.so.13 and libnvtx3interop.so.1. Examples are compared with the
evaluator; then errors of every kind are made to happen.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent / "shim"), str(HERE.parent)]
import emulate  # noqa: E402
from python_with import python_with, sanitizer_environment  # noqa: E402

# Scalars, workspaces, several kernels, rows of every length, products.
EXAMPLES = ("adamw", "attention", "batch_norm", "black_scholes", "geglu", "layer_norm", "nucleus",
            "rope", "softmax", "standardise")
RANDOM = 5  # programs
SMALL = "fn f[N](x: f32[N]) -> (y: f32[N]) {\n    y = x + 1;\n}\n"


class Failure(Exception):
    pass


class Device:
    def __init__(self, fusec, libraries, folder):
        self.fusec, self.libraries, self.folder = fusec, libraries, folder
        runtime = emulate.build_runtime(HERE / "program.cpp")
        made = folder / "made"
        made.mkdir()
        self.compiler = f"{sys.executable} {HERE / 'module.py'} {runtime} {made}"

    def command(self, *words, status=0, **environment):
        """What a command prints, both streams, when the libraries that fusec loads are ours."""
        words = [str(word) for word in words]
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            result = subprocess.run(
                words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600,
                cwd=folder, env={**os.environ, "FUSEC_CUDA_PATH": str(self.libraries),
                                 "TMPDIR": folder, "FAKE_NVRTC": self.compiler, **environment})
        if result.returncode != status:
            raise Failure(f"exit status {result.returncode}: {' '.join(words)}\n{result.stdout}")
        return result.stdout

    def run(self, command, *arguments, **options):
        """One thread: each part of a program that is compiled beside others costs a compiler here."""
        one = ["--threads=1"] if command in ("run", "bench") and "--threads=2" not in arguments else []
        return self.command(self.fusec, command, *arguments, *one, **options)


def expect(pattern, text):
    if not re.search(pattern, text, re.S):
        raise Failure(f"no match for {pattern!r} in\n{text}")


# ---- what works ---------------------------------------------------------------------------------

def example(name, level):
    def check(device, _model):
        path = ROOT / "examples" / f"{name}.fx"
        dims = re.findall(r"^// small: (.*)$", path.read_text(), re.M)[-1].split()
        expect(r": ok", device.run("run", path, *dims, level, "--check", "--device=cuda"))
    return check


def product(device, _model):
    """Tensor cores, more shared memory than a launch has by itself, and, where rows are 16 bytes
    apart, maps of tensors."""
    path = ROOT / "bench" / "gpu" / "matmul.fx"
    for k in (71, 72):
        dims = f"-D M=130 -D N=136 -D K={k}".split()
        expect(r": ok", device.run("run", path, *dims, "--check", "--device=cuda"))


def stream_k(device, _model):
    """Memory of a kernel's own, a part of which is cleared before each launch."""
    path = ROOT / "bench" / "gpu" / "matmul.fx"
    words = "-D M=130 -D N=136 -D K=200 --tile m=128,n=64,ping_pong=0,stream_k=2".split()
    expect(r": ok", device.run("run", path, *words, "--repeat=2", "--check", "--device=cuda"))
    expect(r"cuMemsetD8Async: some error", device.run("run", path, *words, "--device=cuda", status=3,
                                                      FAKE_CUDA="cuMemsetD8Async=1"))


H100 = "16=132,38=52428800,81=233472,97=232448"


def sizes(device, _model):
    """Plans are for the device in hand: one of the usual size has the plan of files, and finds its
    code; for another one code is compiled."""
    path = device.folder / "parts.fx"
    path.write_text("fn f(a: bf16[128, 1024], b: bf16[1024, 128]) -> (c: bf16[128, 128]) {\n"
                    "    c = a @ b;\n}\n")
    words = (path, "--device=cuda", "--cache", device.folder / "sized")
    plans = {}
    for name, size in (("own", ""), ("h100", H100), ("h200", H100.replace("52428800", "62914560"))):
        expect(r": ok", device.run("run", *words, "--check", "--keep", device.folder / name,
                                   FAKE_CUDA_ATTRIBUTES=size))
        plans[name] = (device.folder / name / "parts.plan").read_text()
    usual = device.command(device.fusec, path, "--arch", "sm_90a", "--emit=plan")
    if plans["h100"] != usual or plans["h200"] != usual or plans["own"] == usual:
        raise Failure(f"plans are not for the device: {plans}")
    for size in (H100, ""):
        expect("f: its code is in the cache",
               device.run("cache", "why", *words, FAKE_CUDA_ATTRIBUTES=size))
    expect(r"f: not in the cache; the nearest entry differs in the size of the GPU\n +here +16 multi",
           device.run("cache", "why", *words, FAKE_CUDA_ATTRIBUTES="16=16"))


def maps(device, _model):
    """As many maps of tensors as a kernel may have: four sums of four products."""
    path = device.folder / "sums.fx"
    inputs = ", ".join(f"{x}: bf16[M, 64]" for x in "abcd")
    path.write_text(
        f"@one_kernel\nfn sums[M]({inputs}, w: bf16[4, 4, 128, 64]) -> (x: bf16[M, 128], "
        "y: bf16[M, 128], z: bf16[M, 128], u: bf16[M, 128]) {\n" +
        "".join(f"    {name} = " + " + ".join(f"{x} @ w[{i}, {j}].T" for j, x in enumerate("abcd")) +
                ";\n" for i, name in enumerate("xyzu")) + "}\n")
    words = "-D M=136 --tile kind=wgmma --check --device=cuda".split()
    expect(r": ok", device.run("run", path, *words))


def constants(device, _model):
    """What depends on constants alone runs in kernels of its own: also for `bench`, set by set."""
    path = HERE.parent / "emit" / "prepare_cuda.fx"
    dims = "-D N=5 -D D=24 -D E=9 --threads=2".split()
    expect(r": ok", device.run("run", path, *dims, "--check", "--device=cuda"))
    device.run("bench", path, *dims, "--repeat=1", "--device=cuda")


def random_programs(device, _model):
    differ = HERE.parent / "random" / "differ.py"
    expect(rf"\b{RANDOM} passed, 0 failed",
           device.command(sys.executable, differ, device.fusec, "--ways", "gpu,gpu_unfused",
                          "--count", RANDOM, "--seed", 1, "--workers", 1))


def repeats(device, model):
    expect(r"median", device.run("run", model, "-D", "N=5", "--repeat=3", "--device=auto"))


def benches(device, model):
    said = device.run("bench", model, "-D", "N=5000", "--repeat=2", "--device=cuda")
    expect(r"Emulated GPU 0 \(sm_90\); a copy moves .* matrix products 4\n.*f_0 .*whole ", said)


def tunes(device, _model):
    """Every tile runs between guards; the processes that compile share a folder."""
    path = device.folder / "rows.fx"
    path.write_text("fn f[N, D](x: f32[N, D]) -> (y: f32[N, D]) { y = softmax(x, axis = -1); }\n")
    cache = {"FUSEC_CACHE_DIR": str(device.folder / "tuned")}
    dims, lock = ("-D", "N=3", "-D", "D=300", "--device=cuda"), device.folder / "rows.lock"
    said = device.run("tune", path, *dims, "--effort=quick", "--budget=20s", "--json",
                      "--tune-lock", lock, **cache)
    tuned = json.loads(said[said.index("\n{") + 1:])["functions"][0]
    outcomes = [trial["outcome"] for trial in tuned["trials"]]
    if len(outcomes) < 3 or set(outcomes) != {"ok"}:
        raise Failure(f"outcomes {outcomes}")
    if "N=3" in device.run("cache", "ls", "--stale", **cache):
        raise Failure("a choice has aged at once")
    expect("N=3", device.run("cache", "ls", "--stale", FAKE_CUDA_VERSION="13010", **cache))
    expect(r"differs in the size of the GPU\n +here +8 multi.*there +2 multi",
           device.run("cache", "why", path, *dims, FAKE_CUDA_ATTRIBUTES="16=8", **cache))
    use = ("run", path, *dims, "--tune-lock", lock, "--check")
    if "another GPU" in device.run(*use, **cache):
        raise Failure("decisions are said to be of another GPU")
    expect(r": ok.*rows.lock:\d+:1: remark: the decisions for function 'f' were made on another GPU: "
           r"this one has 8 multi", device.run(*use, FAKE_CUDA_ATTRIBUTES="16=8", **cache))


def names_ranges(device, model):
    said = device.run("run", model, "-D", "N=5", "--device=cuda", FAKE_NVTX="1")
    expect(r"push f_0\npop\n", said)


def one_function(device, _model):
    """Kernels that launch the function of another keep their names, and are given their buffers."""
    path = device.folder / "twice.fx"
    path.write_text("fn f[N](x: f32[N]) -> (y: f32[N]) {\n    y = exp(exp(x));\n}\n")
    said = device.run("run", path, "-D", "N=5", "-O0", "--check", "--device=cuda", "--threads=2",
                      FAKE_NVTX="1")
    expect(r"push f_0\npop\n.*push f_1\npop\n", said)
    expect(r": ok", said)


def library(device, _model):
    expect(r"PASSED", device.command(device.libraries.parent / "api_cuda"))


def package(device, _model):
    """Calls have workspaces of the library of their tensors."""
    python = python_with("numpy")
    if not python:
        raise Failure("no Python here has numpy")
    folder = device.fusec.parent
    expect(r"passed", device.command(python, HERE / "gpu.py", LD_LIBRARY_PATH=str(folder),
                                     PYTHONPATH=str(ROOT / "python"),
                                     **sanitizer_environment(folder / "libfusec.so")))


def doctor(device, _model):
    expect(r"CUDA device +ok +Emulated GPU 0 \(sm_90\), 1 multiprocessors, driver 13.0", device.run("doctor"))


def keeps(device, model):
    device.run("run", model, "-D", "N=5", "--device=cuda", "--keep", device.folder / "kept")
    for name in ("model.cu", "model.cu.cubin", "model.plan"):
        if not (device.folder / "kept" / name).is_file():
            raise Failure(f"--keep did not write {name}")


def caches(device, model):
    """The second process finds the machine code: NVRTC, which would fail, is not called."""
    with tempfile.TemporaryDirectory(dir=device.folder) as folder:
        words = (model, "-D", "N=5", "--device=cuda", "--cache", f"{folder}/cache")
        first = device.run("run", *words, TMPDIR=folder)
        if device.run("run", *words, TMPDIR=folder, FAKE_NVRTC_LOG="not called") != first:
            raise Failure("the second run has another result")
        expect("f: its code is in the cache", device.run("cache", "why", *words))
        expect(r"differs in the architecture of the GPU\n +here +sm_100a\n +there +sm_90a\n",
               device.run("cache", "why", *words, FAKE_CUDA_ATTRIBUTES="75=10"))
        expect(r"f +N=5 +sm_90a +c", device.run("cache", "ls", *words[-2:]))


# ---- what goes wrong ----------------------------------------------------------------------------

def refused(plan, words):
    def check(device, model):
        said = device.run("run", model, "-D", "N=5", "--device=cuda", status=3, FAKE_CUDA=plan)
        expect(words, said)
    return check


def no_device(device, model):
    said = device.run("run", model, "-D", "N=5", "--device=cuda", status=3, FAKE_CUDA="none")
    expect(r"error: the CUDA driver sees no device", said)
    expect(r"CUDA device +no +the CUDA driver sees no device",
           device.run("doctor", FAKE_CUDA="none"))
    device.run("run", model, "-D", "N=5", "--check", FAKE_CUDA="none")


def rejected(device, model):
    log = "".join(f'model.cu({line}): error: identifier "foo" is undefined\n'
                  "      foo();\n      ^\n\n" for line in (1, 10000))
    log += '2 errors detected in the compilation of "model.cu".\n'
    said = device.run("run", model, "-D", "N=5", "--device=cuda", status=3, FAKE_NVRTC_LOG=log)
    expect(r"nvrtcCompileProgram for sm_90a: NVRTC_ERROR_COMPILATION\n"
           r' *model.cu:1: error: identifier "foo" is undefined\n +foo\(\);\n +\^\n'
           r' *\S*model.fx:2:9: error: identifier "foo" is undefined '
           r"\(f_0, model.cu:10000\)\n", said)
    keep = device.folder / "log"
    device.run("run", model, "-D", "N=5", "--device=cuda", "--keep", keep, status=3,
               FAKE_NVRTC_LOG=log)
    if (keep / "model.cu.log").read_text() != log:
        raise Failure("--keep did not write the whole log")


CHECKS = {
    **{f"{name} {level}": example(name, level) for name in EXAMPLES for level in ("-O2", "-O0")},
    "product": product,
    "stream-K": stream_k,
    "maps": maps,
    "sizes": sizes,
    "constants": constants,
    "random": random_programs,
    "repeat": repeats,
    "bench": benches,
    "library": library,
    "Python": package,
    "doctor": doctor,
    "keep": keeps,
    "cache": caches,
    "ranges": names_ranges,
    "tune": tunes,
    "one function": one_function,
    "no device": no_device,
    "rejected": rejected,
    "memory": refused("cuMemAlloc_v2=2", r"cuMemAlloc of 20 bytes: out of memory "
                      r"\(CUDA_ERROR_OUT_OF_MEMORY, 2\)\n"),
    "launch": refused("cuLaunchKernel=1", r"cuLaunchKernel f_0<<<1, \d+ x 1, 0>>>: some error"),
    "sticky": refused("cuStreamSynchronize=700",
                      r"cuStreamSynchronize after f_0<<<1, \d+ x 1, 0>>>: an illegal memory access "
                      r"was encountered \(CUDA_ERROR_ILLEGAL_ADDRESS, 700\); this process cannot "
                      r"use the device any more\n"),
    "init": refused("cuInit=999", r"cuInit: some error"),
}


def main():
    fusec, libraries = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    names = sys.argv[3:]
    if not shutil.which(emulate.COMPILER):
        print(f"skipped: there is no {emulate.COMPILER}")
        sys.exit(77)
    failed = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        device = Device(fusec, libraries, pathlib.Path(folder))
        model = pathlib.Path(folder, "model.fx")
        model.write_text(SMALL)

        def attempt(name):
            try:
                CHECKS[name](device, model)
            except (Failure, emulate.Failure) as failure:
                return f"FAIL {name}: {failure}"
            return ""
        chosen = names or CHECKS
        for message in pool.map(attempt, chosen):
            failed += bool(message)
            print(message, end="\n" if message else "", flush=True)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
