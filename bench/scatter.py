#!/usr/bin/env python3
"""The gradient of an embedding, a scatter of rows into a large table, and counts of labels, beside
PyTorch, in one process and in turn. Prints a Markdown table of microseconds.

    python3 bench/scatter.py cpu BUILD              one thread; BUILD holds libfusec.so
    python3 bench/scatter.py emit FUSEC FOLDER      needs nvcc, no GPU
    python3 bench/scatter.py run FOLDER             needs a GPU

Labels are uniform; or `skewed`, those of rank r about r^(-5/6) as frequent; or every second one is the
same (`half`); or all are (`one`). On a GPU index_add is by atomics, and `deterministic` is the same with
torch.use_deterministic_algorithms(True). Two calls must give the same bits, near those of PyTorch's
index_add on the CPU, which adds in the order of the labels: counts are equal.
"""
import ctypes
import pathlib
import statistics
import sys
import time

import torch

import gpu_clock
import gpu_emitted

EMBEDDING = """fn emb[N, D, V](dy: {t}[N, D], labels: i32[N]) -> (dw: {t}[V, D]) {{
    dw = scatter(full(0.0, V, D), labels, dy) as {t};
}}
"""
COUNTS = "fn emb[N, V](labels: i32[N]) -> (c: i32[V]) { c = scatter(full(0, V), labels, 1); }\n"
ALLOWED = {torch.float32: 1e-5, torch.bfloat16: 4e-3, torch.int32: 0}
TYPES = {"f32": torch.float32, "bf16": torch.bfloat16}
GPT2 = {"N": 16384, "D": 768, "V": 50257}
CASES = {"f32": (EMBEDDING.format(t="f32"), GPT2), "bf16": (EMBEDDING.format(t="bf16"), GPT2),
         "short": (EMBEDDING.format(t="f32"), {"N": 65536, "D": 64, "V": 1000000}),
         "counts": (COUNTS, {"N": 1 << 20, "V": 50257})}
KINDS = {"f32": ("uniform", "skewed", "half", "one"), "bf16": ("uniform", "skewed", "half"),
         "short": ("uniform",), "counts": ("uniform", "skewed", "half")}


def labels_of(kind, count, size):
    labels = torch.randint(0, size, (count,))
    if kind == "skewed":
        labels = (torch.rand(count).pow(6) * size).long()
    if kind == "half":
        labels[::2] = 7
    if kind == "one":
        labels[:] = size - 1
    return labels


def embedding_arms(name, dims, labels, device):
    """(inputs of ours, arms, result)"""
    dtype = TYPES.get(name, torch.float32)
    dy = torch.randn(dims["N"], dims["D"]).to(dtype)
    right = torch.zeros(dims["V"], dims["D"]).index_add_(0, labels, dy.float()).to(dtype)
    dy, labels = dy.to(device), labels.to(device)

    def add(is_deterministic=False):
        torch.use_deterministic_algorithms(is_deterministic)
        zeros = torch.zeros(dims["V"], dims["D"], dtype=dtype, device=device)
        result = zeros.index_add_(0, labels, dy)
        torch.use_deterministic_algorithms(False)
        return result
    arms = {"index_add": add}
    if device == "cuda":
        arms["deterministic"] = lambda: add(True)
    arms["embedding_backward"] = lambda: torch.ops.aten.embedding_dense_backward(
        dy, labels, dims["V"], -1, False)
    return [dy, labels.int()], arms, right


def count_arms(dims, labels, device):
    right = torch.bincount(labels, minlength=dims["V"]).int()
    labels = labels.to(device)
    return [labels.int()], {"bincount": lambda: torch.bincount(labels, minlength=dims["V"])}, right


def cpu_seconds(call, count):
    start = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - start) / count


def gpu_seconds(call, count):
    return gpu_clock.seconds_of(torch, call, count)


def times_of(arms, seconds, pick):
    """Rounds in turn, of some milliseconds each."""
    for call in arms.values():
        call()
    counts = {arm: max(1, min(200, int(4e-3 / seconds(call, 1)))) for arm, call in arms.items()}
    times = {arm: [] for arm in arms}
    for _ in range(9):
        for arm, call in arms.items():
            times[arm].append(seconds(call, counts[arm]))
    return {arm: pick(each) for arm, each in times.items()}


def row(name, kind, dims, ours, device):
    labels = labels_of(kind, dims["N"], dims["V"])
    inputs, arms, right = (count_arms(dims, labels, device) if name == "counts" else
                           embedding_arms(name, dims, labels, device))
    result, again = (ours(*inputs).cpu() for _ in range(2))
    error = float((result.double() - right.double()).norm() / right.double().norm())
    is_right = error <= ALLOWED[result.dtype] and torch.equal(result, again)
    arms = {"fusec": lambda: ours(*inputs), **arms}
    seconds, pick = (gpu_seconds, statistics.median) if device == "cuda" else (cpu_seconds, min)
    times = times_of(arms, seconds, pick)
    size = " ".join(f"{d}={n}" for d, n in dims.items())
    peers = ", ".join(f"{arm} {1e6 * t:.1f}" for arm, t in times.items() if arm != "fusec")
    print(f"| {name} | {size} | {kind} | {1e6 * times['fusec']:.1f} | {peers} | "
          f"{error:.0e}{'' if is_right else ', **wrong**'} |", flush=True)
    return is_right


def table(function_of, device):
    torch.manual_seed(0)
    print("| what | sizes | labels | fusec us | PyTorch us | error |\n|---|---|---|---:|---|---|")
    good = [row(name, kind, CASES[name][1], function_of(name), device)
            for name, kinds in KINDS.items() for kind in kinds]
    sys.exit(0 if all(good) else "results differ")


class OnGpu:
    """With its buffers made once: what is timed is the launches."""

    def __init__(self, folder, name):
        self.function = gpu_emitted.Emitted(torch, folder, name, "emb")
        self.workspace = torch.empty(self.function.workspace, dtype=torch.uint8, device="cuda")
        shape = [CASES[name][1][d] for d in ("V", "D") if d in CASES[name][1]]
        self.out = torch.empty(shape, dtype=TYPES.get(name, torch.float32), device="cuda")
        if name == "counts":
            self.out = self.out.int()

    def __call__(self, *inputs):
        given = [ctypes.c_void_p(t.data_ptr()) for t in (*inputs, self.out, self.workspace)]
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        if self.function.call(*given, stream):
            sys.exit("a launch failed")
        return self.out


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "emit":
        for name, (text, dims) in CASES.items():
            gpu_emitted.build(sys.argv[2], pathlib.Path(sys.argv[3]), name, text, dims)
    elif len(sys.argv) == 3 and sys.argv[1] == "run":
        print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}\n")
        table(lambda name: OnGpu(pathlib.Path(sys.argv[2]), name), "cuda")
    elif len(sys.argv) == 3 and sys.argv[1] == "cpu":
        import cpu_torch
        fusec = cpu_torch.load_fusec(sys.argv[2])
        torch.set_num_threads(1)
        print(f"{cpu_torch.processor()}, PyTorch {torch.__version__}, one thread\n")
        cpu_torch.keep_pages()
        table(lambda name: fusec.compile(CASES[name][0], threads=1, policy="exact",
                                         **CASES[name][1]).emb, "cpu")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
