#!/usr/bin/env python3
"""Times models of random shapes beside PyTorch: what the tables of bench/results do not hold.

    python3 bench/random_shapes.py FUSEC cuda|cpu [--seed 1] [--seconds 300] [--only REGEX] [--threads 1]
                                   [--models FOLDER]

Each class of work (products of several layouts, few rows, batches, epilogues, attentions, rows, reductions
over any axes, permutes, running sums, pointwise work, concat, take, and as `further` products of other
types, softmaxes and norms along any axes, casts, pads, flips, slices, scatters) has sizes that are drawn
log-uniformly: odd ones, too. The peer is eager PyTorch; of attentions the fastest backend. The cases are taken in random
order until the time is over. Prints a line for each, then a Markdown table, slowest first beside the peer:
`of floor` is the least time by bytes and operations, at the rates below, divided by the median time. The
same seed gives the same cases. --models: their texts are written there, and nothing is timed.
"""
import argparse
import json
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

SIZE = {"f32": 4, "bf16": 2, "f16": 2, "i8": 1, "u8": 1, "bool": 1, "f8e4m3": 1, "i32": 4, "i64": 8}
# Bytes and operations per second of the floor: an H200, and one core of a server.
RATES = {"cuda": (4.2e12, {"bf16": 780e12, "f16": 780e12, "f32": 50e12, "f8e4m3": 1560e12,
                          "i8": 1560e12}),
         "cpu": (12e9, {"bf16": 200e9, "f16": 100e9, "f32": 100e9, "i32": 400e9, "i8": 400e9})}
ACTIVATIONS = ("gelu", "relu", "silu", "tanh", "sigmoid")
POINTWISE = ("exp(a) * b + c", "a * sigmoid(b) - c", "tanh(a + b) * c", "log(abs(a) + 1) / (abs(b) + 1) + c",
             "sin(a) * cos(b) + c", "erf(a) * b - c", "where(a > b, a, c)", "gelu(a) + b * c",
             "expm1(a) + log1p(abs(b)) * c", "atan2(a, b) + c")


@dataclass
class Case:
    kind: str
    shape: str  # what the table says of it
    model: str
    inputs: list  # (type, shape), or ("index", shape, bound)
    peer: object  # of torch, torch.nn.functional and the inputs
    bytes: float
    operations: float = 0
    type: str = "f32"


def tensor(dtype, shape):
    return f"{dtype}[{', '.join(map(str, shape))}]" if shape else dtype


def size_of(dtype, shape):
    return SIZE.get(dtype, 4) * math.prod(shape)


def model(inputs, output, body):
    given = ", ".join(f"{name}: {tensor(*t)}" for name, t in inputs)
    return f"fn f({given}) -> (y: {tensor(*output)}) {{\n    {body}\n}}\n"


class Cases:
    """The cases of a seed. On a CPU, of a hundredth of the work."""
    def __init__(self, seed, device):
        self.random = random.Random(seed)
        self.device = device
        self.scale = 1 if device == "cuda" else 0.01
        self.all = []

    def number(self, low, high, step=1):
        """Log-uniform, a multiple of the step."""
        drawn = math.exp(self.random.uniform(math.log(low), math.log(high)))
        return max(1, round(drawn / step)) * step

    def shape(self, least_rank, most_rank):
        """Of a few million elements."""
        elements = self.random.uniform(2e6, 6e7) * self.scale
        shape = []
        for _ in range(self.random.randint(least_rank, most_rank) - 1):
            shape.append(self.number(2, max(3, (elements / math.prod(shape)) ** 0.6)))
        shape.append(max(1, int(elements / math.prod(shape))))
        self.random.shuffle(shape)
        return shape

    def add(self, kind, shape, inputs, output, body, peer, operations=0):
        tensors = [t for _, t in inputs]
        stored = sum(size_of(*t[:2]) for t in tensors) + size_of(*output)
        text = model([(n, ("i32", t[1]) if t[0] == "index" else t) for n, t in inputs], output, body)
        self.all.append(Case(kind, shape, text, tensors, peer, stored, operations, output[0]))

    # ---- products -------------------------------------------------------------------------------

    def product(self, kind, m, n, k, dtype="bf16", layout="nt", batch=(), epilogue=None):
        """layout: is each operand as it is multiplied (n), or transposed (t)? epilogue: (bias,
        activation, residual)."""
        left = (*batch, m, k) if layout[0] == "n" else (*batch, k, m)
        right = (*batch, k, n) if layout[1] == "n" else (*batch, n, k)
        inputs = [("a", (dtype, left)), ("b", (dtype, right))]
        value = f"{'a' if layout[0] == 'n' else 'a.T'} @ {'b' if layout[1] == 'n' else 'b.T'}"
        bias, activation, residual = epilogue or (False, None, False)
        if bias:
            inputs.append(("c", (dtype, (n,))))
            value = f"({value} + c)"
        if activation:
            value = f"{activation}({value})"
        if residual:
            inputs.append(("r", (dtype, (*batch, m, n))))
            value = f"{value} + r"

        def peer(torch, F, a, b, *more):
            y = torch.matmul(a if layout[0] == "n" else a.mT, b if layout[1] == "n" else b.mT)
            more = list(more)
            y = y + more.pop(0) if bias else y
            y = getattr(F, activation, None)(y) if activation else y
            return y + more.pop(0) if residual else y
        what = " ".join(filter(None, ("bias" if bias else "", activation, "residual" if residual else "")))
        self.add(kind, f"{dtype} {layout} {[*batch] or ''}{m} x {n} x {k} {what}".strip(), inputs,
                 (dtype, (*batch, m, n)), f"y = ({value}) as {dtype};", peer,
                 2 * math.prod(batch) * m * n * k)

    def sizes(self, most, step, least=64):
        """Of a product whose work is neither tiny nor endless."""
        while True:
            drawn = [self.number(least, most, step) for _ in range(3)]
            if 2e8 * self.scale < 2 * math.prod(drawn) < 6e11 * self.scale:
                return drawn

    def products(self):
        draw = self.random
        for i in range(8):
            self.product("product", *self.sizes(12000, 8 if i % 2 else 1))
        for i in range(6):
            self.product("product, layouts", *self.sizes(8000, 8), layout=("nn", "tn", "tt")[i % 3])
        for _ in range(2):
            self.product("product", *self.sizes(8000, 2), dtype="f16")
        for _ in range(4):
            self.product("product f32", *self.sizes(4000, 1), dtype="f32")
        for rows in (draw.randint(1, 16) for _ in range(6)):
            self.product("few rows", rows, self.number(1000, 20000, 8), self.number(1000, 16000, 8))
        for rows in (draw.randint(17, 96) for _ in range(4)):
            self.product("some rows", rows, self.number(1000, 20000, 8), self.number(1000, 12000, 8))
        for columns in (draw.randint(1, 64) for _ in range(3)):
            self.product("few columns", self.number(2000, 40000, 8), columns, self.number(500, 8000, 8),
                         layout="n" + draw.choice("nt"))
        for _ in range(6):
            sizes = [self.number(16, 1200, draw.choice([1, 8])) for _ in range(3)]
            self.product("batches", *sizes, batch=(self.number(4, 300),), layout="n" + draw.choice("nt"))
        for _ in range(8):
            epilogue = (draw.random() < 0.5, draw.choice(ACTIVATIONS), draw.random() < 0.4)
            self.product("epilogue", *self.sizes(9000, 8, 256), epilogue=epilogue)

    # ---- attention ------------------------------------------------------------------------------

    def attention(self, kind, batch, heads, groups, queries, keys, depth, causal, dtype="bf16"):
        q, k = (batch, heads * groups, queries, depth), (batch, heads, keys, depth)
        where = f"where(iota({queries})[:, None] >= iota({keys}), s, -inf)" if causal else "s"
        body = (f"p = reshape(q, {batch}, {heads}, {groups}, {queries}, {depth});\n"
                f"    s = einsum(\"bhgqd,bhkd->bhgqk\", p, k) * {depth ** -0.5!r};\n"
                f"    w = softmax({where}) as {dtype};\n"
                f"    y = reshape(einsum(\"bhgqk,bhkd->bhgqd\", w, v), {', '.join(map(str, q))});")

        def peer(torch, F, q, k, v):
            return F.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=groups > 1)
        self.add(kind, f"{dtype} {batch} x {heads * groups} of {heads}, {queries} x {keys}, D={depth}"
                 f"{' causal' if causal else ''}", [("q", (dtype, q)), ("k", (dtype, k)), ("v", (dtype, k))],
                 (dtype, q), body, peer, (2 if causal else 4) * math.prod(q) * keys)

    def attentions(self):
        draw = self.random
        for _ in range(10):
            depth = draw.choice((16, 32, 40, 48, 64, 72, 80, 96, 112, 128, 160, 192, 256))
            queries = self.number(64, 6000)
            causal = draw.random() < 0.5
            keys = queries if causal or draw.random() < 0.6 else self.number(64, 6000)
            heads, groups = draw.randint(1, 16), draw.choice((1, 1, 1, 2, 4, 8))
            batch = int(3e11 * self.scale / (4 * heads * groups * queries * keys * depth))
            self.attention("attention", max(1, min(8, batch)), heads, groups, queries, keys, depth, causal)
        for _ in range(3):
            self.attention("attention, few queries", draw.randint(1, 16), draw.randint(2, 16),
                           draw.choice((1, 4, 8)), draw.randint(1, 4), self.number(500, 20000),
                           draw.choice((64, 128)), False)
        for length in (self.number(300, 2500) for _ in range(2)):
            self.attention("attention f32", 2, draw.randint(2, 16), 1, length, length,
                           draw.choice((32, 64, 80)), draw.random() < 0.5, "f32")

    # ---- rows, axes, elements -------------------------------------------------------------------

    def rows(self):
        for i in range(12):
            kind, dtype = ("softmax", "log_softmax", "layer_norm", "rms_norm")[i % 4], self.random.choice(
                ("bf16", "f32", "f16"))
            columns = self.number(3, 120000)
            shape = (max(1, int(self.number(2e6, 6e7) * self.scale) // columns), columns)
            names = {"layer_norm": "gh", "rms_norm": "g"}.get(kind, "")
            inputs = [("x", (dtype, shape)), *((name, (dtype, (columns,))) for name in names)]

            def peer(torch, F, x, *more, kind=kind, columns=columns):
                if kind in ("softmax", "log_softmax"):
                    return getattr(F, kind)(x, -1)
                return getattr(F, kind)(x, (columns,), *more)
            self.add(kind, f"{dtype} {shape[0]} x {columns}", inputs, (dtype, shape),
                     f"y = {kind}({', '.join(['x', *names])}) as {dtype};", peer)

    def reductions(self):
        draw = self.random
        for _ in range(18):
            shape, op = self.shape(1, 4), draw.choice(
                ("sum", "max", "mean", "var", "argmax", "any", "min", "logsumexp"))
            count = 1 if op == "argmax" else draw.randint(1, len(shape))
            axes = sorted(draw.sample(range(len(shape)), count))
            dtype = "bool" if op == "any" else draw.choice(("bf16", "f32", "f16"))
            result = {"argmax": "i32", "any": "bool", "max": dtype, "min": dtype}.get(op, "f32")

            def peer(torch, F, x, op=op, axes=tuple(axes)):
                if op in ("sum", "mean"):
                    return getattr(x, op)(axes, dtype=torch.float32)
                if op == "var":
                    return x.var(axes, correction=0)
                if op == "argmax":
                    return x.argmax(axes[0])
                return getattr(torch, {"max": "amax", "min": "amin"}.get(op, op))(x, dim=axes)
            along = axes[0] if op == "argmax" else axes
            self.add("reduction", f"{op} {dtype} {shape} along {along}", [("x", (dtype, shape))],
                     (result, [n for i, n in enumerate(shape) if i not in axes]),
                     f"y = {op}(x, axis = {along});", peer)

    def moves(self):
        draw = self.random
        for _ in range(12):
            shape, dtype = self.shape(2, 5), draw.choice(("bf16", "f32", "u8", "bf16", "f32"))
            order = list(range(len(shape)))
            while order == sorted(order):
                draw.shuffle(order)
            self.add("permute", f"{dtype} {shape} by {order}", [("x", (dtype, shape))],
                     (dtype, [shape[i] for i in order]), f"y = permute(x, {', '.join(map(str, order))});",
                     lambda torch, F, x, order=tuple(order): x.permute(order).contiguous())
        for _ in range(3):
            dtype, n, a, b = draw.choice(("bf16", "f32")), self.number(100, 20000), *(
                self.number(3, 3000) for _ in range(2))
            self.add("concat", f"{dtype} {n} x ({a} + {b})", [("a", (dtype, (n, a))), ("b", (dtype, (n, b)))],
                     (dtype, (n, a + b)), "y = concat(a, b);", lambda torch, F, a, b: torch.cat([a, b], -1))
        for _ in range(3):
            dtype, width, rows = draw.choice(("bf16", "f32")), self.number(5, 3000), self.number(1000, 60000)
            count = min(self.number(1000, 60000), int(6e7 * self.scale) // width)
            self.add("take", f"{dtype} {count} of {rows} x {width}",
                     [("w", (dtype, (rows, width))), ("i", ("index", (count,), rows))],
                     (dtype, (count, width)), "y = take(w, i, axis = 0);",
                     lambda torch, F, w, i: F.embedding(i, w))

    def running_sums(self):
        for _ in range(5):
            shape, dtype = self.shape(1, 3), self.random.choice(("bf16", "f32"))
            axis = self.random.randrange(len(shape))
            self.add("running sums", f"{dtype} {shape} along {axis}", [("x", (dtype, shape))],
                     ("f32", shape), f"y = cumsum(x, axis = {axis});",
                     lambda torch, F, x, axis=axis: x.cumsum(axis, dtype=torch.float32))

    def pointwise(self):
        draw = self.random
        for _ in range(10):
            shape, dtype = self.shape(1, 4), draw.choice(("bf16", "f32", "f16"))
            value = draw.choice(POINTWISE)
            shapes = [shape, *([n if draw.random() < 0.7 else 1 for n in shape] for _ in range(2))]

            def peer(torch, F, a, b, c, value=value):
                functions = {"erf": torch.erf, "gelu": F.gelu, **vars(torch)}
                return eval(value, functions, {"a": a, "b": b, "c": c})
            self.add("pointwise", f"{dtype} {', '.join(map(str, shapes))}: {value}",
                     [(name, (dtype, s)) for name, s in zip("abc", shapes)], (dtype, shape),
                     f"y = ({value}) as {dtype};", peer)

    # ---- further: other types and axes ----------------------------------------------------------

    def products_of_bytes(self):
        """PyTorch multiplies bytes on a GPU only if sizes are multiples of 8."""
        for columns in (0, 0, 0, 16, 48, 64, 100):
            m, n, k = self.sizes(6000, 1 if self.device == "cpu" else 8)
            n, layout = columns or n, "n" + self.random.choice("nt")
            right = (k, n) if layout[1] == "n" else (n, k)
            self.add("product i8", f"i8 {layout} {m} x {n} x {k}",
                     [("a", ("i8", (m, k))), ("b", ("i8", right))], ("i32", (m, n)),
                     f"y = a @ {'b' if layout[1] == 'n' else 'b.T'};",
                     lambda torch, F, a, b, layout=layout: torch._int_mm(a, b if layout[1] == "n" else b.T),
                     2 * m * n * k)

    def products_of_floats(self):
        draw = self.random
        for dtype in ("f32", "f32", "f32", "bf16", "f16"):
            layout = draw.choice("nt") + draw.choice("nt")
            self.product("product, layouts", *self.sizes(4000, 1), dtype=dtype, layout=layout)
            self.product("few rows", draw.randint(1, 40), self.number(500, 9000), self.number(500, 6000),
                         dtype=dtype, layout="n" + draw.choice("nt"))
            self.product("few columns", self.number(2000, 20000), draw.randint(1, 64), self.number(64, 3000),
                         dtype=dtype, layout="n" + draw.choice("nt"))
            self.product("batches", *(self.number(8, 400) for _ in range(3)), dtype=dtype,
                         batch=(self.number(4, 100),), layout=draw.choice("nt") + draw.choice("nt"))
            self.product("thin", self.number(100, 4000), self.number(100, 4000), self.number(2, 48),
                         dtype=dtype, layout=draw.choice("nt") + draw.choice("nt"))

    def any_axes(self):
        draw = self.random
        for i in range(16):
            kind, dtype, shape = ("softmax", "log_softmax", "norm", "moments")[i % 4], draw.choice(
                ("f32", "f32", "bf16", "f16")), self.shape(2, 4)
            count = 1 if i % 4 < 2 else draw.randint(1, len(shape))
            axes = sorted(draw.sample(range(len(shape)), count))
            axis = axes[0] if i % 4 < 2 else axes
            body = {"norm": f"y = ((x - mean(x, axis = {axis}, keep = true)) * "
                            f"rsqrt(var(x, axis = {axis}, keep = true) + 1e-5)) as {dtype};",
                    "moments": f"y = mean(x, axis = {axis}) * rsqrt(var(x, axis = {axis}) + 1e-5);"}

            def peer(torch, F, x, kind=kind, axis=axis, dtype=dtype):
                if kind in ("softmax", "log_softmax"):
                    return getattr(F, kind)(x, axis)
                v, m = torch.var_mean(x.float(), axis, correction=0, keepdim=kind == "norm")
                return ((x - m if kind == "norm" else m) * torch.rsqrt(v + 1e-5)).to(
                    x.dtype if kind == "norm" else torch.float32)
            result = ("f32", [n for j, n in enumerate(shape) if j not in axes])
            self.add(kind, f"{dtype} {shape} along {axis}", [("x", (dtype, shape))],
                     result if kind == "moments" else (dtype, shape),
                     body.get(kind, f"y = {kind}(x, axis = {axis}) as {dtype};"), peer)

    def other_moves(self):
        draw = self.random
        for i in range(12):
            kind, dtype, shape = ("pad", "flip", "slice", "concat", "take", "repeat")[i % 6], draw.choice(
                ("f32", "bf16", "u8")), self.shape(2, 4)
            axis = draw.randrange(len(shape))
            n, first, inputs = shape[axis], draw.randint(0, shape[axis] // 2), [("x", (dtype, shape))]
            size = {"pad": n + first + 1, "slice": n - first, "concat": 2 * n, "repeat": n * 3}.get(kind, n)
            body = {"pad": f"pad(x, {axis}, {first}, 1)", "flip": f"flip(x, axis = {axis})",
                    "slice": f"x[{', '.join([':'] * axis + [f'{first}:'])}]" if first else "x + 0",
                    "concat": f"concat(x, z, axis = {axis})", "take": f"take(x, z, axis = {axis})",
                    "repeat": f"concat(x, x, x, axis = {axis})"}[kind]
            if kind == "concat":
                inputs.append(("z", (dtype, shape)))
            if kind == "take":
                inputs.append(("z", ("index", (n,), n)))

            def peer(torch, F, x, *z, kind=kind, axis=axis, n=n, first=first):
                if kind == "pad":
                    return F.pad(x, (0, 0) * (x.dim() - 1 - axis) + (first, 1))
                if kind == "take":
                    return x.index_select(axis, z[0])
                if kind == "slice":
                    return x.narrow(axis, first, n - first).clone() if first else x + 0
                return x.flip(axis) if kind == "flip" else torch.cat([x, *z] if z else [x, x, x], axis)
            where = f" from {first}" if kind in ("pad", "slice") else ""
            self.add(kind, f"{dtype} {shape} along {axis}{where}", inputs,
                     (dtype, [size if j == axis else m for j, m in enumerate(shape)]),
                     f"y = ({body}) as {dtype};", peer)

    def casts(self):
        draw = self.random
        for _ in range(6):
            of, to = draw.sample(("f32", "bf16", "f16", "u8", "i8"), 2)
            shape, to = self.shape(1, 3), to if of not in ("u8", "i8") else draw.choice(("f32", "bf16", "f16"))
            self.add("cast", f"{of} {shape} as {to}", [("x", (of, shape))], (to, shape), f"y = x as {to};",
                     lambda torch, F, x, to=to: x.to(torch_type(torch, to)))
        for _ in range(4):
            shape, value = self.shape(1, 3), draw.choice(("max(a, b)", "abs(a as i32 - b as i32)"))

            def peer(torch, F, a, b, value=value):
                if value == "max(a, b)":
                    return torch.maximum(a, b)
                return torch.abs(a.int() - b.int()).to(torch.uint8)
            self.add("bytes", f"u8 {shape}: {value}", [("a", ("u8", shape)), ("b", ("u8", shape))],
                     ("u8", shape), f"y = ({value}) as u8;", peer)

    def scatters(self):
        for _ in range(3):
            rows, width = self.number(10, 30000), self.number(1, 500)
            count = max(1, min(self.number(100, 60000), int(6e7 * self.scale) // width))
            self.add("scatter", f"f32 {count} into {rows} x {width}",
                     [("w", ("f32", (rows, width))), ("i", ("index", (count,), rows)),
                      ("x", ("f32", (count, width)))], ("f32", (rows, width)), "y = scatter(w, i, x);",
                     lambda torch, F, w, i, x: w.index_add(0, i, x))
        for _ in range(3):
            rows, width = self.number(10, 30000), self.number(5, 30000)
            rows = max(1, min(rows, int(6e7 * self.scale) // width))
            self.add("cross_entropy", f"f32 {rows} x {width}",
                     [("x", ("f32", (rows, width))), ("i", ("index", (rows,), width))], ("f32", (rows,)),
                     "y = cross_entropy(x, i);",
                     lambda torch, F, x, i: F.cross_entropy(x, i.long(), reduction="none"))

    def further(self):
        for draw in (self.products_of_bytes, self.products_of_floats, self.any_axes, self.other_moves,
                     self.casts, self.scatters):
            first = len(self.all)
            draw()
            for case in self.all[first:]:
                case.kind = "further: " + case.kind

    def draw_all(self):
        """Those that memory has room for."""
        for draw in (self.products, self.attentions, self.rows, self.reductions, self.moves,
                     self.running_sums, self.pointwise, self.further):
            draw()
        return [case for case in self.all if case.bytes < 1e9 * math.sqrt(self.scale)]


# ---- time ---------------------------------------------------------------------------------------

def fusec_time(fusec, path, *options):
    """(microseconds, of each kernel), or a message."""
    run = subprocess.run([fusec, "bench", path, "--json", *options], capture_output=True, text=True)
    if run.returncode:
        return None, run.stderr.strip().split("\n")[0]
    function = json.loads(run.stdout)["functions"][0]
    return function["whole"]["median_us"], [k.get("median_us", 0) for k in function["kernels"]]


def torch_type(torch, name):
    return {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32, "f8e4m3": torch.float8_e4m3fn,
            "u8": torch.uint8, "i8": torch.int8, "i32": torch.int32, "i64": torch.int64, "bool": torch.bool}[name]


class Peer:
    def __init__(self, device, threads):
        import torch
        import torch.nn.functional
        sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent / "gpu")]
        import torch_peers
        self.torch, self.peers, self.device = torch, torch_peers, device
        torch_peers.WARM_SECONDS, torch_peers.ROUND_SECONDS = 0.05, 0.1
        self.clock = torch_peers.Clock(device)
        if device == "cpu":
            torch.set_num_threads(threads)

    def make(self, dtype, shape, bound=0):
        torch = self.torch
        if dtype == "index":
            return torch.randint(0, bound, shape, device=self.device, dtype=torch.int32)
        if dtype in ("u8", "i8"):
            least = 0 if dtype == "u8" else -128
            return torch.randint(least, least + 256, shape, device=self.device, dtype=torch_type(torch, dtype))
        drawn = torch.empty(shape, device=self.device).uniform_(-1, 1)
        if dtype == "bool":
            return drawn > 0.999999
        return drawn.to(torch_type(torch, dtype))

    def time(self, case):
        """The fastest backend: (microseconds, its name)."""
        most = 8 if self.device == "cuda" else 1024  # `fusec bench` has as many sets on a CPU
        count = max(1, min(most, int(2 * self.clock.cache() // case.bytes) + 1))
        sets = [[self.make(*t) for t in case.inputs] for _ in range(count)]

        def run(*inputs):
            return case.peer(self.torch, self.torch.nn.functional, *inputs)
        if not case.kind.startswith("attention") or self.device == "cpu":
            return self.peers.measure(self.clock, run, sets)[0], "torch"
        return min(self.backends(run, sets))

    def backends(self, run, sets):
        from torch.nn.attention import SDPBackend, sdpa_kernel
        for backend in (SDPBackend.FLASH_ATTENTION, SDPBackend.CUDNN_ATTENTION,
                        SDPBackend.EFFICIENT_ATTENTION):
            try:
                with sdpa_kernel(backend):
                    yield self.peers.measure(self.clock, run, sets)[0], backend.name.split("_")[0].lower()
            except RuntimeError:  # it does not take these
                continue


def floor_us(case, device):
    rate, operations = RATES[device]
    return 1e6 * max(case.bytes / rate, case.operations / operations.get(case.type, operations["f32"]))


def parser_of(description):
    parser = argparse.ArgumentParser(description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fusec")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--only", metavar="REGEX", default="")
    parser.add_argument("--models", type=pathlib.Path, metavar="FOLDER")
    return parser


def write_models(cases, folder):
    """Of (number, case); returns the folder."""
    folder = folder or pathlib.Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    for i, case in cases:
        (folder / f"{i}.fx").write_text(case.model)
    return folder


def row_of(case, device, us, other, name):
    return (other / us, f"| {case.kind} | {case.shape} | {us:.1f} | {floor_us(case, device) / us:.2f} | "
            f"{name} {other:.1f} ({other / us:.2f}) |")


def print_table(rows):
    print("\n| class | shape | fusec, us | of floor | PyTorch, us (times as long) |")
    print("|---|---|---:|---:|---:|", *(line for _, line in sorted(rows)), sep="\n")


def main():
    parser = parser_of(__doc__)
    parser.add_argument("device", choices=("cuda", "cpu"))
    parser.add_argument("--threads", type=int, default=1)
    o = parser.parse_args()
    cases = list(enumerate(Cases(o.seed, o.device).draw_all()))
    folder = write_models(cases, o.models)
    if o.models:
        return
    options = [f"--device={o.device}", *([f"--threads={o.threads}"] if o.device == "cpu" else [])]
    peer, rows, end = Peer(o.device, o.threads), [], time.monotonic() + o.seconds
    random.Random(o.seed).shuffle(cases)
    for i, case in cases:
        if time.monotonic() > end or not re.search(o.only, f"{case.kind} {case.shape}"):
            continue
        us, kernels = fusec_time(o.fusec, folder / f"{i}.fx", *options)
        if us is None:
            print(f"{case.kind} {case.shape}: {kernels}", flush=True)
            continue
        try:
            other, name = peer.time(case)
        except RuntimeError as error:  # of types and sizes that it does not take
            print(f"{case.kind} {case.shape}: {us:.1f}, torch: {str(error).splitlines()[0]}", flush=True)
            continue
        rows.append(row_of(case, o.device, us, other, name))
        print(f"{other / us:.2f} {case.kind} {case.shape}: {us:.1f} "
              f"({' '.join(f'{k:.1f}' for k in kernels)}), {name} {other:.1f}", flush=True)
    print_table(rows)


if __name__ == "__main__":
    main()
