#!/usr/bin/env python3
"""Attention of f32, forward and backward, that fusec emits, on a GPU, beside PyTorch in the same run.

    python3 bench/gpu_attention_f32.py build FUSEC FOLDER [D,.. [S,..]] [causal]   needs nvcc, no GPU
    python3 bench/gpu_attention_f32.py run FOLDER [D,.. [S,..]] [causal]           needs a GPU and PyTorch

build emits and compiles for sm_90a, run measures. softmax(q k.T / sqrt(D)) v of [8, S, D], compiled
for each S, as torch.compile does it. fusec: products of f32 (ieee), of operands rounded to tf32, of
three tf32 or bf16 products each (tf32x3, bf16x3), and all in bf16. PyTorch: the formula, eager and by
torch.compile, with f32 products, and scaled_dot_product_attention (sdpa), which multiplies f32 in three
products of tf32. Times in us are medians of calls in turn, for
0.5 s or 15 rounds; up to S = 4096 calls are replays of CUDA graphs, so that Python's time does not count.
Errors are those of o, or the largest of dq, dk, dv, against the formula in f64 (one of the batch),
relative to the norm.
"""
import itertools
import pathlib
import statistics
import sys
import time

from gpu_clock import graphed, seconds_of
from gpu_emitted import Pair, build

BATCH, DEPTHS, LENGTHS = 8, (16, 32, 64, 128), (256, 1024, 4096, 16384)
GRAPHED = 4096  # the longest S whose calls are graphs
MODEL = """{attribute}fn attend[S](q: {t}[8, S, {d}], k: {t}[8, S, {d}], v: {t}[8, S, {d}]) -> (o: {t}[8, S, {d}]) {{
    s = q @ k.T * rsqrt({d});
    o = (softmax({scores}) as {t}) @ v;
}}
{attribute}fn fwd, bwd = train(attend);
"""
KINDS = {"ieee": ("", "f32"), "tf32": ("@precision(tf32)\n", "f32"),
         "tf32x3": ("@precision(tf32x3)\n", "f32"), "bf16x3": ("@precision(bf16x3)\n", "f32"), "bf16": ("", "bf16")}

CAUSAL = "where(iota(S)[:, None] >= iota(S), s, -inf)"
PRECISIONS = ("ieee", "tf32", "tf32x3", "bf16x3")


def file_of(kind, d, s):
    return f"attention_{kind}_{d}_{s}"


def build_all(fusec, folder, depths, lengths, causal):
    scores = CAUSAL if causal else "s"
    for d, s, kind in itertools.product(depths, lengths, KINDS):
        attribute, t = KINDS[kind]
        build(fusec, folder, file_of(kind, d, s), MODEL.format(attribute=attribute, t=t, d=d, scores=scores),
              {"S": s})


class Case:
    def __init__(self, torch, folder, d, s, causal):
        self.causal, self.after = causal, None
        if causal:  # keys after each query
            self.after = torch.ones((s, s), dtype=torch.bool, device="cuda").triu(1)
        self.torch, self.folder, self.d, self.s = torch, folder, d, s
        self.inputs = [torch.empty((BATCH, s, d), device="cuda").uniform_(-1, 1) for _ in range(3)]
        self.do = torch.empty((BATCH, s, d), device="cuda").uniform_(-1, 1)
        self.count = 2 if s > GRAPHED else 4

    def formula(self, q, k, v):
        s = q @ k.transpose(-1, -2) * self.d ** -0.5
        return self.torch.softmax(s.masked_fill(self.after, -self.torch.inf) if self.causal else s, -1) @ v

    def sdpa(self, q, k, v):
        """Of four axes, since of three PyTorch stores the scores."""
        return self.torch.nn.functional.scaled_dot_product_attention(
            q[:, None], k[:, None], v[:, None], is_causal=self.causal)[:, 0]

    def fusec(self, kind):
        dtype = {"f32": self.torch.float32, "bf16": self.torch.bfloat16}[KINDS[kind][1]]
        inputs, do = [t.to(dtype) for t in self.inputs], self.do.to(dtype)
        pair = Pair(self.torch, self.folder, file_of(kind, self.d, self.s), {"S": self.s})
        _, made = pair.forward(inputs)
        return lambda: pair.forward(inputs)[0], lambda: pair.backward(inputs, made, [do])

    def autograd(self, function):
        inputs = [t.detach().requires_grad_() for t in self.inputs]
        o = function(*inputs)
        return (lambda: [function(*inputs).detach()],
                lambda: self.torch.autograd.grad(o, inputs, self.do, retain_graph=True))

    def arms(self):
        yield "eager", lambda: self.autograd(self.formula)
        yield "compile", lambda: self.autograd(self.torch.compile(self.formula, dynamic=False))
        yield "sdpa", lambda: self.autograd(self.sdpa)
        for kind in KINDS:
            yield kind, lambda kind=kind: self.fusec(kind)

    def right(self):
        """o, and dq, dk, dv, of the first of the batch."""
        inputs = [t[:1].double().requires_grad_() for t in self.inputs]
        o = self.formula(*inputs)
        return [o.detach()], self.torch.autograd.grad(o, inputs, self.do[:1].double())


def error_of(results, right):
    return max(((mine[:1] - other).norm() / other.norm()).item()
               for mine, other in zip(results, right, strict=True))


def measure(case):
    """arm -> (seconds, errors), each forward and backward."""
    right, calls, errors = case.right(), {}, {}
    for name, arm in case.arms():
        calls[name] = arm()
        errors[name] = [error_of(call(), r) for call, r in zip(calls[name], right, strict=True)]
    del right
    if case.s <= GRAPHED:
        calls = {name: [graphed(case.torch, call) for call in pair] for name, pair in calls.items()}
    times = {name: ([], []) for name in calls}
    begun = time.perf_counter()
    while len(times["eager"][0]) < 3 or (time.perf_counter() - begun < 0.5
                                         and len(times["eager"][0]) < 15):
        for name, pair in calls.items():
            for call, of_call in zip(pair, times[name], strict=True):
                of_call.append(seconds_of(case.torch, call, case.count))
    return {name: ([statistics.median(t) for t in times[name]], errors[name]) for name in calls}


def run(folder, depths, lengths, causal):
    import torch
    import torch._functorch.config as functorch_config
    functorch_config.donated_buffer = False  # a backward pass is called many times
    torch.manual_seed(1)
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}\n")
    arms = ["eager", "compile", "sdpa", *KINDS]
    print(f"| D | S | pass | {' | '.join(arms)} | error {' | '.join(KINDS)} | best peer / "
          f"{' | / '.join(PRECISIONS)} |\n|" + "---:|" * 17)
    for d in depths:
        for s in lengths:
            torch._dynamo.reset()
            with torch.cuda.stream(torch.cuda.Stream()):  # the default one cannot be captured
                found = measure(Case(torch, folder, d, s, causal))
            for i, name in enumerate(("forward", "backward")):
                times = {arm: found[arm][0][i] for arm in arms}
                best = min(times[arm] for arm in arms[:3])
                cells = [d, s, name, *(f"{1e6 * t:.1f}" for t in times.values()),
                         *(f"{found[kind][1][i]:.1e}" for kind in KINDS),
                         *(f"{best / times[kind]:.2f}" for kind in PRECISIONS)]
                print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("build", "run"):
        sys.exit(__doc__)
    builds = sys.argv[1] == "build"
    folder, *words = sys.argv[3 if builds else 2:]
    causal = words[-1:] == ["causal"]
    words = words[:len(words) - causal]
    numbers = [[int(n) for n in word.split(",")] for word in words]
    sizes = numbers + [DEPTHS, LENGTHS][len(numbers):]
    if builds:
        build_all(sys.argv[2], pathlib.Path(folder), *sizes, causal)
    else:
        run(pathlib.Path(folder), *sizes, causal)


if __name__ == "__main__":
    main()
