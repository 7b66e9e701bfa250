#!/usr/bin/env python3
"""Forward and backward passes that fusec derives, on the CPU, beside PyTorch, eager and torch.compile,
in one process and in turn. Prints a Markdown table; its last column says how far the results of both
lie apart.

    python3 bench/cpu_training.py BUILD [--only WORD..] [--threads 1,2] [--seconds 3] [--no-compile]

The forward pass keeps what its backward pass takes; that of PyTorch runs with autograd's recording.
BUILD holds libfusec.so. The interpreter needs PyTorch, NumPy and a C++ compiler (for torch.compile).
"""
import argparse
import dataclasses
import datetime
import os
import statistics
import sys
from typing import Callable, List

import torch
import torch._functorch.config as functorch_config
import torch.nn.functional as F

import cpu_torch


@dataclasses.dataclass
class Work:
    name: str
    text: str   # of the function f
    sizes: List[str]
    function: Callable
    tolerance: float = 1e-5  # of the norm of the difference to eager's result


MLP = """fn f[N, D](x: {0}[N, D], w1: {0}[4*D, D], b1: {0}[4*D], w2: {0}[D, 4*D], b2: {0}[D]) -> (y: {0}[N, D]) {{
    h = gelu((x @ w1.T + b1) as {0});
    y = (h as {0}) @ w2.T + b2;
}}"""
SWIGLU = """fn f[N, D, F](x: {0}[N, D], gate: {0}[F, D], up: {0}[F, D], down: {0}[D, F]) -> (y: {0}[N, D]) {{
    h = silu((x @ gate.T) as {0}) * ((x @ up.T) as {0});
    y = (h as {0}) @ down.T;
}}"""


def mlp(x, w1, b1, w2, b2):
    return F.linear(F.gelu(F.linear(x, w1, b1)), w2, b2)


def swiglu(x, gate, up, down):
    return F.linear(F.silu(F.linear(x, gate)) * F.linear(x, up), down)


HEADS, LONG = "B=1 H=8 S=1024 D=64", "B=1 H=4 S=2048 D=128"
WORKS = [
    Work("attention f32", cpu_torch.attention("f32", False), [HEADS, LONG], cpu_torch.sdpa(False)),
    Work("attention f32, causal", cpu_torch.attention("f32", True), [HEADS], cpu_torch.sdpa(True)),
    Work("attention bf16", cpu_torch.attention("bf16", False), [HEADS, LONG], cpu_torch.sdpa(False),
         2e-2),
    Work("attention bf16, causal", cpu_torch.attention("bf16", True), [HEADS], cpu_torch.sdpa(True),
         2e-2),
    Work("MLP f32", MLP.format("f32"), ["N=512 D=768", "N=32 D=256"], mlp),
    Work("MLP bf16", MLP.format("bf16"), ["N=512 D=768"], mlp, 2e-2),
    Work("SwiGLU f32", SWIGLU.format("f32"), ["N=512 D=768 F=2048"], swiglu),
    Work("SwiGLU bf16", SWIGLU.format("bf16"), ["N=512 D=768 F=2048"], swiglu, 2e-2),
]


class Ours:
    """Passes by fusec for one set of inputs and the cotangent of the output."""

    def __init__(self, model, inputs, dy):
        self.model, self.inputs, self.dy = model, inputs, dy
        names = [a.name for a in model.fwd.outputs]
        made = dict(zip(names, as_tuple(model.fwd(*inputs))))
        self.given = [made.get(a.name, dy) for a in model.bwd.inputs[len(inputs):]]

    def forward(self):
        return as_tuple(self.model.fwd(*self.inputs))

    def backward(self):
        return as_tuple(self.model.bwd(*self.inputs, *self.given))


class Theirs:
    """The same by PyTorch."""

    def __init__(self, function, inputs, dy):
        self.function, self.dy = function, dy
        self.inputs = [t.detach().requires_grad_() for t in inputs]
        self.y = function(*self.inputs)

    def forward(self):
        return (self.function(*self.inputs),)

    def backward(self):
        return torch.autograd.grad(self.y, self.inputs, self.dy, retain_graph=True)


def as_tuple(results):
    return results if isinstance(results, tuple) else (results,)


def scaled(inputs):
    """Weights as they are at the start of training, so that results have the size of the inputs."""
    return [t * t.shape[-1] ** -0.5 if i and t.dim() == 2 else t for i, t in enumerate(inputs)]


def arms_of(fusec, work, dims, threads, options):
    """By arm: its passes for each set of inputs."""
    model = fusec.compile(f"{work.text}\nfn fwd, bwd = train(f);", threads=threads, policy="exact")
    sets = [scaled(inputs) for inputs in cpu_torch.input_sets(model.fwd.inputs, dims)]
    with torch.no_grad():
        cotangents = [(torch.rand(y.shape) * 2 - 1).to(y.dtype)
                      for y in (work.function(*inputs) for inputs in sets)]
    functions = {"eager": work.function}
    if options.compile:
        torch._dynamo.reset()
        functions["compile"] = torch.compile(work.function, dynamic=False)
    arms = {"fusec": [Ours(model, *pair) for pair in zip(sets, cotangents)]}
    for name, function in functions.items():
        arms[name] = [Theirs(function, *pair) for pair in zip(sets, cotangents)]
    return model, arms


def rows(fusec, work, size, threads, options):
    dims = {d: int(n) for d, n in (word.split("=") for word in size.split())}
    model, arms = arms_of(fusec, work, dims, threads, options)
    agree, count = True, len(arms["fusec"])
    for name, function in (("forward", model.fwd), ("backward", model.bwd)):
        calls = {arm: lambda i, made=made: getattr(made[i], name)() for arm, made in arms.items()}
        results = {arm: call(0) for arm, call in calls.items()}  # what is not compiled yet, is now
        mine, eager = results["fusec"], results["eager"]
        apart = cpu_torch.difference(tuple(mine[:len(eager)]), tuple(t.detach() for t in eager))
        times = cpu_torch.in_turn(calls, [(i,) for i in range(count)], options.seconds, threads)
        least, median = ({a: pick(t) for a, t in times.items()} for pick in (min, statistics.median))
        peers = list(arms)[1:]
        rate = function.work(**dims)[1] / least["fusec"] * 1e-9
        good = apart <= work.tolerance
        cells = [work.name, size, threads, name, *(f"{1e3 * least[a]:.3f}" for a in arms),
                 f"{rate:.1f}", *(f"{min(t[p] for p in peers) / t['fusec']:.2f}" for t in (least, median)),
                 f"{apart:.0e}" if good else f"**{apart:.0e}**"]
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)
        agree &= good
    return agree


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--only", nargs="*", default=[""], help="functions whose names have one of these")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--seconds", type=float, default=3, help="of each row")
    parser.add_argument("--no-compile", dest="compile", action="store_false")
    options = parser.parse_args()
    fusec = cpu_torch.load_fusec(options.build)
    cpu_torch.keep_pages()
    functorch_config.donated_buffer = False  # a backward pass is called many times
    torch.manual_seed(0)
    load = " ".join(f"{x:.2f}" for x in os.getloadavg())
    print(f"{datetime.date.today()}, {cpu_torch.processor()}, PyTorch {torch.__version__}, fusec "
          f"{fusec.version()}, `bench/cpu_training.py --seconds {options.seconds:g}`. Milliseconds: the "
          f"least of calls in turn; one thread by its own clock. Load of the machine: {load}.\n")
    arms = ["fusec", "eager"] + (["torch.compile"] if options.compile else [])
    print("| function | size | threads | pass |", *(f"{a} |" for a in arms),
          "G/s | best peer / fusec | of medians | difference |")
    print("|---|---|---:|---|" + "---:|" * (len(arms) + 4))
    agree = True
    for work in (w for w in WORKS if any(word in w.name for word in options.only)):
        for size in work.sizes:
            for threads in (int(n) for n in options.threads.split(",")):
                torch.set_num_threads(threads)
                agree &= rows(fusec, work, size, threads, options)
    sys.exit(0 if agree else "results differ: those in bold")


if __name__ == "__main__":
    main()
