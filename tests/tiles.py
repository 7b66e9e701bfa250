#!/usr/bin/env python3
"""Every legal tile computes the same: kernels of each family with the tiles that --emit=tile lists,
run in the CUDA shim or on the CPU, and compared with the evaluator.

    python3 tests/tiles.py FUSEC [--count N | --pairs | --all] [--shard I/N] [--jobs N] [--seed N]
                            [NAME..]

Of each kernel the chosen tile is run, and N others at random (default 2); with --pairs so many that
any two values of fields that a legal tile has together are in one of them, some 2,700 tiles; with
--all every one: 20,000, some five hours of a core. --shard 1/6 runs the first, the seventh, .. of
these, --jobs N at a time. A NAME is a case below or a model (examples/rope.fx), whose kernels in C,
for sm_80 and for sm_90a are run at the sizes of its first comment `// small: -D N=3`. Tiles in C are compiled for this
processor and for earlier ones, in turn.
"""
import argparse
import itertools
import os
import pathlib
import random
import re
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent / "shim")]
import emulate  # noqa: E402
import processors  # noqa: E402
from cuda_model import CudaModel, Failure, command  # noqa: E402

SKIPPED = 77
CPU = "cpu"
ARCHITECTURES = (CPU, "sm_80", "sm_90a")  # of a model
# Threads of a kernel in C: they share rows unevenly, and jobs do not wait for each other.
THREADS = {**os.environ, "OMP_NUM_THREADS": "3", "OMP_WAIT_POLICY": "passive"}


@dataclass
class Case:
    name: str
    arch: str  # CPU: in C
    fixed: str  # sizes of the compilation
    sizes: str  # and of the run
    text: str


def case(name, arch, fixed, sizes, signature, statements, before=""):
    return Case(name, arch, fixed, sizes, f"{before}fn t{signature} {{\n    {statements}\n}}\n")


ATTENTION = "(q: {0}[2, S, {1}], k: {0}[2, T, {1}], v: {0}[2, T, {2}]) -> (y: {0}[2, S, {2}])"
CAUSAL = "y = softmax(where(iota(S)[:, None] >= iota(T), q @ transpose(k), -inf)) @ v;"
NARROW = "p = softmax(q @ transpose(k)) as bf16;\n    y = p @ v;"
NARROW_CAUSAL = ("p = softmax(where(iota(S)[:, None] >= iota(T), q @ transpose(k), -inf)) as bf16;\n"
                 "    y = p @ v;")
GATED = "(x: {0}[M, K], g: {0}[N, K], u: {0}[N, K]) -> (y: {0}[M, N])"
GEMM = "(x: {0}[M, K], w: {0}[N, K]) -> (y: {1}[M, N])"



def norm_groups(columns):
    """A norm, and the largest element of each group of a row, which its elements are divided by."""
    return (f"[N, D](x: bf16[N, D]) -> (y: bf16[N, D], s: f32[N, D / {columns}])",
            f"h = reshape(x * rsqrt(mean((x * x) as f32, keep = true) + 1e-3), N, D / {columns}, {columns});\n"
            "    s = max(max(abs(h)) as f32, 1e-6);\n"
            "    y = reshape(h / s[:, :, None], N, D) as bf16;")


BYTES = "(x: bf16[M, K], w: i8[N, K], s: f32[N]) -> (y: bf16[M, N])"
NIBBLES = "(x: bf16[M, K], w: u8[N, K / 2], s: f32[N, K / 128]) -> (y: bf16[M, N])"
NIBBLES_PRODUCT = (
    "b = concat(((w % 16) as f32 - 8)[:, :, None], ((w / 16) as f32 - 8)[:, :, None]);\n"
    "    v = reshape(reshape(b, N, K / 128, 128) * s[:, :, None], N, K) as bf16;\n"
    "    y = x @ v.T;")

CASES = [
    case("pointwise", "sm_80", "", "N=1030", "[N](x: f32[N], z: f32[N]) -> (y: f32[N])",
         "y = exp(x) * z + 1;"),
    case("pointwise_packs", "sm_80", "D=24", "N=37 D=24",
         "[N, D](x: bf16[N, D], z: bf16[D]) -> (y: bf16[N, D])", "y = tanh(x) + z;"),
    case("pointwise_nests", "sm_80", "", "N=100 D=7",
         "[N, D](x: bf16[N], z: f32[D]) -> (y: bf16[N], w: f32[D])", "y = x * 2;\n    w = exp(z);"),
    case("transpose", "sm_80", "", "M=77 N=85",
         "[M, N](x: bf16[M, N], z: f32[N]) -> (y: bf16[N, M])", "y = x.T * z[:, None];"),
    case("transpose_packs", "sm_80", "M=48 N=80", "B=2 M=48 N=80",
         "[B, M, N](x: f32[M, B, N], z: f16[B, N, M]) -> (y: f32[B, N, M])",
         "y = exp(permute(x, 1, 2, 0)) + z;"),
    case("transpose_shifted", "sm_80", "B=2 M=39 N=77", "B=2 M=39 N=77",
         "[B, M, N](x: bf16[B, M, N], z: bf16[B, N, M], m: f32[M]) -> (y: bf16[B, N, M])",
         "y = x.T * z + m;"),
    case("permute", "sm_80", "", "",
         "(x: u8[5, 2, 23, 3, 41], z: u8[3, 41, 5, 46]) -> (y: u8[41, 46, 5, 3])",
         "y = (reshape(permute(x, 4, 1, 2, 0, 3), 41, 46, 5, 3) + permute(z, 1, 3, 2, 0)) as u8;"),
    case("permute_packs", "sm_80", "", "",
         "(x: f16[70, 3, 36], z: f16[36, 210], b: f32[3, 1]) -> (y: f16[36, 3, 70])",
         "y = permute(x, 2, 1, 0) + reshape(z, 36, 3, 70) * b;"),
    case("permute_nests", "sm_80", "", "",
         "(x: i8[7, 30, 6], z: f32[40, 3]) -> (y: i8[6, 7, 30], w: f32[40, 3])",
         "y = permute(x, 2, 0, 1);\n    w = exp(z);"),
    case("transpose_nests", "sm_80", "", "M=40 N=70",
         "[M, N](x: i8[M, N], z: f32[N, 3]) -> (y: i8[N, M], w: f32[N, 3])",
         "y = x.T;\n    w = exp(z);"),
    case("row", "sm_80", "D=200", "N=9 D=200", "[N, D](x: f32[N, D]) -> (y: f32[N, D])",
         "y = softmax(x);"),
    case("row_shifted", "sm_80", "D=203", "N=9 D=203",
         "[N, D](x: bf16[N, D], z: f32[N, D]) -> (y: f32[N, D], i: i32[N])",
         "y = softmax(x as f32 * z);\n    i = argmax(z);"),
    case("row_open", "sm_80", "", "N=5 D=1100", "[N, D](x: bf16[N, D]) -> (y: bf16[N, D])",
         "y = x * rsqrt(mean(x * x, keep = true) + 1e-6);"),
    case("row_groups", "sm_90", "D=512", "N=9 D=512", *norm_groups(128)),
    case("row_groups_padded", "sm_80", "D=144", "N=9 D=144", *norm_groups(12)),
    case("row_groups_long", "sm_80", "D=4096", "N=2 D=4096", *norm_groups(2048)),
    case("row_groups_open", "sm_80", "", "N=3 D=1152", *norm_groups(128)),
    case("row_groups_c", CPU, "", "N=5 D=390", *norm_groups(39)),
    case("row_scan", "sm_80", "D=90", "N=7 D=90", "[N, D](x: f32[N, D]) -> (y: f32[N, D])",
         "y = cumsum(x) / sum(exp(x), keep = true);"),
    case("row_scan_open", "sm_80", "", "N=3 D=1100",
         "[N, D](x: bf16[N, D]) -> (y: bf16[N, D], z: f32[N, D])",
         "a = cumsum(x * x as f32);\n    y = x * rsqrt(a + 1);\n    z = cumsum(exp(-a));"),
    case("row_scan_product", "sm_80", "D=90", "N=7 D=90",
         "[N, D](x: bf16[N, D], i: i32[N, D]) -> (y: f32[N, D], k: i32[N, D])",
         "y = cumprod(1 - x * x / 16);\n    k = cumprod(i + 1);"),
    case("row_scan_extremes", "sm_80", "D=90", "N=7 D=90",
         "[N, D](x: bf16[N, D], i: i32[N, D]) -> (y: bf16[N, D], z: f32[N, D], k: i32[N, D])",
         "y = cummax(x);\n    z = cumsum(x) - cummin(x);\n    k = cummax(i);"),
    case("row_cluster", "sm_90", "D=1000", "N=3 D=1000",
         "[N, D](x: bf16[N, D], z: f32[N, D]) -> (y: bf16[N, D], i: i32[N])",
         "y = softmax(x) * mean(z, keep = true) + z;\n    i = argmax(x);"),
    case("row_shifted_columns", "sm_80", "D=401", "N=9 D=401",
         "[N, D](x: bf16[N, D], g: bf16[D]) -> (y: bf16[N, D])", "y = rms_norm(x, g) as bf16;"),
    case("row_cluster_shifted_columns", "sm_90", "D=2051", "N=3 D=2051",
         "[N, D](x: f32[N, D], g: f32[D], b: bf16[D]) -> (y: f32[N, D])", "y = layer_norm(x, g, b);"),
    case("row_cluster_shifted", "sm_90", "D=2051", "N=3 D=2051",
         "[N, D](x: bf16[N, D], r: f32[N]) -> (y: bf16[N, D], s: f32[N])",
         "p = softmax(x);\n    y = p * r[:, None];\n    s = max(x);"),
    case("row_cluster_even", "sm_90", "D=2048", "N=2 D=2048",
         "[N, D](x: bf16[N, D]) -> (y: bf16[N, D])", "y = softmax(x);"),
    case("gemv_fma", "sm_80", "M=5", "B=2 M=5 N=70 K=203",
         "[B, M, N, K](x: f32[B, M, K], w: f32[B, N, K], b: f32[N]) -> (y: bf16[B, M, N])",
         "y = relu(x @ permute(w, 0, 2, 1) + b) as bf16;"),
    case("gemv_fma_across", "sm_75", "M=3 N=76 K=140", "M=3 N=76 K=140",
         "[M, N, K](x: f32[M, K], w: f32[K, N], v: f32[K, N]) -> (y: f32[M, N])",
         "y = silu(x @ w) * (x @ v);"),
    case("gemv_fma_turned", "sm_80", "", "",
         "(x: f32[2050, 100], w: f32[100, 6]) -> (y: f32[2050, 6])", "y = x @ w + 1;"),
    case("gemv", "sm_80", "M=11", "B=2 M=11 N=37 K=232",
         "[B, M, N, K](x: bf16[B, M, K], w: bf16[B, N, K]) -> (y: bf16[B, M, N])",
         "y = x @ permute(w, 0, 2, 1);"),
    case("gemv_bytes", "sm_80", "M=19 K=1072", "M=19 N=37 K=1072", "[M, N, K]" + BYTES,
         "y = x @ ((w as f32 * s[:, None]) as bf16).T;"),
    case("gemv_nibbles", "sm_80", "M=13 K=1408", "M=13 N=37 K=1408", "[M, N, K]" + NIBBLES,
         NIBBLES_PRODUCT),
    case("dot_turned", "sm_80", "", "",
         "(x: bf16[2051, 136], w: bf16[136, 5], b: f32[5]) -> (y: bf16[2051, 5])", "y = x @ w + b;"),
    case("column", "sm_80", "", "N=70 D=45", "[N, D](x: f32[N, D]) -> (y: f32[D])",
         "y = sum(x, axis = 0);"),
    case("columns_packed", "sm_80", "D=72", "B=3 N=37 D=72",
         "[B, N, D](x: bf16[B, N, D], z: f32[N, D]) -> (y: f32[B, D], m: bf16[B, D])",
         "y = sum(x as f32 * z, axis = 1) / N;\n    m = max(x, axis = 1);"),
    case("column_softmax", "sm_80", "N=33", "N=33 D=70",
         "[N, D](x: bf16[N, D]) -> (y: bf16[N, D])", "y = softmax(x, axis = 0);"),
    case("column_scan", "sm_80", "", "N=20 D=45", "[N, D](x: f32[N, D]) -> (y: f32[N, D])",
         "y = cumsum(x, axis = 0);"),
    case("column_scan_kept", "sm_80", "N=40", "N=40 D=70",
         "[N, D](x: f32[N, D]) -> (y: f32[N, D])",
         "a = cumsum(exp(x), axis = 0);\n    y = a / max(a, axis = 0);"),
    case("column_scan_product", "sm_80", "N=33", "N=33 D=45",
         "[N, D](x: f32[N, D]) -> (y: f32[N, D])", "y = cumprod(1 + x / 8, axis = 0);"),
    case("column_scan_extremes", "sm_80", "", "N=20 D=45",
         "[N, D](x: f16[N, D]) -> (y: f16[N, D], z: f32[N, D])",
         "y = cummin(x, axis = 0);\n    z = cumsum(x, axis = 0) - cummax(x, axis = 0);"),
    case("fma", "sm_80", "", "M=70 N=37 K=50", "[M, N, K]" + GEMM.format("f32", "f32"),
         "y = x @ transpose(w);"),
    case("fma_packs", "sm_80", "", "M=70 N=36 K=52",
         "[M, N, K](x: f32[M, K], w: f32[N, K], b: f32[N]) -> (y: bf16[M, N], z: f32[N, M])",
         "p = x @ transpose(w) + b;\n    y = gelu(p);\n    z = transpose(p);"),
    case("fma_gated", "sm_80", "", "M=40 N=37 K=21", "[M, N, K]" + GATED.format("f64"),
         "y = relu(x @ transpose(g)) * (x @ transpose(u));"),
    case("fma_rows", "sm_80", "N=48", "M=40 N=48 K=30", "[M, N, K]" + GEMM.format("f32", "f32"),
         "y = softmax(x @ transpose(w));"),
    case("mma", "sm_80", "", "M=140 N=136 K=72",
         "[M, N, K](x: bf16[M, K], w: bf16[K, N]) -> (y: bf16[M, N])", "y = x @ w;"),
    case("mma_gated", "sm_80", "K=96", "M=70 N=40 K=96", "[M, N, K]" + GATED.format("bf16"),
         "y = relu(x @ transpose(g)) * (x @ transpose(u));"),
    case("mma_i8", "sm_80", "", "M=33 N=70 K=100", "[M, N, K]" + GEMM.format("i8", "i32"),
         "y = x @ transpose(w);"),
    case("mma_terms", "sm_80", "", "M=33 N=40 K=40", "[M, N, K]" + GEMM.format("f32", "f32"),
         "y = x @ transpose(w);", "@precision(bf16x3)\n"),
    case("mma_rows", "sm_80", "N=96", "M=50 N=96 K=64", "[M, N, K]" + GEMM.format("bf16", "f32"),
         "y = softmax(x @ transpose(w) as f32);"),
    case("mma_bytes", "sm_80", "K=208", "M=70 N=40 K=208", "[M, N, K]" + BYTES,
         "y = x @ ((w as f32 * s[:, None]) as bf16).T;"),
    case("mma_rows_computed", "sm_80", "N=88", "M=50 N=88 K=72", "[M, N, K]" + GEMM.format("bf16", "f32"),
         "y = softmax((x @ transpose((exp(w) + 1) as bf16)) as f32);"),
    case("wgmma", "sm_90a", "", "M=200 N=136 K=200", "[M, N, K]" + GEMM.format("bf16", "bf16"),
         "y = x @ transpose(w);"),
    case("wgmma_across", "sm_90a", "M=256 N=256 K=128", "M=256 N=256 K=128",
         "[M, N, K](x: f16[K, M], w: f16[K, N]) -> (y: f16[M, N])", "y = transpose(x) @ w;"),
    case("wgmma_residual", "sm_90a", "M=130 N=136 K=200", "M=130 N=136 K=200",
         "[M, N, K](x: bf16[M, K], w: bf16[N, K], r: bf16[M, N]) -> (y: bf16[M, N])", "y = x @ w.T + r;"),
    case("wgmma_bytes", "sm_90a", "K=208", "M=130 N=72 K=208", "[M, N, K]" + BYTES,
         "y = x @ ((w as f32 * s[:, None]) as bf16).T;"),
    case("wgmma_nibbles", "sm_90a", "M=70 K=1408", "M=70 N=200 K=1408", "[M, N, K]" + NIBBLES,
         NIBBLES_PRODUCT),
    case("wgmma_computed", "sm_90a", "K=136", "M=130 N=72 K=136",
         "[M, N, K](x: bf16[M, K], w: bf16[N, K]) -> (y: bf16[M, N])", "y = (cos(x) as bf16) @ w.T;"),
    case("wgmma_rows_computed", "sm_90a", "N=88", "M=130 N=88 K=72", "[M, N, K]" + GEMM.format("bf16", "f32"),
         "y = softmax((x @ transpose((exp(w) + 1) as bf16)) as f32);"),
    case("wgmma_gated", "sm_90a", "", "M=130 N=72 K=80", "[M, N, K]" + GATED.format("bf16"),
         "y = relu(x @ transpose(g)) * (x @ transpose(u));"),
    case("wgmma_i8", "sm_90a", "", "M=130 N=72 K=200",
         "[M, N, K](x: i8[M, K], a: i8[N, K], b: i8[N, K], c: i8[N, K]) -> (y: i32[M, N])",
         "y = x @ a.T + 2 * (x @ b.T) * (x @ c.T);"),
    case("wgmma_tf32", "sm_90a", "", "M=130 N=136 K=100", "[M, N, K]" + GEMM.format("f32", "f32"),
         "y = x @ transpose(w);", "@precision(tf32)\n"),
    case("wgmma_f8", "sm_90a", "", "M=130 N=136 K=400", "[M, N, K]" + GEMM.format("f8e4m3", "f32"),
         "y = x @ transpose(w);", "@precision(f8)\n"),
    case("wgmma_blocks", "sm_90a", "", "M=130 N=256 K=384",
         "[M, N, K](x: f8e4m3[M, K], w: f8e4m3[N, K], s: f32[K/128, M], t: f32[K/128, N/128])"
         " -> (y: bf16[M, N])",
         'p = einsum("mbk,nrbk->bmnr", reshape(x, M, K / 128, 128),\n'
         "        reshape(w, N / 128, 128, K / 128, 128));\n"
         "    f = s[:, :, None, None] * t[:, None, :, None];\n"
         "    y = reshape(sum(p * f, axis = 0), M, N);", "@precision(f8)\n"),
    case("wgmma_rows", "sm_90a", "N=96", "M=150 N=96 K=72", "[M, N, K]" + GATED.format("bf16"),
         "y = softmax((x @ transpose(g)) * (x @ transpose(u)));"),
    case("binned", "sm_90a", "N=1500 G=70", "N=1500 G=70",
         "[N, G](x: f32[N, 2], i: i32[N]) -> (y: f32[G, 2], z: f32[G, 2], w: f32[G, 2])",
         "y = scatter(full(0.0, G, 2), i, x);\n    z = scatter(full(1.0, G, 2), i, x * x);\n"
         "    w = scatter(full(0.0, G, 2), i, exp(x));"),  # three values are no aligned pack
    case("binned_wide", "sm_90a", "N=200 G=70 D=150", "N=200 G=70 D=150",
         "[N, G, D](x: f32[N, D], i: i32[N]) -> (y: f32[G, D])", "y = scatter(full(0.0, G, D), i, x);"),
    case("wgmma_segments", "sm_90a", "M=140 V=2688 K=40", "M=140 V=2688 K=40",
         "[M, V, K](x: bf16[M, K], w: bf16[V, K], labels: i32[M]) -> (y: f32[M])",
         "y = cross_entropy(x @ w.T, labels);"),
    case("wgmma_many", "sm_90a", "B=270 M=8 N=24 K=72", "B=270 M=8 N=24 K=72",  # more than blocks
         "[B, M, N, K](x: bf16[B, M, K], w: bf16[B, N, K]) -> (y: f32[B, M, N])",
         "y = x @ transpose(w);"),
    case("attention", "sm_80", "", "S=70 T=90", "[S, T]" + ATTENTION.format("f32", 20, 70), CAUSAL),
    case("attention_packs", "sm_80", "S=140 T=150", "S=140 T=150",  # shares of unequal packs
         "[S, T]" + ATTENTION.format("f32", 36, 80), CAUSAL),
    case("chain", "sm_80", "S=70 T=90", "S=70 T=90", "[S, T]" + ATTENTION.format("f32", 24, 32),
         "y = relu(q @ transpose(k)) @ v;"),
    case("attention_few", "sm_80", "S=5", "S=5 T=200", "[S, T]" + ATTENTION.format("bf16", 40, 64),
         NARROW),
    case("attention_mma", "sm_80", "", "S=130 T=150", "[S, T]" + ATTENTION.format("bf16", 64, 64),
         NARROW_CAUSAL),
    case("attention_warpgroups", "sm_90a", "", "S=140 T=150",
         "[S, T]" + ATTENTION.format("bf16", 64, 64), NARROW_CAUSAL),
    case("attention_wide", "sm_80", "S=16", "S=16 T=70",
         "[S, T]" + ATTENTION.format("bf16", 32, 256), NARROW),
    case("c_pointwise", CPU, "", "N=70000 D=5", "[N, D](x: f32[N, D], z: f32[D]) -> (y: f32[N, D])",
         "y = exp(x) * z;"),
    case("c_row", CPU, "", "N=70 D=900", "[N, D](x: bf16[N, D]) -> (y: bf16[N, D])",
         "y = softmax(x);"),
    case("c_rows_beside", CPU, "D=70", "N=90 D=70", "[N, D](x: bf16[N, D], z: f32[D]) -> (y: bf16[N, D])",
         "y = softmax(x * z);"),
    case("c_rows_in_pieces", CPU, "", "N=40 S=30", "[N, S](x: bf16[N, S, 40]) -> (y: bf16[N, S, 40])",
         "v = reshape(x as f32, N, S, 8, 5);\n"
         "y = reshape(v * rsqrt(mean(v * v, axis = [1, 3], keep = true) + 1), N, S, 40);"),
    case("c_column", CPU, "", "N=90 D=70", "[N, D](x: f64[N, D]) -> (y: f64[D])",
         "y = mean(x, axis = 0);"),
    case("c_dot", CPU, "", "M=130 N=150 K=600", "[M, N, K]" + GEMM.format("f32", "f32"),
         "y = x @ transpose(w);"),
    case("c_dot_gated", CPU, "", "M=90 N=70 K=150", "[M, N, K]" + GATED.format("f64"),
         "y = relu(x @ transpose(g)) * (x @ transpose(u));"),
    case("c_dot_rows", CPU, "N=96", "M=300 N=96 K=64", "[M, N, K]" + GEMM.format("bf16", "f32"),
         "y = softmax(x @ transpose(w) as f32);"),
    case("c_dot_bytes", CPU, "", "M=70 N=90 K=700", "[M, N, K]" + GEMM.format("i8", "i32"),
         "y = x @ transpose(w);"),
    case("c_attention", CPU, "", "S=70 T=150", "[S, T]" + ATTENTION.format("f32", 20, 70), CAUSAL),
    case("c_attention_few", CPU, "", "S=9 T=90", "[S, T]" + ATTENTION.format("bf16", 16, 40),
         "y = softmax(q @ transpose(k)) @ v;"),
    case("c_attention_deep", CPU, "", "S=33 T=65", "[S, T]" + ATTENTION.format("f32", 64, 33),
         "y = softmax(q @ transpose(k)) @ v;"),
]


def flags_of(sizes):
    return [x for size in sizes.split() for x in ("-D", size)]


def legal_tiles(fusec, model, case):
    """(name of the kernel, its tiles) for each kernel; of several loop nests, those of the first."""
    where = ["--target=c"] if case.arch == CPU else [f"--arch={case.arch}"]
    listed = command([fusec, model, "--emit=tile", *where, *flags_of(case.fixed)])
    found = {}
    for name, _nest, tiles in re.findall(r"^kernel (\w+)(, loop nest \d+)?: .*\n((?:  .*\n)+)", listed,
                                         re.M):
        found.setdefault(name, [line.split()[0] for line in tiles.splitlines()])
    return list(found.items())


def run_cuda(fusec, model, case, tile, runtime, folder):
    flags = [*flags_of(case.fixed), f"--arch={case.arch}", "--tile", tile]
    made = CudaModel(fusec, model, flags, runtime, folder)
    sizes = {name: int(n) for name, n in (size.split("=") for size in case.sizes.split())}
    inputs = folder / "inputs.safetensors"
    made.write_inputs(sizes, inputs)
    made.check(sizes, inputs)


def run_c(fusec, model, case, tile, compiler):
    command([fusec, "run", model, *flags_of(case.sizes), "--device=cpu", "--check", "--tile", tile],
            env={**THREADS, **compiler})


def attempt(fusec, case, tile, runtime, compiler, folder):
    """A message, empty where it passes. compiler: the environment that chooses it."""
    folder.mkdir()
    model = folder / "t.fx"
    model.write_text(case.text)
    try:
        if case.arch == CPU:
            run_c(fusec, model, case, tile, compiler)
        else:
            run_cuda(fusec, model, case, tile, runtime, folder)
    except Failure as failure:
        # The tiles that are listed are of the first loop nest; the others may not have them.
        if "nests" in case.name and "cannot have the tile" in str(failure):
            return ""
        by = "".join(f" by {path}" for path in compiler.values())
        return f"FAIL {case.name} with {tile}{by}: {failure}"
    finally:
        shutil.rmtree(folder)
    return ""


def cases_of(names):
    for name in names:
        if not name.endswith(".fx"):
            continue
        path = pathlib.Path(name)
        text = path.read_text()
        small = re.search(r"^// small: (.*)$", text, re.M)
        sizes = " ".join(re.findall(r"-D (\S+)", small[1])) if small else ""
        for arch in ARCHITECTURES:
            yield Case(f"{path.stem}_{arch}", arch, sizes if arch == CPU else "", sizes, text)
    yield from (case for case in CASES if not names or case.name in names)


def pairs_of(tile):
    return frozenset(itertools.combinations(tile.split(","), 2))


def covering(tiles, rng):
    """Some of the tiles: every pair of fields' values that one of all has is in one of them. The next
    is one of those that have most pairs of which no other has been taken."""
    pairs = {tile: pairs_of(tile) for tile in rng.sample(tiles, len(tiles))}
    taken, missing = [], set().union(*pairs.values()) - pairs[tiles[0]]
    while missing:
        taken.append(max(pairs, key=lambda tile: len(pairs[tile] & missing)))
        missing -= pairs[taken[-1]]
    return taken


def others(tiles, options, rng):
    """Those that are run beside the first, which is the chosen one."""
    if options.all:
        return tiles[1:]
    if options.pairs:
        return covering(tiles, rng)
    return rng.sample(tiles[1:], min(options.count, len(tiles) - 1))


def jobs_of(fusec, options, folder):
    rng = random.Random(options.seed)
    for case in cases_of(options.names):
        model = folder / f"{case.name}.fx"
        model.write_text(case.text)
        for kernel, tiles in legal_tiles(fusec, model, case):
            for tile in [tiles[0], *others(tiles, options, rng)]:
                yield case, f"{kernel}:{tile}"


def shard(text):
    """"2/6": (1, 6)"""
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise argparse.ArgumentTypeError("2/6 is the second of six shards")
    return int(match[1]) - 1, int(match[2])


def parsed():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fusec")
    parser.add_argument("names", nargs="*")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--count", type=int, default=2)
    which.add_argument("--pairs", action="store_true")
    which.add_argument("--all", action="store_true")
    parser.add_argument("--shard", type=shard, default=(0, 1))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_intermixed_args()


def main():
    options = parsed()
    if not shutil.which(emulate.COMPILER):
        print(f"skipped: there is no {emulate.COMPILER}")
        sys.exit(SKIPPED)
    passed = failed = 0
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(options.jobs) as pool:
        folder = pathlib.Path(name)
        runtime = emulate.build_runtime()
        first, step = options.shard
        jobs = list(jobs_of(options.fusec, options, folder))[first::step]
        compilers = [{}, *({"CC": path} for path in processors.compilers(folder))]

        def numbered(i):
            return attempt(options.fusec, *jobs[i], runtime, compilers[i % len(compilers)],
                           folder / str(i))
        for message in pool.map(numbered, range(len(jobs))):
            passed, failed = passed + (not message), failed + bool(message)
            if message:
                print(message, flush=True)
    print(f"{passed} tiles passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
