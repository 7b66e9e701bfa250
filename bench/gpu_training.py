#!/usr/bin/env python3
"""Forward and backward passes that fusec derives, on a GPU, beside torch.compile in the same run.

    python3 bench/gpu_training.py build FUSEC FOLDER [ARCH]   emits and compiles; needs nvcc, no GPU
    python3 bench/gpu_training.py run FOLDER [NAME..]         measures; needs a GPU and PyTorch

The backward of norms reads x and dy, and writes dx, dgain and dbias. The others are a forward and a
backward pass, with what the first keeps for the second, which may overwrite it; peak is what a call
allocates beside its inputs. Every result is compared with PyTorch's eager one in f64 first: the error is
the largest of all outputs and gradients, relative to its norm. Calls of all arms take turns; times are
medians of 15 rounds. One set of inputs and results is larger than the L2 cache.
"""
import pathlib
import statistics
import sys

from gpu_clock import seconds_of
from gpu_emitted import Emitted, Pair, build

LAYER_NORM = """fn rows[N, D](x: {0}[N, D], gain: {0}[D], bias: {0}[D]) -> (y: {0}[N, D]) {{
    y = layer_norm(x, gain, bias, eps = 1e-5);
}}
fn bwd = vjp(rows);
"""
RMS_NORM = """fn rows[N, D](x: {0}[N, D], gain: {0}[D]) -> (y: {0}[N, D]) {{
    y = rms_norm(x, gain, eps = 1e-6);
}}
fn bwd = vjp(rows);
"""
GEGLU = """fn geglu[N, D](x: {0}[N, D], w: {0}[8*D, D], b: {0}[8*D]) -> (y: {0}[N, 4*D]) {{
    v, g = split((x @ w.T + b) as {0}, 2);
    y = v * gelu(g);
}}
@consume
fn fwd, bwd = train(geglu);
"""
SWIGLU = """fn swiglu[N, D, F](x: {0}[N, D], gate: {0}[F, D], up: {0}[F, D], down: {0}[D, F])
    -> (y: {0}[N, D]) {{
    h = (silu((x @ gate.T) as {0}) * ((x @ up.T) as {0})) as {0};
    y = h @ down.T;
}}
@consume
fn fwd, bwd = train(swiglu);
"""
LOSS = """fn loss_of[N, V, D](x: {0}[N, D], w: {0}[V, D], labels: i32[N]) -> (loss: f32[N]) {{
    loss = cross_entropy((x @ w.T) as {0}, labels);
}}
@consume
fn fwd, bwd = train(loss_of);
"""
ROWS = {"N": 32768, "D": 4096}
# name: model, type, dims, shapes of the inputs that have a gradient
CASES = {
    f"{kind}, {dtype}": (text, dtype, ROWS, [(32768, 4096)] + [(4096,)] * more)
    for kind, text, more in (("layer_norm", LAYER_NORM, 2), ("rms_norm", RMS_NORM, 1))
    for dtype in ("bf16", "f32")
} | {
    "geglu": (GEGLU, "bf16", {"N": 16384, "D": 1024}, [(16384, 1024), (8192, 1024), (8192,)]),
    "swiglu": (SWIGLU, "bf16", {"N": 8192, "D": 2048, "F": 5632},
               [(8192, 2048), (5632, 2048), (5632, 2048), (2048, 5632)]),
    "linear, cross_entropy": (LOSS, "bf16", {"N": 4096, "V": 50304, "D": 2048},
                              [(4096, 2048), (50304, 2048)]),
}
NORMS = [name for name in CASES if "norm" in name]
ROUNDS = 15


def file_of(name):
    return "training_" + name.replace(", ", "_")


def build_all(fusec, folder, arch="sm_90a"):
    for name, (text, dtype, dims, _) in CASES.items():
        build(fusec, folder, file_of(name), text.format(dtype), dims, arch)


def function_of(torch, name):
    """The forward pass, in PyTorch, of the inputs and the labels."""
    functional = torch.nn.functional

    def layer_norm(x, gain, bias):
        return functional.layer_norm(x, x.shape[-1:], gain, bias, 1e-5)

    def rms_norm(x, gain):
        return functional.rms_norm(x, x.shape[-1:], gain, 1e-6)

    def geglu(x, w, b):
        v, g = functional.linear(x, w, b).chunk(2, dim=-1)
        return v * functional.gelu(g)

    def swiglu(x, gate, up, down):
        return functional.linear(
            functional.silu(functional.linear(x, gate)) * functional.linear(x, up), down)

    def linear(x, w, labels):
        logits = functional.linear(x, w)
        logits = logits if x.dtype == torch.float64 else logits.float()
        return functional.cross_entropy(logits, labels, reduction="none")

    return locals()[name.split(",")[0]]


class Case:
    def __init__(self, torch, folder, name):
        self.torch, self.name = torch, name
        _, dtype, self.dims, shapes = CASES[name]
        dtype = {"bf16": torch.bfloat16, "f32": torch.float32}[dtype]
        uniform = lambda shape: torch.empty(shape, device="cuda").uniform_(-1, 1)  # noqa: E731
        # Weights as they are at the start of training: results have the size of the inputs.
        self.leaves = [(uniform(s) * (s[1] ** -0.5 if i and len(s) > 1 else 1)).to(dtype)
                       for i, s in enumerate(shapes)]
        self.labels = ([torch.randint(0, self.dims["V"], (self.dims["N"],), device="cuda")]
                       if "V" in self.dims else [])
        self.function = function_of(torch, name)
        with torch.no_grad():
            y = self.function(*self.leaves, *self.labels)
        self.dy = uniform(y.shape).to(y.dtype)
        self.folder = folder

    def fusec(self):
        given = self.leaves + [t.int() for t in self.labels]
        if self.name in NORMS:
            bwd = Emitted(self.torch, self.folder, file_of(self.name), "bwd")
            return lambda: bwd(*given, self.dy)
        pair = Pair(self.torch, self.folder, file_of(self.name))

        def call():
            outputs, made = pair.forward(given)
            return outputs + pair.backward(given, made, [self.dy])
        return call

    def autograd(self, function, dtype=None):
        inputs = [t.to(dtype or t.dtype).detach().requires_grad_() for t in self.leaves]
        dy = self.dy.to(dtype or self.dy.dtype)
        grad = self.torch.autograd.grad
        if self.name in NORMS:
            y = function(*inputs)
            return lambda: list(grad(y, inputs, dy, retain_graph=True))

        def call():
            y = function(*inputs, *self.labels)
            return [y.detach(), *grad(y, inputs, dy)]
        return call

    def arms(self):
        yield "fusec", self.fusec()
        yield "eager", self.autograd(self.function)
        yield "compile", self.autograd(self.torch.compile(self.function, dynamic=False))

    def right(self):
        return [t.cpu() for t in self.autograd(self.function, self.torch.float64)()]

    def error(self, results, right):
        worst = 0
        for mine, other in zip(results, right, strict=True):
            other = other.cuda()
            worst = max(worst, ((mine - other).norm() / other.norm()).item())
        return worst

    def peak(self, call):
        """Bytes that one call allocates at most."""
        cuda = self.torch.cuda
        cuda.synchronize()
        cuda.reset_peak_memory_stats()
        before = cuda.memory_allocated()
        call()
        cuda.synchronize()
        return cuda.max_memory_allocated() - before


def measure(case):
    """name -> (seconds, error, peak bytes)."""
    right, found, times, calls = case.right(), {}, {}, {}
    for name, call in case.arms():
        error = case.error(call(), right)
        seconds_of(case.torch, call, 3)
        calls[name], times[name], found[name] = call, [], (error, case.peak(call))
    del right
    count = max(2, int(10e-3 / seconds_of(case.torch, calls["fusec"], 3)))
    for _ in range(ROUNDS):
        for name, call in calls.items():
            times[name].append(seconds_of(case.torch, call, count))
    return {name: (statistics.median(times[name]), *found[name]) for name in calls}


def norm_cells(case, found):
    x, size = case.leaves[0], sum(t.numel() * t.element_size() for t in case.leaves[1:])
    moved = 3 * x.numel() * x.element_size() + 2 * size
    for seconds, error, _ in found.values():
        yield from (f"{1e6 * seconds:.1f}", f"{1e-9 * moved / seconds:.0f}", f"{error:.1e}")


def pass_cells(_, found):
    for seconds, error, peak in found.values():
        yield from (f"{1e6 * seconds:.0f}", f"{peak / 2**20:.0f}", f"{error:.1e}")


def run(folder, words):
    import torch
    import torch._functorch.config as functorch_config
    torch.manual_seed(1)
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}")
    passes = [name for name in CASES if name not in NORMS]
    for what, names, unit, cells in (("backward of", NORMS, "GB/s", norm_cells),
                                     ("function", passes, "peak MiB", pass_cells)):
        names = [n for n in names if not words or any(word in n for word in words)]
        heads = " | ".join(f"{arm} us | {unit} | error" for arm in ("fusec", "eager", "compile"))
        if names:
            print(f"\n| {what} | dims | {heads} | compile / fusec |\n|---|---|" + "---:|" * 10)
        for name in names:
            functorch_config.donated_buffer = name not in NORMS  # their backward is called many times
            case = Case(torch, folder, name)
            found = measure(case)
            dims = " ".join(f"{dim}={size}" for dim, size in case.dims.items())
            print(f"| {name} | {dims} | {' | '.join(cells(case, found))} "
                  f"| {found['compile'][0] / found['fusec'][0]:.2f} |", flush=True)


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("build", "run"):
        sys.exit(__doc__)
    if sys.argv[1] == "build":
        build_all(sys.argv[2], pathlib.Path(sys.argv[3]), *sys.argv[4:])
    else:
        run(pathlib.Path(sys.argv[2]), sys.argv[3:])


if __name__ == "__main__":
    main()
