#!/usr/bin/env python3
"""PyTorch on the CPU, eager and torch.compile, beside fusec, in one process and in turn. Prints a
Markdown table; its last column says how far the results of both lie apart.

    python3 bench/cpu_torch.py BUILD [--only WORD..] [--threads 1,2] [--seconds 3] [--no-compile]

BUILD holds libfusec.so. The interpreter needs PyTorch, NumPy and a C++ compiler (for torch.compile).
"""
import argparse
import ctypes
import dataclasses
import datetime
import os
import pathlib
import statistics
import sys
import time
from typing import Callable, Dict, List, Optional

import torch
import torch.nn.functional as F

ROOT = pathlib.Path(__file__).resolve().parents[1]
ROTATED = 96 << 20  # bytes of the sets of inputs that are taken in turn: more than the caches hold
MOST_SETS = 8
BLOCK = 0.02  # seconds of calls of one arm, before it is another's turn


# ---- workloads ----------------------------------------------------------------------------------

@dataclasses.dataclass
class Work:
    name: str
    text: str
    sizes: List[str]
    eager: Callable
    formula: Optional[Callable] = None  # for torch.compile, where it is another than eager's
    bound: str = "operations"           # or bytes: what the rate counts
    tolerance: float = 1e-5             # of the norm of the difference to eager's result


def product(a, y, left="M, K", right="K, N", maths="a @ b"):
    return f"fn f[M, N, K](a: {a}[{left}], b: {a}[{right}]) -> (y: {y}[M, N]) {{ y = {maths}; }}"


def attention(dtype, causal):
    mask = "where(iota(S)[:, None] >= iota(S), q @ k.T * rsqrt(D), -inf)"
    inputs = ", ".join(f"{name}: {dtype}[B, H, S, D]" for name in "qkv")
    return (f"fn f[B, H, S, D]({inputs}) -> (o: {dtype}[B, H, S, D]) {{\n"
            f"    o = (softmax({mask if causal else 'q @ k.T * rsqrt(D)'}) as {dtype}) @ v;\n}}")


def sdpa(causal):
    return lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=causal)


def weights_8(dtype):
    return (f"fn f[M, N, K](x: {dtype}[M, K], w: i8[N, K], s: f32[N]) -> (y: {dtype}[M, N]) {{\n"
            f"    y = x @ (w as {dtype}).T * s;\n}}")


def weights_4(dtype):
    """Two to a byte, the low halves those of the first K/2 columns; 32 of a row have a scale."""
    return (f"fn f[M, N, K](x: {dtype}[M, K], w: u8[N, K/2], s: f32[N, K/32]) -> (y: {dtype}[M, N]) {{\n"
            "    q = concat(w % 16, w / 16, axis = 1) - 8;\n"
            "    wide = reshape(q as f32, N, K / 32, 32) * s[:, :, None];\n"
            f"    y = x @ (reshape(wide, N, K) as {dtype}).T;\n}}")


NEIGHBOURS = """fn f[M, N, K](x: bf16[M, K], w: u8[N, K/2], s: f32[N, K/128], z: u8[N, K/128]) -> (y: bf16[M, N]) {
    both = concat((w % 16)[:, :, None], (w / 16)[:, :, None]);
    q = reshape(both, N, K / 128, 128) as f32 - z[:, :, None] as f32;
    y = x @ (reshape(q * s[:, :, None], N, K) as bf16).T;
}"""
BLOCKS = """fn f[M, N, K](x: f32[M, K], w: u8[N, K/2], s: f32[N, K/32]) -> (y: f32[M, N]) {
    b = reshape(w, N, K / 32, 1, 16);
    q = reshape(concat(b % 16, b / 16, axis = 2), N, K / 32, 32) as f32 - 8;
    y = x @ reshape(q * s[:, :, None], N, K).T;
}"""


def eager_neighbours(x, w, s, z):
    q = torch.stack([w & 15, w >> 4], 2).view(w.shape[0], -1, 128).float() - z[:, :, None].float()
    return F.linear(x, (q * s[:, :, None]).view(w.shape[0], -1).to(x.dtype))


def eager_blocks(x, w, s):
    b = w.view(w.shape[0], -1, 16)
    q = torch.cat([b & 15, b >> 4], 2).float() - 8
    return F.linear(x, (q * s[:, :, None]).view(w.shape[0], -1))


def eager_weights_8(x, w, s):
    return F.linear(x, w.to(x.dtype)) * s.to(x.dtype)


def packed_weights_8(x, w, s):
    return torch._weight_int8pack_mm(x, w, s.to(x.dtype))


def eager_weights_4(x, w, s):
    q = torch.cat([w & 15, w >> 4], 1).to(torch.float32) - 8
    return F.linear(x, (q.view(w.shape[0], -1, 32) * s[:, :, None]).view(w.shape[0], -1).to(x.dtype))


def matmul(a, b):
    return a @ b


def add_norm(x, delta, gain):
    total = x + delta
    return total, F.rms_norm(total.float(), total.shape[-1:], gain, 1e-6).to(x.dtype)


ADD_NORM = """fn f[N, D](x: bf16[N, D], delta: bf16[N, D], gain: f32[D]) -> (total: bf16[N, D], y: bf16[N, D]) {
    total = x + delta;
    y = total * rsqrt(mean(total * total, keep = true) + 1e-6) * gain;
}"""
NORM_GELU = """fn f[N, D](x: f32[N, D], r: f32[N, D], g: f32[D], b: f32[D]) -> (y: f32[N, D], h: f32[N, D]) {
    h = x + r;
    y = gelu(layer_norm(h, g, b));
}"""
MASKED = """fn f[B, S](x: f32[B, S, S]) -> (y: f32[B, S, S]) {
    y = softmax(where(iota(S)[:, None] >= iota(S), x * 0.125, -inf));
}"""
GROUP_NORM = """
fn f[B, C, S](x: f32[B, 4, C, S], g: f32[4, C], b: f32[4, C]) -> (y: f32[B, 4, C, S]) {
    m = mean(x, axis = [2, 3], keep = true);
    d = x - m;
    r = rsqrt(mean(d * d, axis = [2, 3], keep = true) + 1e-5);
    y = d * r * g[:, :, None] + b[:, :, None];
}"""
FEATURE_MAPS = """fn f[B, C, H, W](x: %s[B, C, H, W], g: f32[C], b: f32[C]) -> (y: %s[B, C, H, W]) {
    of_group = reshape(x as f32, B, 32, C / 32 * H * W);
    d = of_group - mean(of_group, keep = true);
    n = d * rsqrt(mean(d * d, keep = true) + 1e-5);
    y = (reshape(n, B, C, H, W) * g[:, None, None] + b[:, None, None]) as %s;
}"""
MAPS = ["B=8 C=320 H=64 W=64", "B=32 C=256 H=56 W=56", "B=1 C=320 H=32 W=32"]
UPSAMPLE = """fn f[N, C, H, W](x: f32[N, C, H, W]) -> (y: f32[N, C, 2*H, 2*W]) {
    up = concat(x[:, :, :1], x, x[:, :, -1:], axis = 2);
    r0 = 0.25 * up[:, :, :H] + 0.75 * x;
    r1 = 0.75 * x + 0.25 * up[:, :, 2:];
    r = reshape(concat(r0[:, :, :, None], r1[:, :, :, None], axis = 3), N, C, 2 * H, W);
    side = concat(r[:, :, :, :1], r, r[:, :, :, -1:]);
    c0 = 0.25 * side[:, :, :, :W] + 0.75 * r;
    c1 = 0.75 * r + 0.25 * side[:, :, :, 2:];
    y = reshape(concat(c0[..., None], c1[..., None]), N, C, 2 * H, 2 * W);
}"""
POOL = """fn f[N, H, W, C](x: bf16[N, H, W, C]) -> (y: bf16[N, H/2, W/2, C]) {
    y = mean(reshape(x, N, H / 2, 2, W / 2, 2, C), axis = [2, 4]);
}"""
COMPLEX = """fn f[B, N](x: f32[B, N, 2], h: f32[N, 2]) -> (y: f32[B, N, 2]) {
    re = x[..., 0] * h[:, 0] - x[..., 1] * h[:, 1];
    im = x[..., 0] * h[:, 1] + x[..., 1] * h[:, 0];
    y = concat(re[..., None], im[..., None]);
}"""
TURNED = """fn f[B, S, H, D](x: bf16[B, S, H, D], c: f32[S, D/2], s: f32[S, D/2]) -> (y: bf16[B, S, H, D]) {
    p = reshape(x, B, S, H, D / 2, 2);
    u = p[..., 0] * c[:, None] - p[..., 1] * s[:, None];
    v = p[..., 1] * c[:, None] + p[..., 0] * s[:, None];
    y = reshape(concat(u[..., None], v[..., None]), B, S, H, D);
}"""
HISTOGRAM = """fn f[N](x: u8[N]) -> (y: i32[256]) {
    y = scatter(full(0, 256), x as i32, 1);
}"""
CHANNELS_LAST_NORM = """fn f[N, S, C](x: bf16[N, S, C], g: bf16[C], b: bf16[C]) -> (y: bf16[N, S, C]) {
    v = reshape(x as f32, N, S, 32, C / 32);
    z = (v - mean(v, axis = [1, 3], keep = true)) * rsqrt(var(v, axis = [1, 3], keep = true) + 1e-5);
    y = silu(reshape(z, N, S, C) * g + b);
}"""
PATCHES = """fn f[N, H, D](x: bf16[N, 3, H, H], w: bf16[D, 768]) -> (y: bf16[N, H/16*(H/16), D]) {
    p = permute(reshape(x, N, 3, H / 16, 16, H / 16, 16), 0, 2, 4, 1, 3, 5);
    y = reshape(p, N, H / 16 * (H / 16), 768) @ w.T;
}"""
OUTER_MEAN = """fn f[S, R, C](a: bf16[S, R, C], b: bf16[S, R, C]) -> (y: bf16[R, R, C, C]) {
    y = einsum("sic,sjd->ijcd", a, b) / S;
}"""
COSINES = """fn f[N, M, D](x: bf16[N, D], z: bf16[M, D]) -> (y: bf16[N, M]) {
    a = (x * rsqrt(sum(x * x, keep = true) + 1e-12)) as bf16;
    b = (z * rsqrt(sum(z * z, keep = true) + 1e-12)) as bf16;
    y = a @ b.T;
}"""
LATENTS = """fn f[B, H, T, R, P](q: bf16[B, H, R], qr: bf16[B, H, P], c: bf16[B, T, R], kr: bf16[B, T, P])
    -> (o: bf16[B, H, R]) {
    s = (concat(q, qr) @ concat(c, kr).T) * rsqrt(R + P);
    o = softmax(s) as bf16 @ c;
}"""
SQUARES = ["M=256 N=256 K=256", "M=1024 N=1024 K=1024", "M=2048 N=2048 K=2048"]
ODD = ["M=1000 N=1023 K=777", "M=4096 N=64 K=1024"]
ROWS = [f"M={m} N=4096 K=4096" for m in (1, 4, 8)]


def norm_gelu(x, r, g, b):
    h = x + r
    return F.gelu(F.layer_norm(h, h.shape[-1:], g, b, 1e-5)), h


def group_norm(x, g, b):
    flat = x.flatten(1, 2)
    return F.group_norm(flat, 4, g.flatten(), b.flatten(), 1e-5).view(x.shape)


def masked(x):
    keeps = torch.ones(x.shape[-2:], dtype=torch.bool).tril()
    return F.softmax((x * 0.125).masked_fill(~keeps, float("-inf")), -1)


def pool(x):
    return F.avg_pool2d(x.permute(0, 3, 1, 2), 2).permute(0, 2, 3, 1)


def complex_product(x, h):
    return torch.view_as_real(torch.view_as_complex(x) * torch.view_as_complex(h))


def turned(x, c, s):
    pairs = torch.view_as_complex(x.float().unflatten(-1, (-1, 2)))
    return torch.view_as_real(pairs * torch.complex(c, s)[:, None]).flatten(-2).to(x.dtype)


def channels_last_norm(x, g, b):
    return F.silu(F.group_norm(x.mT, 32, g, b, 1e-5)).mT


def patches(x, w):
    return F.conv2d(x, w.view(-1, 3, 16, 16), stride=16).flatten(2).mT


def cosines(x, z):
    return F.normalize(x.float(), dim=-1).to(x.dtype) @ F.normalize(z.float(), dim=-1).to(z.dtype).T


def latents(q, qr, c, kr):
    scores = (torch.bmm(q, c.mT) + torch.bmm(qr, kr.mT)).float()
    return F.softmax(scores * (q.shape[-1] + qr.shape[-1]) ** -0.5, -1).to(c.dtype) @ c


WORKS = [
    Work("product bf16", product("bf16", "bf16"), SQUARES + ODD, matmul, tolerance=5e-3),
    Work("product bf16, rows by rows", product("bf16", "bf16", right="N, K", maths="a @ b.T"),
         SQUARES[1:], F.linear, tolerance=5e-3),
    Work("product i8", product("i8", "i32"), SQUARES[1:] + ODD[:1], torch._int_mm, tolerance=0),
    Work("product f32", product("f32", "f32"), SQUARES + ["M=4096 N=4096 K=4096"] + ODD, matmul),
    Work("product bf16, skinny", product("bf16", "bf16"), ROWS, matmul, bound="bytes", tolerance=5e-3),
    Work("product bf16, skinny, rows by rows",
         product("bf16", "bf16", right="N, K", maths="a @ b.T"), ROWS, F.linear, bound="bytes",
         tolerance=5e-3),
    Work("product f32, skinny", product("f32", "f32"), ROWS, matmul, bound="bytes"),
    Work("product f32, skinny, rows by rows", product("f32", "f32", right="N, K", maths="a @ b.T"),
         ROWS, F.linear, bound="bytes"),
    Work("matrix f32 times vector", "fn f[M, K](a: f32[M, K], x: f32[K]) -> (y: f32[M]) { y = a @ x; }",
         ["M=4096 K=4096", "M=1000 K=16384"], torch.mv, bound="bytes"),
    Work("vector f32 times matrix", "fn f[N, K](x: f32[K], b: f32[K, N]) -> (y: f32[N]) { y = x @ b; }",
         ["N=4096 K=4096"], matmul, bound="bytes"),
    Work("attention f32", attention("f32", False), ["B=1 H=8 S=1024 D=64", "B=1 H=8 S=2048 D=128"],
         sdpa(False)),
    Work("attention f32, causal", attention("f32", True), ["B=1 H=8 S=1024 D=64"], sdpa(True)),
    Work("attention bf16", attention("bf16", False), ["B=1 H=8 S=1024 D=64", "B=1 H=8 S=2048 D=128"],
         sdpa(False), tolerance=1e-2),
    Work("attention bf16, causal", attention("bf16", True), ["B=1 H=8 S=1024 D=64"], sdpa(True),
         tolerance=1e-2),
    Work("column sums f32", "fn f[M, N](x: f32[M, N]) -> (y: f32[N]) { y = sum(x, axis = 0); }",
         ["M=16384 N=2048", "M=262144 N=64", "M=16383 N=1025", "M=4096 N=16384"], lambda x: x.sum(0),
         bound="bytes"),
    Work("column sums bf16", "fn f[M, N](x: bf16[M, N]) -> (y: f32[N]) { y = sum(x, axis = 0); }",
         ["M=16384 N=4096", "M=4096 N=16384"], lambda x: x.sum(0, dtype=torch.float32), bound="bytes"),
    Work("sums over the middle axis f32",
         "fn f[B, M, N](x: f32[B, M, N]) -> (y: f32[B, N]) { y = sum(x, axis = 1); }",
         ["B=64 M=512 N=1024"], lambda x: x.sum(1), bound="bytes"),
    Work("sums over two outer axes f32",
         "fn f[B, C, S](x: f32[B, C, S]) -> (y: f32[C]) { y = sum(x, axis = [0, 2]); }",
         ["B=64 C=128 S=4096", "B=256 C=64 S=784"], lambda x: x.sum((0, 2)), bound="bytes"),
    Work("transpose f32", "fn f[M, N](x: f32[M, N]) -> (y: f32[N, M]) { y = x.T; }",
         ["M=4096 N=4096", "M=4095 N=4097", "M=1000 N=3000", "M=512 N=512"], lambda x: x.T.contiguous(),
         bound="bytes", tolerance=0),
    Work("transpose bf16", "fn f[M, N](x: bf16[M, N]) -> (y: bf16[N, M]) { y = x.T; }",
         ["M=4096 N=8192", "M=1000 N=3000"], lambda x: x.T.contiguous(), bound="bytes", tolerance=0),
    Work("transpose i8", "fn f[M, N](x: i8[M, N]) -> (y: i8[N, M]) { y = x.T; }",
         ["M=4096 N=8192"], lambda x: x.T.contiguous(), bound="bytes", tolerance=0),
    Work("channels last f32",
         "fn f[B, C, H, W](x: f32[B, C, H, W]) -> (y: f32[B, H, W, C]) { y = permute(x, 0, 2, 3, 1); }",
         ["B=16 C=64 H=64 W=64"], lambda x: x.permute(0, 2, 3, 1).contiguous(), bound="bytes",
         tolerance=0),
    Work("heads first f32",
         "fn f[B, S, H, D](x: f32[B, S, H, D]) -> (y: f32[B, H, S, D]) { y = permute(x, 0, 2, 1, 3); }",
         ["B=4 S=2048 H=16 D=64"], lambda x: x.permute(0, 2, 1, 3).contiguous(), bound="bytes",
         tolerance=0),
    Work("heads first, positions last bf16",
         "fn f[B, S, H, D](x: bf16[B, S, H, D]) -> (y: bf16[B, H, D, S]) { y = permute(x, 0, 2, 3, 1); }",
         ["B=4 S=2048 H=16 D=64"], lambda x: x.permute(0, 2, 3, 1).contiguous(), bound="bytes",
         tolerance=0),
    Work("transpose, gelu and add f32",
         "fn f[M, N](x: f32[M, N], z: f32[N, M]) -> (y: f32[N, M]) { y = gelu(x.T) + z; }",
         ["M=4096 N=4096"], lambda x, z: F.gelu(x.T) + z, bound="bytes"),
    Work("softmax f32", "fn f[N, D](x: f32[N, D]) -> (y: f32[N, D]) { y = softmax(x); }",
         ["N=8192 D=4096", "N=131072 D=64", "N=262144 D=16", "N=65536 D=49", "N=1024 D=64"],
         lambda x: F.softmax(x, -1), bound="bytes"),
    Work("softmax f32, 32 columns",
         "fn f[N](x: f32[N, 32]) -> (y: f32[N, 32]) { y = softmax(x); }", ["N=131072", "N=2048"],
         lambda x: F.softmax(x, -1), bound="bytes"),
    Work("variance of columns f32",
         "fn f[M, N](x: f32[M, N]) -> (y: f32[N]) { y = var(x, axis = 0); }",
         ["M=16384 N=1024", "M=1024 N=256"], lambda x: x.var(0, correction=0), bound="bytes"),
    Work("group norm f32", GROUP_NORM, ["B=32 C=32 S=1024", "B=8 C=8 S=256"], group_norm,
         bound="bytes"),
    *(Work(f"group norm of feature maps {a}", FEATURE_MAPS % (a, a, a), MAPS,
           lambda x, g, b: F.group_norm(x, 32, g.to(x.dtype), b.to(x.dtype), 1e-5), bound="bytes",
           tolerance=1e-5 if a == "f32" else 1e-2) for a in ("f32", "bf16")),
    Work("softmax f32, scaled and masked", MASKED, ["B=16 S=1024"], masked, bound="bytes"),
    Work("add and rms_norm bf16, two outputs", ADD_NORM, ["N=8192 D=4096"], add_norm, bound="bytes",
         tolerance=5e-3),
    Work("add, layer_norm and gelu f32, two outputs", NORM_GELU, ["N=8192 D=2048"], norm_gelu,
         bound="bytes"),
    Work("8-bit weights times f32", weights_8("f32"), ROWS, eager_weights_8, bound="bytes"),
    Work("8-bit weights times bf16", weights_8("bf16"), ROWS, packed_weights_8, eager_weights_8,
         bound="bytes", tolerance=1e-2),
    Work("4-bit weights times f32", weights_4("f32"), ROWS, eager_weights_4, bound="bytes"),
    Work("4-bit weights times bf16", weights_4("bf16"), ROWS, eager_weights_4, bound="bytes",
         tolerance=1e-2),
    Work("4-bit weights times bf16, neighbours, zero points", NEIGHBOURS, ROWS, eager_neighbours,
         bound="bytes", tolerance=1e-2),
    Work("4-bit weights times f32, blocks of 32", BLOCKS, ROWS, eager_blocks, bound="bytes"),
    Work("image of twice the size, bilinear f32", UPSAMPLE, ["N=8 C=32 H=64 W=64", "N=2 C=3 H=225 W=301"],
         lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), bound="bytes"),
    Work("averages of 2 x 2, channels last bf16", POOL, ["N=16 H=56 W=112 C=64"], pool, bound="bytes",
         tolerance=5e-3),
    Work("complex products f32", COMPLEX, ["B=64 N=16384", "B=7 N=1001"], complex_product, bound="bytes"),
    Work("neighbours turned by angles bf16", TURNED, ["B=4 S=512 H=16 D=128"], turned, bound="bytes",
         tolerance=5e-3),
    Work("histogram of bytes", HISTOGRAM, ["N=16777216"], lambda x: torch.bincount(x, minlength=256),
         bound="bytes", tolerance=0),
    Work("group norm and silu, channels last bf16", CHANNELS_LAST_NORM,
         ["N=8 S=2048 C=320", "N=8 S=1024 C=640", "N=4 S=2048 C=128"], channels_last_norm, bound="bytes",
         tolerance=1e-2),
    Work("patches of 16 x 16 bf16", PATCHES, ["N=32 H=224 D=192"], patches, tolerance=5e-3),
    Work("mean of outer products bf16", OUTER_MEAN, ["S=128 R=64 C=32"],
         lambda a, b: torch.einsum("sic,sjd->ijcd", a, b).contiguous() / a.shape[0], tolerance=1e-2),
    Work("cosines bf16", COSINES, ["N=4096 M=1024 D=256"], cosines, tolerance=1e-2),
    Work("attention to latents bf16", LATENTS, ["B=8 H=128 T=1024 R=512 P=64"], latents, tolerance=1e-2),
]


# ---- measuring ----------------------------------------------------------------------------------

TYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "i8": torch.int8, "u8": torch.uint8}


def tensor(argument, dims: Dict[str, int]):
    shape = [eval(size.replace("/", "//"), {}, dims) for size in argument.shape]
    dtype = TYPES[argument.type]
    if not dtype.is_floating_point:
        bounds = torch.iinfo(dtype)
        return torch.randint(bounds.min, bounds.max + 1, shape, dtype=dtype)
    return (torch.rand(shape) * 2 - 1).to(dtype)


def input_sets(inputs, dims):
    sets = [[tensor(a, dims) for a in inputs]]
    size = sum(t.numel() * t.element_size() for t in sets[0])
    while len(sets) < MOST_SETS and len(sets) * size < ROTATED:
        sets.append([tensor(a, dims) for a in inputs])
    return sets


def difference(mine, other):
    """Of all outputs, the largest norm of a difference relative to the norm of eager's."""
    mine, other = (t if isinstance(t, tuple) else (t,) for t in (mine, other))
    return max(((a.double() - b.double()).norm() / b.double().norm()).item()
               for a, b in zip(mine, other))


def timed(call, sets, clock):
    """Seconds of calls in a row that take about BLOCK, each with the next set."""
    time.sleep(0.003)  # threads of the arm before spin a while
    times, start, begun = [], time.perf_counter(), clock()
    call(*sets[-1])
    if time.perf_counter() - start > BLOCK:
        return [clock() - begun]
    while not times or time.perf_counter() - start < 2 * BLOCK and len(times) < 1000:
        begun = clock()
        call(*sets[len(times) % len(sets)])
        times.append(clock() - begun)
    return times


def in_turn(arms, sets, seconds, threads):
    """By arm: all times, of blocks that take turns in changing order. One thread by its own clock."""
    times, end, names = {name: [] for name in arms}, time.perf_counter() + seconds, list(arms)
    clock = time.thread_time if threads == 1 else time.perf_counter
    while not times[names[0]] or time.perf_counter() < end:
        for name in names:
            times[name] += timed(arms[name], sets, clock)
        names = names[1:] + names[:1]
    return times


def copy_rate(seconds, threads):
    """Bytes a second that a copy reads and writes, the best of its times."""
    x = torch.rand(32 << 20)
    y = torch.empty_like(x)
    return 2 * x.numel() * 4 / min(in_turn({"copy": y.copy_}, [[x]], seconds, threads)["copy"])


def row(fusec, work, size, threads, copied, options):
    dims = {d: int(n) for d, n in (word.split("=") for word in size.split())}
    mine = fusec.compile(work.text, threads=threads, policy="exact").f
    sets = input_sets(mine.inputs, dims)
    arms = {"fusec": mine, "eager": work.eager}
    if options.compile:
        torch._dynamo.reset()
        arms["compile"] = torch.compile(work.formula or work.eager, dynamic=False)
    with torch.no_grad():
        results = {name: call(*sets[0]) for name, call in arms.items()}
        apart = difference(results["fusec"], results["eager"])
        times = in_turn(arms, sets, options.seconds, threads)
    least = {name: min(t) for name, t in times.items()}
    median = {name: statistics.median(t) for name, t in times.items()}
    peers = list(arms)[1:]
    moved, operations = mine.work(**dims)
    rate = (operations if work.bound == "operations" else moved) / least["fusec"] * 1e-9
    of_copy = f"{moved / least['fusec'] / copied:.2f}" if work.bound == "bytes" else ""
    cells = [work.name, size, threads, *(f"{1e3 * least[a]:.3f}" for a in arms),
             f"{rate:.1f} {'G/s' if work.bound == 'operations' else 'GB/s'}", of_copy,
             *(f"{min(t[p] for p in peers) / t['fusec']:.2f}" for t in (least, median)),
             f"{apart:.0e}" if apart <= work.tolerance else f"**{apart:.0e}**"]
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)
    return apart <= work.tolerance


# ---- the table ----------------------------------------------------------------------------------

def load_fusec(build):
    """The package of this repository over the library of the build."""
    ctypes.CDLL(str(pathlib.Path(build).resolve() / "libfusec.so.0"), mode=ctypes.RTLD_GLOBAL)
    sys.path.insert(0, str(ROOT / "python"))
    import fusec
    return fusec


def keep_pages():
    """Freed memory stays with the process: results of either arm cost no page faults."""
    libc = ctypes.CDLL(None)
    trim_threshold, mmap_max = -1, -4
    libc.mallopt(mmap_max, 0)
    libc.mallopt(trim_threshold, 2**31 - 1)


def processor():
    with open("/proc/cpuinfo") as file:
        return next((line.split(": ")[1].strip() for line in file if line.startswith("model name")),
                    "unknown processor")


def head(fusec, options, copied):
    load = " ".join(f"{x:.2f}" for x in os.getloadavg())
    rates = ", ".join(f"{rate * 1e-9:.1f} GB/s by {n}" for n, rate in copied.items())
    print(f"{datetime.date.today()}, {processor()}, PyTorch {torch.__version__}, fusec {fusec.version()}, "
          f"`bench/cpu_torch.py --seconds {options.seconds:g}`. Milliseconds: the least of calls in "
          f"turn; one thread by its own clock. A copy moves {rates}. Load of the machine: {load}.\n")
    arms = ["fusec", "eager"] + (["torch.compile"] if options.compile else [])
    print("| kernel | size | threads |", *(f"{a} |" for a in arms),
          "rate | of copy | best peer / fusec | of medians | difference |")
    print("|---|---|---:|" + "---:|" * (len(arms) + 5))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--only", nargs="*", default=[""], help="kernels whose names have one of these")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--seconds", type=float, default=3, help="of each row")
    parser.add_argument("--no-compile", dest="compile", action="store_false")
    options = parser.parse_args()
    fusec = load_fusec(options.build)
    keep_pages()
    torch.manual_seed(0)
    copied, agree = {}, True
    for threads in (int(n) for n in options.threads.split(",")):
        torch.set_num_threads(threads)
        copied[threads] = copy_rate(min(options.seconds, 2), threads)
    head(fusec, options, copied)
    for work in (w for w in WORKS if any(word in w.name for word in options.only)):
        for size in work.sizes:
            for threads in copied:
                torch.set_num_threads(threads)
                agree &= row(fusec, work, size, threads, copied[threads], options)
    sys.exit(0 if agree else "results differ: those in bold")


if __name__ == "__main__":
    main()
