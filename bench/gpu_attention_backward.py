#!/usr/bin/env python3
"""The backward of attention that fusec emits, in two passes over the scores and in one
(@nondeterministic), on a GPU, beside that of PyTorch's scaled_dot_product_attention by cuDNN and by
FlashAttention-2, in the same run.

    python3 bench/gpu_attention_backward.py emit FUSEC FOLDER [ARCH]     needs no GPU
    python3 bench/gpu_attention_backward.py run FOLDER                   needs nvcc, a GPU and PyTorch

16 heads of bf16; B S = 8192. Inputs are uniform in -1..1; all arms get o and the log-sum-exp of the
forward, and make dq, dk and dv. Calls of all arms take turns; times are medians of 15 rounds of 8 ms.
TFLOP/s counts the 10 B H S S D operations of five products, half of that where half of the scores are
masked. The error is the largest of dq, dk and dv of two heads against float64, relative to their norm.
"""
import concurrent.futures
import ctypes
import itertools
import math
import pathlib
import statistics
import subprocess
import sys

from gpu_attention import compiled
from gpu_clock import seconds_of

HEADS, TOKENS = 16, 8192
MODEL = """{attribute}fn backward(
    q: bf16[{b}, {h}, {s}, {d}], k: bf16[{b}, {h}, {s}, {d}], v: bf16[{b}, {h}, {s}, {d}],
    o: bf16[{b}, {h}, {s}, {d}], lse: f32[{b}, {h}, {s}], do: bf16[{b}, {h}, {s}, {d}]
) -> (dq: bf16[{b}, {h}, {s}, {d}], dk: bf16[{b}, {h}, {s}, {d}], dv: bf16[{b}, {h}, {s}, {d}]) {{
    x = (q @ k.T) * rsqrt({d});
    p = exp({scores} - lse[:, :, :, None]);
    ds = (p * (do @ v.T - sum(do * o, axis = -1, keep = true))) as bf16;
    dq = (ds @ k) * rsqrt({d});
    dk = (ds.T @ q) * rsqrt({d});
    dv = (p as bf16).T @ do;
}}
"""
SCORES = {"full": "x", "causal": "where(iota({s})[:, None] >= iota({s}), x, -inf)"}
WAYS = {"two passes": "", "one pass": "@nondeterministic\n"}
CASES = [(kind, d, s) for kind in SCORES for d in (64, 128) for s in (4096, 8192)]


def name_of(kind, d, s, way):
    return f"backward_{kind}_{d}_{s}_{way.replace(' ', '_')}"


def emit(fusec, folder, arch="sm_90a"):
    folder.mkdir(parents=True, exist_ok=True)
    for (kind, d, s), way in itertools.product(CASES, WAYS):
        path = folder / f"{name_of(kind, d, s, way)}.fx"
        path.write_text(MODEL.format(b=TOKENS // s, h=HEADS, s=s, d=d, attribute=WAYS[way],
                                     scores=SCORES[kind].format(s=s)))
        command = [fusec, path, "--target", "cuda", "--arch", arch, "-o", path.with_suffix(".cu")]
        subprocess.run(command, check=True)


class Case:
    def __init__(self, torch, kind, d, s, libraries):
        self.torch, self.kind, self.d, self.s = torch, kind, d, s
        shape = (TOKENS // s, HEADS, s, d)
        self.q, self.k, self.v, self.do = (
            torch.empty(shape, device="cuda").uniform_(-1, 1).bfloat16() for _ in range(4))
        self.o, self.lse = torch.empty_like(self.q), torch.empty(shape[:3], device="cuda")
        for b in range(shape[0]):
            for h in range(HEADS):
                x = self.scores(b, h, torch.float32)
                self.lse[b, h] = torch.logsumexp(x, -1)
                self.o[b, h] = torch.softmax(x, -1) @ self.v[b, h].float()
        self.outs = [torch.full_like(self.q, math.nan) for _ in range(3)]
        self.libraries = dict(zip(WAYS, (ctypes.CDLL(str(path)) for path in libraries), strict=True))

    def scores(self, b, h, dtype):
        x = self.q[b, h].to(dtype) @ self.k[b, h].to(dtype).T * self.d ** -0.5
        if self.kind == "causal":
            x.masked_fill_(~self.torch.ones_like(x, dtype=self.torch.bool).tril(), -math.inf)
        return x

    def fusec(self, way):
        library = self.libraries[way]
        library.backward_workspace.restype = ctypes.c_longlong
        workspace = self.torch.empty(library.backward_workspace(), dtype=self.torch.uint8,
                                     device="cuda")
        tensors = (self.q, self.k, self.v, self.o, self.lse, self.do, *self.outs, workspace)
        pointers = [ctypes.c_void_p(t.data_ptr()) for t in tensors]

        def call():
            stream = ctypes.c_void_p(self.torch.cuda.current_stream().cuda_stream)
            if library.backward(*pointers, stream):
                sys.exit("a launch failed")
            return self.outs
        call.workspace = workspace
        return call

    def sdpa(self, backend):
        from torch.nn.attention import SDPBackend, sdpa_kernel
        inputs = [t.detach().requires_grad_() for t in (self.q, self.k, self.v)]
        with sdpa_kernel(getattr(SDPBackend, backend)):
            out = self.torch.nn.functional.scaled_dot_product_attention(
                *inputs, is_causal=self.kind == "causal")
        return lambda: self.torch.autograd.grad(out, inputs, self.do, retain_graph=True)

    def arms(self):
        for way in WAYS:
            yield way, lambda way=way: self.fusec(way)
        yield "cuDNN", lambda: self.sdpa("CUDNN_ATTENTION")
        yield "flash", lambda: self.sdpa("FLASH_ATTENTION")

    def error(self, results):
        worst = 0
        for b, h in ((0, 0), (-1, -1)):
            q, k, v, do = (t[b, h].double() for t in (self.q, self.k, self.v, self.do))
            p = self.torch.softmax(self.scores(b, h, self.torch.float64), -1)
            dp = do @ v.T
            ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * self.d ** -0.5
            for result, right in zip(results, (ds @ k, ds.T @ q, p.T @ do), strict=True):
                worst = max(worst, ((result[b, h] - right).norm() / right.norm()).item())
        return worst


def measure(case):
    """name -> (seconds, error), of those arms that take it."""
    calls, errors, times = {}, {}, {}
    for name, arm in case.arms():
        try:
            call = arm()
            errors[name] = case.error(call())
        except RuntimeError:
            continue
        calls[name], times[name] = call, []
        seconds_of(case.torch, call, 3)
    count = max(2, int(8e-3 / seconds_of(case.torch, calls["two passes"], 3)))
    for _ in range(15):
        for name, call in calls.items():
            times[name].append(seconds_of(case.torch, call, count))
    return {name: (statistics.median(times[name]), errors[name]) for name in calls}


def run(folder):
    import torch
    torch.manual_seed(1)
    sources = [folder / f"{name_of(*case, way)}.cu" for case in CASES for way in WAYS]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        libraries = list(pool.map(compiled, sources))
    arms = (*WAYS, "cuDNN", "flash")
    print(f"| scores | D | S | {' | '.join(f'{arm} us | error' for arm in arms)} | TFLOP/s "
          f"| cuDNN / two | cuDNN / one | flash / two |\n" + "|---" * 15 + "|")
    for i, (kind, d, s) in enumerate(CASES):
        found = measure(Case(torch, kind, d, s, libraries[len(WAYS) * i:][:len(WAYS)]))
        two, one = (found[way][0] for way in WAYS)
        flops = 10 * TOKENS * HEADS * s * d / (1 if kind == "full" else 2)
        peers = [found.get(arm) for arm in arms]
        cells = [f"{1e6 * p[0]:.1f} | {p[1]:.1e}" if p else "- | -" for p in peers]
        ratios = [f"{found[peer][0] / own:.2f}" if peer in found else "-"
                  for peer, own in (("cuDNN", two), ("cuDNN", one), ("flash", two))]
        rates = f"{1e-12 * flops / two:.0f}, {1e-12 * flops / one:.0f}"
        print(f"| {kind} | {d} | {s} | {' | '.join((*cells, rates, *ratios))} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "emit":
        emit(pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]), *sys.argv[4:])
    else:
        run(pathlib.Path(sys.argv[2]))
