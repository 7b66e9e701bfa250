#!/usr/bin/env python3
"""Times fused work of random sizes beside what torch.compile makes of it: what a model has between and
around its products.

    python3 bench/random_fused.py FUSEC [--seed 1] [--seconds 300] [--only REGEX] [--ahead WORKERS]
                                  [--models FOLDER]

Needs a GPU. Each class (gated units, projections, low-rank updates, losses, norms before and after products, weights
of 8 and 4 bits, f8, attentions with score functions and masks of their own, rotations, quantisation, rows
with masks, optimisers, norms of images, derivatives) has sizes that are drawn log-uniformly, odd ones, too. The
peer is the faster of eager PyTorch and torch.compile; of attentions with scores of their own compiled
FlexAttention, of weights of 8 and 4 bits also cuBLAS with weights of bf16. All are timed as CUDA graphs,
without the time of a call from Python, fusec by its package for Python where that can be imported, and
else by `fusec bench`, which launches one kernel after the other. Cases and the printed table are as in random_shapes.py. --ahead:
so many processes compile what PyTorch needs before anything is timed.
"""
import argparse
import functools
import os
import pathlib
import re
import subprocess
import sys
import time

import random_shapes
from gpu_clock import graphed_apart
from random_shapes import ACTIVATIONS, Case, Cases, size_of, tensor

SCORES = ("capped", "window", "alibi", "documents")


def model(inputs, outputs, body, derived):
    bounds = "".join(f"// inputs: {name} 0..{t[2]}\n" for name, t in inputs if t[0] == "index")

    def listed(values):
        return ", ".join(f"{name}: {tensor(*('i32', t[1]) if t[0] == 'index' else t)}" for name, t in values)
    lines = "\n".join(f"    {line.strip()}" for line in body.strip().split("\n"))
    return f"{bounds}fn f({listed(inputs)}) -> ({listed(outputs)}) {{\n{lines}\n}}\n{derived}"


class Fused(Cases):
    def add_fused(self, kind, what, inputs, outputs, body, peer, operations=0, derived="", peers=()):
        """derived: further text; its function g is timed, and takes the outputs' cotangents, too.
        peers: more functions that give the same."""
        named = inputs if not derived else inputs + [("d" + name, t) for name, t in outputs]
        stored = sum(size_of(*t[:2]) for _, t in named + outputs)
        case = Case(kind, what, model(inputs, outputs, body, derived), [t for _, t in named], peer, stored,
                    operations, inputs[0][1][0])
        case.function, case.more = "g" if derived else "f", peers
        self.all.append(case)

    def of_rows(self, low=3, high=20000):
        """(rows, columns) of some ten million elements."""
        columns = self.number(low, high)
        return max(1, int(self.number(4e6, 8e7)) // columns), columns

    # ---- around products ------------------------------------------------------------------------

    def gated(self):
        for i in range(6):
            n, f, d = self.sizes(12000, 8, 256)
            name = ("silu", "gelu", "relu")[i % 3]
            given = [("x", ("bf16", (n, d)))]
            out = [("y", ("bf16", (n, f)))]
            if i < 3:
                given += [("g", ("bf16", (f, d))), ("u", ("bf16", (f, d)))]
                self.add_fused("gated unit", f"{name} {n} x {f} x {d}", given, out,
                               f"y = ({name}(x @ g.T) * (x @ u.T)) as bf16;",
                               lambda torch, F, x, g, u, name=name: getattr(F, name)(x @ g.T) * (x @ u.T),
                               4 * n * f * d)
                continue
            given += [("w", ("bf16", (2 * f, d))), ("b", ("bf16", (2 * f,)))]

            def peer(torch, F, x, w, b, name=name):
                v, g = F.linear(x, w, b).chunk(2, -1)
                return v * getattr(F, name)(g)
            self.add_fused("gated unit, one weight", f"{name} {n} x {f} x {d}", given, out,
                           f"v, g = split(x @ w.T + b, 2);\ny = (v * {name}(g)) as bf16;", peer, 4 * n * f * d)

    def projections(self):
        for _ in range(3):
            m, n, k = self.sizes(8000, 8, 128)
            groups = self.random.choice((1, 2, 4, 8))
            width = max(8, n // groups // 8 * 8)
            self.add_fused("q, k, v", f"{m} x ({n} + 2 * {width}) x {k}",
                           [("x", ("bf16", (m, k))), ("q", ("bf16", (n, k))), ("k", ("bf16", (width, k))),
                            ("v", ("bf16", (width, k)))],
                           [("a", ("bf16", (m, n))), ("b", ("bf16", (m, width))), ("c", ("bf16", (m, width)))],
                           "a = x @ q.T;\nb = x @ k.T;\nc = x @ v.T;",
                           lambda torch, F, x, q, k, v: (x @ q.T, x @ k.T, x @ v.T), 2 * m * (n + 2 * width) * k)
        for _ in range(3):
            (n, m, d), r = self.sizes(8000, 8, 256), self.random.choice((4, 8, 16, 32, 64))
            self.add_fused("low-rank update", f"{n} x {m} x {d}, rank {r}",
                           [("x", ("bf16", (n, d))), ("w", ("bf16", (m, d))), ("a", ("bf16", (r, d))),
                            ("b", ("bf16", (m, r)))], [("y", ("bf16", (n, m)))],
                           "t = (x @ a.T) as bf16;\ny = x @ w.T + t @ b.T;",
                           lambda torch, F, x, w, a, b: x @ w.T + (x @ a.T) @ b.T, 2 * n * m * d)

    def perceptrons(self):
        for _ in range(3):
            n, d, f = self.sizes(6000, 8, 128)
            name = self.random.choice(ACTIVATIONS)
            self.add_fused("perceptron", f"{name} {n} x {d} x {f}",
                           [("x", ("bf16", (n, d))), ("w", ("bf16", (f, d))), ("b", ("bf16", (f,))),
                            ("v", ("bf16", (d, f))), ("c", ("bf16", (d,)))], [("y", ("bf16", (n, d)))],
                           f"h = {name}(x @ w.T + b) as bf16;\ny = (h @ v.T + c + x) as bf16;",
                           lambda torch, F, x, w, b, v, c, name=name:
                           F.linear(getattr(F, name)(F.linear(x, w, b)), v, c) + x, 4 * n * d * f)

    def losses(self):
        for _ in range(3):
            n, v, d = self.number(200, 8000, 8), self.number(2000, 130000), self.number(256, 4096, 8)
            if n * v > 4e8:
                n = max(8, int(4e8 / v) // 8 * 8)
            self.add_fused("linear, cross_entropy", f"{n} x {v} x {d}",
                           [("x", ("bf16", (n, d))), ("w", ("bf16", (v, d))), ("l", ("index", (n,), v))],
                           [("y", ("f32", (n,)))], "y = cross_entropy(x @ w.T, l);",
                           lambda torch, F, x, w, l:
                           F.cross_entropy((x @ w.T).float(), l.long(), reduction="none"), 2 * n * v * d)

    def norms_beside_products(self):
        for i in range(7):
            m, n, k = self.sizes(6000, 8, 64)
            x, w, g = ("x", ("bf16", (m, k))), ("w", ("bf16", (n, k))), ("g", ("bf16", (k,)))
            out, r = [("y", ("bf16", (m, n)))], ("r", ("bf16", (m, n)))
            if i < 2:
                self.add_fused("norm, product", f"{m} x {n} x {k}", [x, w, g], out,
                               "y = (rms_norm(x, g) as bf16) @ w.T;",
                               lambda torch, F, x, w, g, k=k: F.rms_norm(x, (k,), g, 1e-6) @ w.T, 2 * m * n * k)
            elif i < 5:
                b, h = ("b", ("bf16", (n,))), ("h", ("bf16", (n,)))
                self.add_fused("product, norm", f"{m} x {n} x {k}", [x, w, r, b, h], out,
                               "t = (x @ w.T + r) as bf16;\ny = layer_norm(t, b, h) as bf16;",
                               lambda torch, F, x, w, r, b, h, n=n: F.layer_norm(x @ w.T + r, (n,), b, h),
                               2 * m * n * k)
            else:
                n = self.number(16, 1024, 8)
                self.add_fused("product, softmax", f"{m} x {n} x {k}", [x, ("w", ("bf16", (n, k)))],
                               [("y", ("bf16", (m, n)))], "y = softmax(x @ w.T) as bf16;",
                               lambda torch, F, x, w: F.softmax(x @ w.T, -1), 2 * m * n * k)

    def quantised(self):
        for i in range(8):
            m = self.random.randint(1, 64) if i < 5 else self.number(65, 4000)
            n, k = self.number(1000, 16000, 16), self.number(1024, 12000, 128)
            x, out = ("x", ("bf16", (m, k))), [("y", ("bf16", (m, n)))]
            product = functools.partial(self.add_fused, outputs=out, operations=2 * m * n * k)
            if i % 2:
                product("weights of 8 bits", f"{m} x {n} x {k}",
                        [x, ("w", ("i8", (n, k))), ("s", ("f32", (n,)))],
                        body="y = x @ ((w as f32 * s[:, None]) as bf16).T;",
                        peer=lambda torch, F, x, w, s: x @ (w.float() * s[:, None]).to(x.dtype).T,
                        peers=[dense(n, k)])
                continue

            def peer(torch, F, x, w, s, n=n, k=k):
                pairs = torch.stack(((w & 15).float() - 8, (w >> 4).float() - 8), -1)
                return x @ (pairs.reshape(n, k // 128, 128) * s[:, :, None]).reshape(n, k).to(x.dtype).T
            product("weights of 4 bits", f"{m} x {n} x {k}",
                    [x, ("w", ("u8", (n, k // 2))), ("s", ("f32", (n, k // 128)))],
                    body=f"""low = (w % 16) as f32 - 8;
                             high = (w / 16) as f32 - 8;
                             p = reshape(concat(low[:, :, None], high[:, :, None]), {n}, {k // 128}, 128);
                             y = x @ (reshape(p * s[:, :, None], {n}, {k}) as bf16).T;""",
                    peer=peer, peers=[dense(n, k)])
        for _ in range(3):
            m, n, k = self.sizes(9000, 16, 64)
            self.add_fused("product f8", f"{m} x {n} x {k}",
                           [("x", ("f8e4m3", (m, k))), ("w", ("f8e4m3", (n, k))), ("s", ("f32", (m, 1))),
                            ("t", ("f32", (1, n)))], [("y", ("bf16", (m, n)))],
                           "y = (x @ w.T * s * t) as bf16;",
                           lambda torch, F, x, w, s, t: torch._scaled_mm(
                               x, w.T, scale_a=s, scale_b=t, out_dtype=torch.bfloat16), 2 * m * n * k)
            self.all[-1].model = "@precision(f8)\n" + self.all[-1].model

    # ---- attention ------------------------------------------------------------------------------

    def own_scores(self):
        draw = self.random
        for i in range(8):
            kind, d, s = SCORES[i % 4], draw.choice((64, 64, 80, 96, 128, 128, 256)), self.number(300, 12000)
            heads = draw.randint(2, 32)
            b = max(1, min(8, int(4e11 / (4 * heads * s * s * d))))
            if 4 * heads * s * s * d > 2e12:
                heads = 4
            shape = (b, heads, s, d)
            given = [(name, ("bf16", shape)) for name in "qkv"]
            window = self.number(32, s)
            back = f"iota({s})[:, None] - iota({s})"
            scores = f"(q @ k.T) * {d ** -0.5!r}"
            body = {"capped": f"x = {scores};\np = where({back} >= 0, 30 * tanh(x / 30), -inf);",
                    "window": f"p = where({back} >= 0 && {back} < {window}, {scores}, -inf);",
                    "alibi": f"x = {scores} - slope[:, None, None] * (({back}) as f32);\n"
                             f"p = where({back} >= 0, x, -inf);",
                    "documents": f"p = where({back} >= 0 && doc[:, None] == doc, {scores}, -inf);"}[kind]
            if kind == "alibi":
                given.append(("slope", ("f32", (heads,))))
            if kind == "documents":
                given.append(("doc", ("index", (s,), draw.randint(2, 12))))
            what = f"{kind} {b} x {heads}, {s}, D={d}" + (f", {window} keys" if kind == "window" else "")
            self.add_fused("attention, own scores", what, given, [("y", ("bf16", shape))],
                           f"{body}\ny = softmax(p) as bf16 @ v;", Flex(kind, s, window), 2 * b * heads * s * s * d)

    def attentions_f32(self):
        draw = self.random
        for i in range(4):
            d, s, heads, is_causal = draw.choice((32, 64, 96, 128)), self.number(300, 6000), draw.randint(
                4, 24), draw.random() < 0.5
            shape = (2, heads, s, d)
            x = f"(q @ k.T) * {d ** -0.5!r}"
            x = f"where(iota({s})[:, None] >= iota({s}), {x}, -inf)" if is_causal else x
            self.add_fused("attention f32", f"{shape}{' causal' if is_causal else ''}",
                           [(name, ("f32", shape)) for name in "qkv"], [("y", ("f32", shape))],
                           f"y = softmax({x}) @ v;",
                           lambda torch, F, q, k, v, c=is_causal:
                           F.scaled_dot_product_attention(q, k, v, is_causal=c),
                           (2 if is_causal else 4) * 2 * heads * s * s * d)

    def rotations(self):
        for i in range(4):
            b, h, s = self.random.randint(1, 8), self.random.randint(4, 40), self.number(200, 8000)
            d = self.random.choice((64, 80, 128))
            # Of [B, S, H, D], with or without a norm, stored with heads before positions or as it came.
            shape, is_normed, is_turned = (b, s, h, d), i % 2, self.random.random() < 0.5
            out = (b, h, s, d) if is_turned else shape
            given = [("x", ("bf16", shape)), ("c", ("f32", (s, d // 2))), ("n", ("f32", (s, d // 2)))]
            given += [("g", ("bf16", (d,)))] if is_normed else []
            value = "concat(a * c[:, None] - e * n[:, None], e * c[:, None] + a * n[:, None])"

            def peer(torch, F, x, c, n, *g, d=d, is_turned=is_turned):
                x = F.rms_norm(x, (d,), g[0], 1e-6) if g else x
                a, e = x.float().chunk(2, -1)
                c, n = c[:, None], n[:, None]
                y = torch.cat([a * c - e * n, e * c + a * n], -1).to(x.dtype)
                return y.transpose(1, 2).contiguous() if is_turned else y
            first = f"a, e = split({'rms_norm(x, g) as bf16' if is_normed else 'x'}, 2);\nz = {value};"
            self.add_fused("rotation", f"{shape}{' normed' if is_normed else ''}{' turned' if is_turned else ''}",
                           given, [("y", ("bf16", out))],
                           f"{first}\ny = {'permute(z, 0, 2, 1, 3)' if is_turned else 'z'} as bf16;", peer)

    # ---- rows -----------------------------------------------------------------------------------

    def residuals(self):
        for i in range(6):
            n, d = self.of_rows(64)
            x, r, g = (("x", ("bf16", (n, d))), ("r", ("bf16", (n, d))), ("g", ("bf16", (d,))))
            h = ("h", ("bf16", (n, d)))
            if i < 3:
                self.add_fused("residual, norm", f"{n} x {d}", [x, r, g], [h, ("y", ("bf16", (n, d)))],
                               "h = (x + r) as bf16;\ny = rms_norm(h, g) as bf16;",
                               lambda torch, F, x, r, g, d=d: (x + r, F.rms_norm(x + r, (d,), g, 1e-6)))
                continue
            to, most = ("f8e4m3", 448) if i % 2 else ("i8", 127)

            def peer(torch, F, x, r, g, d=d, to=to, most=most):
                h = x + r
                y = F.rms_norm(h, (d,), g, 1e-6).float()
                s = y.abs().amax(-1) / most
                q = y / torch.where(s == 0, 1, s)[:, None]
                return h, (q.to(torch.float8_e4m3fn) if to == "f8e4m3" else q.round().to(torch.int8)), s
            value = "y / where(s == 0, 1, s)[:, None]"
            self.add_fused("residual, norm, quantise", f"{to} {n} x {d}", [x, r, g],
                           [h, ("q", (to, (n, d))), ("s", ("f32", (n,)))],
                           f"h = (x + r) as bf16;\ny = rms_norm(h, g) as bf16;\ns = max(abs(y)) as f32 / {most};\n"
                           f"q = {value if to == 'f8e4m3' else f'round({value})'} as {to};", peer)
        for _ in range(2):
            n, d = self.number(500, 16000), self.number(256, 12000, 128)

            def peer(torch, F, x, n=n, d=d):
                b = x.float().reshape(n, d // 128, 128)
                s = b.abs().amax(-1) / 448
                return (b / s[:, :, None]).to(torch.float8_e4m3fn).reshape(n, d), s
            self.add_fused("quantise blocks", f"{n} x {d}", [("x", ("bf16", (n, d)))],
                           [("q", ("f8e4m3", (n, d))), ("s", ("f32", (n, d // 128)))],
                           f"b = reshape(x as f32, {n}, {d // 128}, 128);\ns = max(abs(b)) / 448;\n"
                           f"q = reshape(b / s[:, :, None], {n}, {d}) as f8e4m3;", peer)

    def masked_rows(self):
        for _ in range(3):
            b, h, s, t = self.random.randint(1, 8), self.random.randint(2, 16), self.number(64, 3000), self.number(
                64, 3000)
            self.add_fused("masked softmax", f"{b} x {h} x {s} x {t}",
                           [("x", ("bf16", (b, h, s, t))), ("m", ("bf16", (b, 1, s, t)))],
                           [("y", ("bf16", (b, h, s, t)))], "y = softmax(x * 0.125 + m) as bf16;",
                           lambda torch, F, x, m: F.softmax((x * 0.125 + m).float(), -1).to(x.dtype))
        for i in range(4):
            n, v = self.of_rows(100, 130000)
            x, l, y = ("x", ("bf16", (n, v))), ("l", ("index", (n,), v)), [("y", ("f32", (n,)))]
            if i % 2:
                self.add_fused("divergence", f"{n} x {v}", [x, ("z", ("bf16", (n, v)))], y,
                               "p = log_softmax(x as f32);\nq = log_softmax(z as f32);\ny = sum(exp(p) * (p - q));",
                               lambda torch, F, x, z: F.kl_div(F.log_softmax(z.float(), -1), F.log_softmax(
                                   x.float(), -1), log_target=True, reduction="none").sum(-1))
                continue
            self.add_fused("smoothed loss", f"{n} x {v}", [x, l], y,
                           f"p = log_softmax(x as f32);\nat = iota({v}) == l[:, None];\n"
                           "y = -0.9 * sum(where(at, p, 0)) - 0.1 * mean(p);",
                           lambda torch, F, x, l: F.cross_entropy(x.float(), l.long(), reduction="none",
                                                                  label_smoothing=0.1))

    def images(self):
        for i in range(8):
            n, c, side = self.number(2, 64), self.number(16, 1024, 8), self.random.choice((7, 14, 16, 28, 32, 56, 64))
            shape, per = (n, c, side, side), [(name, ("bf16", (c,))) for name in "gb"]
            x, y, w = ("x", ("bf16", shape)), [("y", ("bf16", shape))], "[:, None, None]"
            if i % 4 == 0:
                self.add_fused("group norm, silu", str(shape), [x, *per], y,
                               f"v = reshape(x as f32, {n}, 8, {c // 8 * side * side});\n"
                               "z = (v - mean(v, axis = -1, keep = true)) * "
                               "rsqrt(var(v, axis = -1, keep = true) + 1e-5);\n"
                               f"y = silu(reshape(z, {', '.join(map(str, shape))}) * g{w} + b{w}) as bf16;",
                               lambda torch, F, x, g, b: F.silu(F.group_norm(x, 8, g, b)))
            elif i % 4 == 1:
                def peer(torch, F, x, g, b):
                    v, m = torch.var_mean(x.float(), (0, 2, 3), correction=0, keepdim=True)
                    at = (slice(None), None, None)
                    return F.relu((x - m) * torch.rsqrt(v + 1e-5) * g[at] + b[at]).to(x.dtype)
                self.add_fused("batch norm", str(shape), [x, *per], y,
                               "v = x as f32;\n"
                               "z = (v - mean(v, axis = [0, 2, 3], keep = true)) * "
                               "rsqrt(var(v, axis = [0, 2, 3], keep = true) + 1e-5);\n"
                               f"y = relu(z * g{w} + b{w}) as bf16;", peer)
            elif i % 4 == 2:
                self.add_fused("to channels last", str(shape), [x, *per],
                               [("y", ("bf16", (n, side, side, c)))],
                               f"y = permute(relu(x * g{w} + b{w}), 0, 2, 3, 1) as bf16;",
                               lambda torch, F, x, g, b: F.relu(x * g[:, None, None] + b[:, None, None]).permute(
                                   0, 2, 3, 1).contiguous())
            else:
                self.add_fused("mean of an image", str(shape), [x, *per], [("y", ("bf16", (n, c)))],
                               f"y = mean(silu(x * g{w} + b{w}), axis = [2, 3]) as bf16;",
                               lambda torch, F, x, g, b: F.silu(x * g[:, None, None] + b[:, None, None]).mean((2, 3)))

    # ---- training -------------------------------------------------------------------------------

    def steps(self):
        n = self.number(4e6, 4e7)
        names = [("p", "f32"), ("g", "bf16"), ("m", "f32"), ("v", "f32")]

        def peer(torch, F, p, g, m, v):
            m = 0.9 * m + 0.1 * g
            v = 0.95 * v + 0.05 * g.float() * g
            return p - 1e-3 * (m / (v.abs().sqrt() + 1e-8) + 0.1 * p), m, v
        self.add_fused("adamw", str(n), [(name, (dtype, (n,))) for name, dtype in names],
                       [(name, ("f32", (n,))) for name in ("p2", "m2", "v2")],
                       "m2 = 0.9 * m + 0.1 * g;\nv2 = 0.95 * v + 0.05 * (g as f32) * g;\n"
                       "p2 = p - 0.001 * (m2 / (sqrt(abs(v2)) + 1e-8) + 0.1 * p);", peer)

    def derivatives(self):
        wanted = "\nfn g = vjp(f);\n"

        def gradient(forward):
            def peer(torch, F, *given):
                inputs = [t.detach().requires_grad_() for t in given[:-1]]
                with torch.enable_grad():
                    return torch.autograd.grad(forward(torch, F, *inputs), inputs, given[-1])
            return peer
        for i in range(10):
            n, d = self.of_rows(64)
            x, g, b = ("x", ("bf16", (n, d))), ("w", ("bf16", (d,))), ("b", ("bf16", (d,)))
            kind, given, body, forward = (
                ("layer_norm", [x, g, b], "layer_norm(x, w, b)",
                 lambda torch, F, x, w, b: F.layer_norm(x, x.shape[-1:], w, b)),
                ("rms_norm", [x, g], "rms_norm(x, w)",
                 lambda torch, F, x, w: F.rms_norm(x, x.shape[-1:], w, 1e-6)),
                ("softmax", [x], "softmax(x)", lambda torch, F, x: F.softmax(x, -1)),
                ("bias, gelu", [x, b], "gelu(x + b)", lambda torch, F, x, b: F.gelu(x + b)),
                ("gate", [x, ("z", ("bf16", (n, d)))], "silu(x) * z", lambda torch, F, x, z: F.silu(x) * z),
            )[i % 5]
            self.add_fused("derivative", f"{kind} {n} x {d}", given, [("y", ("bf16", (n, d)))],
                           f"y = ({body}) as bf16;", gradient(forward), derived=wanted)

    def draw_all(self):
        for draw in (self.gated, self.projections, self.perceptrons, self.losses, self.norms_beside_products,
                     self.quantised, self.own_scores, self.attentions_f32, self.rotations, self.residuals,
                     self.masked_rows, self.images, self.steps, self.derivatives):
            draw()
        return self.all


def dense(n, k):
    """The product with weights that are bf16 already: made once."""
    kept = {}

    def peer(torch, F, x, *_):
        if not kept:
            kept["w"] = [torch.randn(n, k, device=x.device, dtype=x.dtype) for _ in range(4)]
        kept["turn"] = (kept.get("turn", -1) + 1) % 4
        return x @ kept["w"][kept["turn"]].T
    return peer


class Flex:
    """FlexAttention, with its mask of blocks made ahead."""
    def __init__(self, kind, length, window):
        self.kind, self.length, self.window = kind, length, window

    def __call__(self, torch, F, q, k, v, *read):
        from torch.nn.attention.flex_attention import create_block_mask, flex_attention
        kind, s, window = self.kind, self.length, self.window
        read = read[0] if read else None
        score = {"capped": lambda x, b, h, q, k: 30 * torch.tanh(x / 30),
                 "alibi": lambda x, b, h, q, k: x - read[h] * (q - k)}.get(kind)
        mask = {"window": lambda b, h, q, k: (q >= k) & (q - k < window),
                "documents": lambda b, h, q, k: (q >= k) & (read[q] == read[k])}.get(
                    kind, lambda b, h, q, k: q >= k)
        if not hasattr(self, "blocks"):
            self.blocks = create_block_mask(mask, None, None, s, s, "cuda")
            self.attend = torch.compile(flex_attention, dynamic=False)
        return self.attend(q, k, v, score_mod=score, block_mask=self.blocks)


# ---- time ---------------------------------------------------------------------------------------

class Peer(random_shapes.Peer):
    def __init__(self):
        super().__init__("cuda", 1)
        self.torch.backends.cuda.matmul.allow_tf32 = False

    def make(self, dtype, shape, bound=0):
        if dtype == "f8e4m3":
            return super().make("f32", shape).to(self.torch.float8_e4m3fn)
        return super().make(dtype, shape, bound)

    def arms(self, case):
        """(name, function) of each way."""
        torch = self.torch
        run = functools.partial(case.peer, torch, torch.nn.functional)
        if isinstance(case.peer, Flex):
            yield "FlexAttention", run
            return
        yield "torch", run
        for more in case.more:
            yield "cuBLAS bf16", functools.partial(more, torch, torch.nn.functional)
        if case.kind != "attention f32":
            torch._dynamo.reset()
            yield "torch.compile", torch.compile(run, dynamic=False)

    def time(self, case):
        """(microseconds, name) of each way."""
        return self.measured(case, self.arms(case))

    def measured(self, case, arms):
        count = max(1, min(8, int(2 * self.clock.cache() // case.bytes) + 1))
        sets, found = [[self.make(*t) for t in case.inputs] for _ in range(count)], []
        for name, run in arms:
            try:
                with self.torch.no_grad(), self.torch.cuda.stream(self.torch.cuda.Stream()):
                    replay = graphed_apart(self.torch, [functools.partial(run, *inputs) for inputs in sets])
                    us = self.peers.measure(self.clock, replay, [()])[0]
                found.append((us / count, name))
            except Exception as error:  # what it does not take
                print(f"{case.kind} {case.shape}, {name}: {str(error).strip().splitlines()[0][:150]}", flush=True)
        return found

    def of_fusec(self, case, path):
        """Microseconds of the package's function; None: there is no package, or it does not take these."""
        try:
            import fusec
            run = fusec.load(path)[case.function]
            return dict((name, us) for us, name in self.measured(case, [("fusec", run)]))["fusec"]
        except (ImportError, KeyError, RuntimeError, ValueError):
            return None

    def compile(self, case):
        for name, run in self.arms(case):
            if name in ("torch.compile", "FlexAttention"):
                with self.torch.no_grad():
                    run(*(self.make(*t) for t in case.inputs))


def compile_ahead(o):
    """In processes of their own, a share of the cases each."""
    command = [sys.executable, __file__, o.fusec, f"--seed={o.seed}", f"--only={o.only}", f"--ahead={o.ahead}"]
    workers = [subprocess.Popen([*command, f"--share={i}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
               for i in range(o.ahead)]
    for worker in workers:
        worker.wait()


def compile_share(o, cases):
    peer = Peer()
    for _, case in cases[o.share::o.ahead]:
        try:
            peer.compile(case)
        except Exception:  # the run that times says so
            continue


def main():
    parser = random_shapes.parser_of(__doc__)
    parser.add_argument("--ahead", type=int, default=0, metavar="WORKERS")
    parser.add_argument("--share", type=int, help=argparse.SUPPRESS)
    o = parser.parse_args()
    cases = [(i, case) for i, case in enumerate(Fused(o.seed, "cuda").draw_all())
             if re.search(o.only, f"{case.kind} {case.shape}")]
    folder = random_shapes.write_models(cases, o.models)
    if o.models:
        return
    end = time.monotonic() + o.seconds
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
    random_shapes.random.Random(o.seed).shuffle(cases)
    if o.share is not None:
        compile_share(o, cases)
        return
    if o.ahead:
        compile_ahead(o)
    peer, rows = Peer(), []
    for i, case in cases:
        if time.monotonic() > end:
            break
        us, kernels = random_shapes.fusec_time(o.fusec, folder / f"{i}.fx", "--device=cuda",
                                               "--fn", case.function)
        if us is None:
            print(f"{case.kind} {case.shape}: {kernels}", flush=True)
            continue
        found = peer.time(case)
        if not found:
            continue
        us = peer.of_fusec(case, folder / f"{i}.fx") or us
        other, name = min(found)
        rows.append(random_shapes.row_of(case, "cuda", us, other, name))
        print(f"{other / us:.2f} {case.kind} {case.shape}: {us:.1f} "
              f"({' '.join(f'{k:.1f}' for k in kernels)}), "
              f"{', '.join(f'{n} {t:.1f}' for t, n in found)}", flush=True)
    random_shapes.print_table(rows)


if __name__ == "__main__":
    main()
