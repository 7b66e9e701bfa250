#!/usr/bin/env python3
"""Attention that fusec emits, on a GPU, beside PyTorch's scaled_dot_product_attention by cuDNN and by
FlashAttention, and FlexAttention where the scores have a function of their own, in the same run.

    python3 bench/gpu_attention.py emit FUSEC FOLDER [ARCH]     needs no GPU
    python3 bench/gpu_attention.py run FOLDER                   needs nvcc, a GPU and PyTorch

16 heads of bf16; B S = 8192. Inputs are uniform in -1..1, and larger than the L2 cache with the result.
Calls of all arms take turns; times are medians of 15 rounds of 4 ms. TFLOP/s counts 4 B H S S D
operations, half of that where half of the scores are masked. The error is that of two heads against
float64, relative to their norm.
"""
import concurrent.futures
import ctypes
import math
import pathlib
import statistics
import subprocess
import sys

from gpu_clock import seconds_of

HEADS, TOKENS = 16, 8192
MODEL = """fn attend(
    q: bf16[{b}, {h}, {s}, {d}], k: bf16[{b}, {h}, {s}, {d}], v: bf16[{b}, {h}, {s}, {d}]
) -> (o: bf16[{b}, {h}, {s}, {d}]) {{
    x = (q @ k.T) * rsqrt({d});
    o = softmax({scores}) as bf16 @ v;
}}
"""
CAUSAL = "where(iota({s})[:, None] >= iota({s}), {x}, -inf)"
SCORES = {"full": "{x}", "causal": CAUSAL, "capped": CAUSAL.replace("{x}", "30 * tanh({x} / 30)")}
CASES = [(kind, d, s) for kind in ("full", "causal") for d in (64, 96, 128, 192, 256)
         for s in (1024, 4096, 8192)] + [("capped", 128, s) for s in (4096, 8192)]


def name_of(kind, d, s):
    return f"{kind}_{d}_{s}"


def emit(fusec, folder, arch="sm_90a"):
    folder.mkdir(parents=True, exist_ok=True)
    for kind, d, s in CASES:
        path = folder / f"{name_of(kind, d, s)}.fx"
        path.write_text(MODEL.format(b=TOKENS // s, h=HEADS, s=s, d=d,
                                     scores=SCORES[kind].format(s=s, x="x")))
        command = [fusec, path, "--target", "cuda", "--arch", arch, "-o", path.with_suffix(".cu")]
        subprocess.run(command, check=True)


def compiled(source):
    library = pathlib.Path("/tmp", source.stem + ".so")
    subprocess.run(["nvcc", "-O3", "-gencode=arch=compute_90a,code=sm_90a", "--shared", "-Xcompiler",
                    "-fPIC", source, "-o", library], check=True, capture_output=True)
    return library


class Case:
    def __init__(self, torch, kind, d, s, library):
        self.torch, self.kind, self.d, self.s = torch, kind, d, s
        shape = (TOKENS // s, HEADS, s, d)
        self.inputs = [torch.empty(shape, device="cuda").uniform_(-1, 1).bfloat16()
                       for _ in range(3)]
        self.out = torch.full_like(self.inputs[0], math.nan)
        self.library = ctypes.CDLL(str(library))

    def fusec(self):
        stream = ctypes.c_void_p(self.torch.cuda.current_stream().cuda_stream)
        pointers = [ctypes.c_void_p(t.data_ptr()) for t in (*self.inputs, self.out)]
        if self.library.attend(*pointers, None, stream):
            sys.exit("a launch failed")
        return self.out

    def sdpa(self, backend):
        from torch.nn.attention import SDPBackend, sdpa_kernel
        chosen = getattr(SDPBackend, backend)

        def call():
            with sdpa_kernel(chosen):
                return self.torch.nn.functional.scaled_dot_product_attention(
                    *self.inputs, is_causal=self.kind == "causal")
        return call

    def flex(self):
        from torch.nn.attention.flex_attention import create_block_mask, flex_attention
        function = self.torch.compile(flex_attention, dynamic=False)
        mask = create_block_mask(lambda b, h, q, k: q >= k, None, None, self.s, self.s, "cuda")

        def capped(x, b, h, q, k):
            return 30 * self.torch.tanh(x / 30)
        return lambda: function(*self.inputs, score_mod=capped, block_mask=mask)

    def arms(self):
        yield "fusec", self.fusec
        if self.kind == "capped":
            yield "flex", self.flex()
        else:
            yield "cuDNN", self.sdpa("CUDNN_ATTENTION")
            yield "flash", self.sdpa("FLASH_ATTENTION")

    def error(self, result):
        worst = 0
        for b, h in ((0, 0), (-1, -1)):
            q, k, v = (t[b, h].double() for t in self.inputs)
            x = q @ k.T * self.d ** -0.5
            if self.kind == "capped":
                x = 30 * self.torch.tanh(x / 30)
            if self.kind != "full":
                x.masked_fill_(~self.torch.ones_like(x, dtype=self.torch.bool).tril(), -math.inf)
            right = self.torch.softmax(x, -1) @ v
            worst = max(worst, ((result[b, h] - right).norm() / right.norm()).item())
        return worst


def measure(case):
    """name -> (seconds, error), of those arms that take it."""
    calls, errors, times = {}, {}, {}
    for name, call in case.arms():
        try:
            errors[name] = case.error(call().double())
        except RuntimeError:
            continue
        calls[name], times[name] = call, []
        seconds_of(case.torch, call, 3)
    count = max(2, int(4e-3 / seconds_of(case.torch, calls["fusec"], 3)))
    for _ in range(15):
        for name, call in calls.items():
            times[name].append(seconds_of(case.torch, call, count))
    return {name: (statistics.median(times[name]), errors[name]) for name in calls}


def run(folder):
    import torch
    torch.manual_seed(1)
    sources = [folder / f"{name_of(*case)}.cu" for case in CASES]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        libraries = list(pool.map(compiled, sources))
    print("| scores | D | S | fusec us | TFLOP/s | error | cuDNN us | flash us | flex us "
          "| times as fast as the best |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for (kind, d, s), library in zip(CASES, libraries, strict=True):
        found = measure(Case(torch, kind, d, s, library))
        own, error = found["fusec"]
        flops = 4 * TOKENS * HEADS * s * d / (1 if kind == "full" else 2)
        peers = [f"{1e6 * found[name][0]:.1f}" if name in found else "-"
                 for name in ("cuDNN", "flash", "flex")]
        best = min(t for name, (t, _) in found.items() if name != "fusec")
        print(f"| {kind} | {d} | {s} | {1e6 * own:.1f} | {1e-12 * flops / own:.0f} | {error:.1e} "
              f"| {' | '.join(peers)} | {best / own:.2f} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "emit":
        emit(pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]), *sys.argv[4:])
    else:
        run(pathlib.Path(sys.argv[2]))
