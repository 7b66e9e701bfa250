#!/usr/bin/env python3
"""Default tiles against those of fusec's tuner on a GPU, beside PyTorch (cuBLAS, cuDNN) and
torch.compile's max-autotune, with the seconds that each tuner took.

    python3 bench/tune_gpu.py FUSEC FOLDER [--seconds 600] [--budget 20s] [NAME..]

Needs a GPU, nvcc and PyTorch; writes FOLDER/NAME.json with all trials. All arms of a row take turns,
each as a CUDA graph of launches on sets of buffers that together are larger than twice the L2 cache.
With --device=cpu small problems show that the script works.
"""
import argparse
import concurrent.futures
import ctypes
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import time

from gpu_clock import seconds_of

ROOT = pathlib.Path(__file__).resolve().parents[1]
PRODUCT = "fn f[M, N, K](x: bf16[M, K], w: bf16[N, K]) -> (y: bf16[M, N]) { y = x @ w.T; }"
SOFTMAX = "fn f[N, D](x: f32[N, D]) -> (y: f32[N, D]) { y = softmax(x); }"
ATTENTION = """fn f[B, H, S](q: bf16[B, H, S, 128], k: bf16[B, H, S, 128], v: bf16[B, H, S, 128])
        -> (y: bf16[B, H, S, 128]) {
    x = (q @ k.T) * rsqrt(128);
    y = softmax(where(iota(S)[:, None] >= iota(S), x, -inf)) as bf16 @ v;
}"""


def example(name):
    return (ROOT / f"examples/{name}.fx").read_text().replace(f"fn {name}[", "fn f[")


def product(m, n, k):
    return PRODUCT, {"M": m, "N": n, "K": k}, ((m, k), (n, k)), (m, n), 2 * m * n * k


def attention(b, h, s):
    shape = (b, h, s, 128)
    return ATTENTION, {"B": b, "H": h, "S": s}, (shape,) * 3, shape, 2 * b * h * s * s * 128


def geglu(n, d):
    inputs = (n, d), (8 * d, d), (8 * d,)
    return example("geglu"), {"N": n, "D": d}, inputs, (n, 4 * d), 16 * n * d * d


def swiglu(n, d, f):
    inputs = (n, d), (f, d), (f, d)
    return example("swiglu"), {"N": n, "D": d, "F": f}, inputs, (n, f), 4 * n * d * f


def softmax(n, d):
    return SOFTMAX, {"N": n, "D": d}, ((n, d),), (n, d), 0


# Model, dims, shapes of inputs and output, operations.
CASES = {
    "product 1024": product(1024, 1024, 1024),
    "product 4096": product(4096, 4096, 4096),
    "product M=16": product(16, 4096, 4096),
    "softmax 131072": softmax(512, 131072),
    "geglu": geglu(16384, 1024),
    "product 16384x5120x5120": product(16384, 5120, 5120),
    "product K=65536": product(512, 512, 65536),
    "swiglu": swiglu(8192, 2048, 5632),
    "attention": attention(2, 16, 4096),
}
SMALL = {"product": product(64, 32, 48), "softmax": softmax(8, 3000), "geglu": geglu(8, 16),
         "swiglu": swiglu(16, 32, 24), "attention": attention(1, 2, 64)}


def model_of(torch, name):
    """The same in PyTorch."""
    functional = torch.nn.functional

    def of_geglu(x, w, b):
        v, g = functional.linear(x, w, b).chunk(2, -1)
        return v * functional.gelu(g)
    return {"geglu": of_geglu,
            "softmax": lambda x: torch.softmax(x, -1),
            "swiglu": lambda x, g, u: functional.silu(x @ g.T) * (x @ u.T),
            "attention": lambda q, k, v: functional.scaled_dot_product_attention(
                q, k, v, is_causal=True),
            "product": lambda x, w: x @ w.T}[name.split()[0]]


class LateError(BaseException):
    """Not an Exception: torch.compile catches those."""


def within(seconds, call):
    """(result, seconds that it took), or (None, ..) where that is too long."""
    def late(*_):
        raise LateError
    start = time.perf_counter()
    signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.1))
    try:
        return call(), time.perf_counter() - start
    except LateError:
        return None, time.perf_counter() - start
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


class Case:
    def __init__(self, torch, name, options):
        self.torch, self.name, self.options = torch, name, options
        self.on_gpu = options.device == "cuda"
        self.text, self.dims, self.inputs, self.output, self.operations = options.cases[name]
        self.model = model_of(torch, name)
        self.path = options.folder / (name.replace(" ", "_").replace("=", "") + ".fx")
        self.path.write_text(self.text)
        self.words = [word for d, n in self.dims.items() for word in ("-D", f"{d}={n}")]
        self.dtype = torch.float32 if "softmax" in name else torch.bfloat16
        self.pool = None  # of the graphs' memory

    # ---- the two of fusec

    def tune(self, seconds):
        """fusec tune: what it printed as JSON, and the seconds of the command."""
        command = [self.options.fusec, "tune", self.path, *self.words,
                   f"--device={self.options.device}", "--json",
                   f"--tune-lock={self.path.with_suffix('.lock')}",
                   f"--cache={self.options.folder / 'cache'}"]
        if self.options.budget:
            command.append(f"--budget={self.options.budget}")
        start = time.perf_counter()
        done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=seconds)
        self.path.with_suffix(".json").write_text(done.stdout)
        return json.loads(done.stdout), time.perf_counter() - start

    def compiled(self, kind):
        """A library of the model's code, by default tiles or tuned ones."""
        suffix = ".cu" if self.on_gpu else ".c"
        source = self.path.with_name(f"{self.path.stem}_{kind}{suffix}")
        lock = [f"--tune-lock={self.path.with_suffix('.lock')}"] if kind == "tuned" else []
        target = ["--target=cuda", "--arch=sm_90a"] if self.on_gpu else ["--target=c"]
        subprocess.run([self.options.fusec, self.path, *self.words, *target, *lock, "-o", source],
                       check=True)
        compiler = (["nvcc", "-O3", "-gencode=arch=compute_90a,code=sm_90a", "-Xcompiler", "-fPIC"]
                    if self.on_gpu else
                    ["cc", "-O3", "-march=native", "-ffp-contract=fast", "-fopenmp", "-fPIC"])
        library = source.with_suffix(".so")
        subprocess.run([*compiler, "--shared", source, "-o", library], check=True,
                       capture_output=True)
        return library

    def fusec_arm(self, library):
        code = ctypes.CDLL(str(library.resolve()))
        size = getattr(code, "f_workspace", None)
        if size:
            size.restype = ctypes.c_longlong
        space = self.torch.empty(max(size(), 1) if size else 1, device=self.options.device,
                                 dtype=self.torch.uint8)
        spaces = [] if self.on_gpu and not size else [ctypes.c_void_p(space.data_ptr())]

        def call(inputs, out):
            stream = ([ctypes.c_void_p(self.torch.cuda.current_stream().cuda_stream)]
                      if self.on_gpu else [])
            pointers = [ctypes.c_void_p(t.data_ptr()) for t in (*inputs, out)]
            if code.f(*pointers, *(spaces or [None]), *stream):
                sys.exit(f"{self.name}: a launch failed")
        call.keep = space
        return call

    # ---- times

    def make_sets(self):
        torch, device = self.torch, self.options.device
        cache = torch.cuda.get_device_properties(0).L2_cache_size if self.on_gpu else 1 << 20
        numbers = sum(map(self.count, self.inputs)) + self.count(self.output)
        sets = min(16, 2 * cache // (numbers * self.dtype.itemsize) + 1)
        self.sets = []
        for _ in range(sets):
            inputs = [torch.empty(s, device=device).uniform_(-1, 1).to(self.dtype)
                      for s in self.inputs]
            out = torch.full(self.output, float("nan"), device=device, dtype=self.dtype)
            self.sets.append((inputs, out))

    @staticmethod
    def count(shape):
        number = 1
        for n in shape:
            number *= n
        return number

    def error(self, arm):
        """Against PyTorch in float32: the norm of the difference, relative."""
        inputs, out = self.sets[0]
        out.fill_(float("nan"))
        result = arm(inputs, out)
        got = (out if result is None else result).float()
        part = [t.float() for t in inputs]
        want = self.model(*part)
        return ((got - want).norm() / want.norm()).item()

    def prepared(self, arm, count):
        """A call that launches it `count` times, on the sets in turns."""
        def all_of_them():
            for i in range(count):
                arm(*self.sets[i % len(self.sets)])
        if not self.on_gpu:
            return all_of_them
        torch = self.torch
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            all_of_them()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            all_of_them()
        return graph.replay

    def seconds(self, call):
        if not self.on_gpu:
            start = time.perf_counter()
            call()
            return time.perf_counter() - start
        return seconds_of(self.torch, call)

    def measure(self, arms):
        """name -> (median seconds of a launch, relative error)"""
        errors = {name: self.error(arm) for name, arm in arms.items()}
        one = self.prepared(arms["default"], len(self.sets))
        self.seconds(one)
        least = self.seconds(one) / len(self.sets)
        count = max(4, len(self.sets), min(200, int(4e-3 / least)))
        calls = {name: self.prepared(arm, count) for name, arm in arms.items()}
        times = {name: [] for name in calls}
        for _ in range(21):
            for name, call in calls.items():
                times[name].append(self.seconds(call) / count)
        return {name: (statistics.median(times[name][1:]), errors[name]) for name in calls}


def report(case, tuned, tune_seconds, torch_seconds, found):
    f = tuned["functions"][0]
    changes = []
    for kernel in f["kernels"]:
        old = dict(p.split("=") for p in kernel["default_tile"].split(";")[0].split(","))
        new = dict(p.split("=") for p in kernel["tile"].split(";")[0].split(","))
        changes += [f"{k}={v} (was {old.get(k, '-')})" for k, v in new.items() if old.get(k) != v]
    what = ", ".join(changes) if f["kept"] and changes else "default kept" if not f["kept"] else \
        "another partition"
    cells = [f"{1e6 * found[name][0]:.1f}" if name in found else "late"
             for name in ("default", "tuned", "torch", "max-autotune")]
    rate = f"{case.operations / found['tuned'][0] * 1e-12:.0f}" if case.operations else ""
    others = [found[name][0] for name in ("torch", "max-autotune") if name in found]
    worst = max(error for _, error in found.values())
    dims = " ".join(f"{d}={n}" for d, n in case.dims.items())
    return (f"| {case.name} | {dims} | {' | '.join(cells)} | {rate} "
            f"| {found['default'][0] / found['tuned'][0]:.2f} "
            f"| {min(others) / found['tuned'][0]:.2f} | {len(f['trials'])} | {tune_seconds:.1f} "
            f"| {torch_seconds:.1f} | {worst:.1e} | {what} |")


def run(torch, name, options, left):
    case = Case(torch, name, options)
    tuned, tune_seconds = case.tune(min(left, options.late))
    with concurrent.futures.ThreadPoolExecutor() as pool:
        libraries = {kind: pool.submit(case.compiled, kind) for kind in ("default", "tuned")}
        case.make_sets()
        compiled = torch.compile(case.model, mode="max-autotune-no-cudagraphs", dynamic=False)
        late = min(options.late, left - tune_seconds - 3)
        result, torch_seconds = within(late, lambda: compiled(*case.sets[0][0]))
        arms = {kind: case.fusec_arm(library.result()) for kind, library in libraries.items()}
    arms["torch"] = lambda inputs, out: case.model(*inputs)
    if result is not None:
        arms["max-autotune"] = lambda inputs, out: compiled(*inputs)
    print(report(case, tuned, tune_seconds, torch_seconds, case.measure(arms)), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fusec")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(CASES)}")
    parser.add_argument("--seconds", type=float, default=600, help="of all; later rows are left out")
    parser.add_argument("--late", type=float, default=60, help="seconds for each tuner of a row")
    parser.add_argument("--budget", help="of fusec tune; by default 5 s a kernel")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    options = parser.parse_intermixed_args()
    options.cases = CASES if options.device == "cuda" else SMALL
    options.folder.mkdir(parents=True, exist_ok=True)
    end = time.perf_counter() + options.seconds
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(options.folder / "inductor")  # it starts from nothing
    import torch
    torch.manual_seed(1)
    torch.compile(lambda x: 2 * x)(torch.ones(8, device=options.device))  # what its start takes
    what = torch.cuda.get_device_name() if options.device == "cuda" else "CPU"
    print(f"{what}, PyTorch {torch.__version__}\n\n| kernel | sizes | default us | tuned us | PyTorch us "
          "| max-autotune us | TFLOP/s | default/tuned | best of PyTorch/tuned | tiles | fusec tune s "
          f"| torch.compile s | error | tuned tile |\n|{'---|' * 14}", flush=True)
    for name in options.names or options.cases:
        left = end - time.perf_counter()
        if left < 10:
            sys.exit(f"no time is left for {name} and what follows")
        try:
            with torch.inference_mode():
                run(torch, name, options, left)
        except Exception as error:  # noqa: BLE001: the other rows are measured
            print(f"{name}: {type(error).__name__}: {error}"[:400],
                  str(getattr(error, "stderr", ""))[-400:], flush=True)


if __name__ == "__main__":
    main()
