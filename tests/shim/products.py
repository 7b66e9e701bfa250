#!/usr/bin/env python3
"""Matrix products as CUDA on the CPU, compared with the evaluator: layouts, element types, several
products of one operand, computed operands, sizes just below and above those of tiles.

    python3 tests/shim/products.py FUSEC [--all] [NAME..]

Without --all: each type in one layout, each layout in one type.
"""

import argparse
import os
import pathlib
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import emulate
from cuda_model import CudaModel, Failure

SKIPPED = 77
# Operands as they are stored, and as the product takes them.
LAYOUTS = {
    "rows_rows": ("M, K", "x", "N, K", "w.T"),
    "rows_columns": ("M, K", "x", "K, N", "w"),
    "columns_rows": ("K, M", "x.T", "N, K", "w.T"),
    "columns_columns": ("K, M", "x.T", "K, N", "w"),
}
TYPES = {
    "bf16": ("bf16", "bf16", ""),
    "f16": ("f16", "f16", ""),
    "i8": ("i8", "i8", ""),
    "u8": ("u8", "u8", ""),
    "f8e4m3": ("f8e4m3", "f8e4m3", ""),
    "f8e5m2": ("f8e5m2", "f8e5m2", ""),
    "f8e4m3_short": ("f8e4m3", "f8e4m3", "@precision(f8)\n"),
    "f8e5m2_short": ("f8e5m2", "f8e5m2", "@precision(f8)\n"),
    "f8_mixed": ("f8e4m3", "f8e5m2", ""),
    "f16_mixed": ("f16", "bf16", ""),
    "f32": ("f32", "f32", ""),
    "tf32": ("f32", "f32", "@precision(tf32)\n"),
    "tf32x3": ("f32", "f32", "@precision(tf32x3)\n"),
    "bf16x3": ("f32", "f32", "@precision(bf16x3)\n"),
    "bf16x6": ("f32", "f32", "@precision(bf16x6)\n"),
    "f64": ("f64", "f64", ""),
    "i32": ("i32", "i32", ""),
}
# Warpgroups multiply elements of these types where both operands are rows along k.
ALONG_K = {"i8", "tf32", "f8e4m3_short", "f8e5m2_short"}
SIZES = [(1, 1, 1), (3, 5, 7), (64, 64, 32), (129, 64, 72), (65, 136, 33), (16, 24, 456),
         (40, 36, 100), (17, 31, 128)]
OTHERS = {
    "gated": (
        "x: bf16[M, K], g: bf16[N, K], u: bf16[N, K], r: bf16[M, N]",
        "y: bf16[M, N]",
        "y = relu(x @ g.T) * (x @ u.T) + r;",
    ),
    "three": (
        "x: bf16[M, K], q: bf16[K, N], k: bf16[K, N], v: bf16[K, N]",
        "a: f16[M, N], b: bf16[M, N], c: f32[M, N]",
        "a = x @ q;\n    b = x @ k;\n    c = x @ v;",
    ),
    "projected": (
        "x: bf16[M, K], q: bf16[N, K], k: bf16[N, K], b: f32[N]",
        "y: bf16[M, N], z: f16[M, N]",
        "y = x @ q.T;\n    z = gelu(x @ k.T + b);",
    ),
    "four": (
        "x: f16[M, K], a: f16[N, K], b: f16[N, K], c: f16[N, K], d: f16[N, K]",
        "y: f32[M, N]",
        "y = (x @ a.T) * (x @ b.T) + (x @ c.T) * (x @ d.T);",
    ),
    "dequantised": (
        "x: bf16[M, K], w: i8[N, K], s: f32[N]",
        "y: bf16[M, N]",
        "y = x @ (((w as f32) * s[:, None]) as bf16).T;",
    ),
    "dequantised_across": (
        "x: bf16[M, K], w: i8[K, N], s: f32[K]",
        "y: bf16[M, N]",
        "y = x @ (((w as f32) * s[:, None]) as bf16);",
    ),
    "fed": (
        "x: bf16[M, K], s: f32[M], w: bf16[N, K], r: bf16[M, N]",
        "y: bf16[M, N]",
        "y = ((x as f32 * s[:, None]) as bf16) @ w.T + r;",
    ),
    "rounded": (
        "x: f32[M, K], w: f32[K, N]",
        "y: f32[M, N]",
        "y = (exp(x) as bf16) @ ((w * 2) as bf16);",
    ),
    # Fewer chunks of x than threads, which copy it as it is.
    "few_rows": (
        "x: f8e5m2[2, K], w: f8e5m2[K, N], b: f32[M]",
        "y: f32[2, N], z: f32[M]",
        "y = x @ w;\n    z = b;",
    ),
    "padded": ("x: bf16[M, K], w: bf16[N, K+1]", "y: f32[M, N]", "y = pad(x, -1, 1, 0) @ w.T;"),
    "ended": (
        "x: bf16[M, 8 * K], w: bf16[K, 8 * N]",
        "y: bf16[M, N]",
        "y = x[:, :K] @ w[:, :N];",
    ),
    "ended_rows": (
        "x: f16[4, M, 8 * K + 8], w: f16[4, N, 8 * K]",
        "y: f16[N, M]",
        "y = (x[3, :, 8 : K + 8] @ w[1, :, :K].T).T;",
    ),
    "batched": (
        "x: bf16[3, M, K], w: bf16[3, N, K]",
        "y: bf16[3, M, N]",
        'y = einsum("bmk,bnk->bmn", x, w) + 1;',
    ),
    "heads": (
        "x: bf16[M, 2, K], w: bf16[N, 2, K]",
        "y: f32[2, M, N]",
        'y = einsum("mhk,nhk->hmn", x, w);',
    ),
    "added": (
        "x: bf16[M, K], w: bf16[N, K], t: bf16[M, 24], b: bf16[N, 24]",
        "y: bf16[M, N]",
        "y = relu(x @ w.T + t @ b.T);",
    ),
    "sums": (
        "x: bf16[M, K], h: bf16[M, 24], w: bf16[N, K], v: bf16[N, K], u: bf16[24, N], t: bf16[N, 24]",
        "y: bf16[M, N], z: f32[M, N]",
        "y = relu(x @ w.T + h @ u);\n    z = x @ v.T + h @ t.T;",
    ),
    "added_computed": (
        "x: bf16[K, M], w: bf16[K, N], t: bf16[M, 40], b: i8[N, 40]",
        "y: f32[M, N]",
        "y = x.T @ w + t @ (b as f32 as bf16).T;",
    ),
    "turned": ("x: bf16[M, K], w: bf16[N, K]", "y: bf16[N, M]", "y = (x @ w.T).T;"),
    "biased": (
        "x: f16[M, K], w: f16[N, K], b: f32[N], r: f16[M, N]",
        "y: f16[M, N], z: f32[M, N]",
        "z = x @ w.T + b;\n    y = gelu(z) + r;",
    ),
}


# Weights of 4 and 8 bits with factors of groups of 32: neighbours in a byte; with packed zero points;
# as two halves of each group; as two halves of the row; of bytes.
PAIRS = "concat((w % 16)[:, :, None], (w / 16)[:, :, None])"
GROUPS = "x: bf16[M, K], w: u8[N, K/2], s: f32[N, K/32]"
QUANTISED = {
    "pairs": (
        GROUPS,
        "y: bf16[M, N]",
        f"q = reshape({PAIRS}, N, K/32, 32) as f32 - 8;\n"
        "    y = x @ (reshape(q * s[:, :, None], N, K) as bf16).T;",
    ),
    "zero_points": (
        "x: f16[M, K], w: u8[N, K/2], s: f16[N, K/32], z: u8[N, K/64]",
        "y: f16[M, N]",
        f"q = reshape({PAIRS}, N, K/32, 32);\n"
        "    zero = reshape(concat((z % 16)[:, :, None], (z / 16)[:, :, None]), N, K/32);\n"
        "    real = (q as f32 - zero[:, :, None] as f32) * s[:, :, None];\n"
        "    y = x @ (reshape(real, N, K) as f16).T;",
    ),
    "group_halves": (
        GROUPS,
        "y: bf16[M, N]",
        "b = reshape(w, N, K/32, 16);\n"
        "    q = concat(b % 16, b / 16, axis = 2) as f32 - 8;\n"
        "    y = x @ (reshape(q * s[:, :, None], N, K) as bf16).T;",
    ),
    "row_halves": (
        GROUPS,
        "y: f32[M, N]",
        "q = reshape(concat(w % 16, w / 16, axis = 1), N, K/32, 32) as f32 - 8;\n"
        "    y = relu(x @ (reshape(q * s[:, :, None], N, K) as bf16).T);",
    ),
    "bytes": (
        "x: bf16[M, K], w: i8[N, K], v: i8[N, K], s: f32[N, K/32], t: f32[N]",
        "y: bf16[M, N], z: bf16[M, N]",
        "g = reshape(w, N, K/32, 32) as f32 * s[:, :, None];\n"
        "    y = x @ (reshape(g, N, K) as bf16).T;\n"
        "    z = x @ ((v as f32 * t[:, None]) as bf16).T;",
    ),
    "gained": (
        "x: bf16[M, K], g: bf16[K], r: f32[M], w: u8[N, K/2]",
        "y: bf16[M, N]",
        f"q = reshape({PAIRS}, N, K) as f32 - 8;\n"
        "    y = ((x * g) as f32 * r[:, None]) as bf16 @ (q as bf16).T;",
    ),
}
QUANTISED_SIZES = [(1, 8, 64), (40, 37, 320), (130, 72, 192)]
QUANTISED_FIXED = {
    **{f"{name}_few": (of, (3, 40, 576)) for name, of in QUANTISED.items()},
    **{f"{name}_rows": (QUANTISED[name], (27, 40, 576)) for name in ("pairs", "zero_points", "bytes")},
    **{f"{name}_fixed": (of, (70, 136, 448)) for name, of in QUANTISED.items()},
}

MANY = ("x: f16[135, M, K], w: f16[135, K, N]", "y: f16[135, M, N]", "y = relu(x @ w);")

EIGHTH = ("x: f8e4m3[M, K], w: f8e4m3[N, K]", "y: f32[M, N]", "y = x @ w.T;")

# Factors of blocks of k: of rows and squares of 128, of rows of both operands.
BLOCKS = {
    "blocks": (
        "x: f8e4m3[M, K], w: f8e4m3[N, K], s: f32[M, K/128], t: f32[N/128, K/128]",
        "y: bf16[M, N]",
        "a = permute(reshape(x, M, K / 128, 128), 1, 0, 2);\n"
        "    b = permute(reshape(w, N, K / 128, 128), 1, 0, 2);\n"
        "    of_n = reshape(broadcast(t.T[:, :, None], K / 128, N / 128, 128), K / 128, 1, N);\n"
        "    y = sum((a @ b.T) * (s.T[:, :, None] * of_n), axis = 0);",
    ),
    "blocks_of_rows": (
        "x: f8e5m2[2, M, K], w: f8e5m2[2, N, K], s: f32[2, K/128, M], t: f32[2, K/128, N], "
        "r: f32[N]",
        "y: f32[2, M, N]",
        "a = permute(reshape(x, 2, M, K / 128, 128), 0, 2, 1, 3);\n"
        "    b = permute(reshape(w, 2, N, K / 128, 128), 0, 2, 1, 3);\n"
        "    y = relu(sum(a @ b.T * s[:, :, :, None] * t[:, :, None], axis = 1) + r);",
    ),
}
BLOCK_SIZES = [(1, 128, 128), (130, 384, 384)]

# Heads of 64 columns: rotated by pairs of halves, or of neighbours; read beside; normalised, and stored
# heads first, with values of the same operand.
HEADS = {
    "halves": (
        "x: bf16[M, K], w: bf16[N, K], c: f32[M, 32], s: f32[M, 32]",
        "y: bf16[M, N]",
        "p = reshape((x @ w.T) as bf16, M, N/64, 64);\n    a, b = split(p, 2);\n"
        "    y = reshape(concat(a * c[:, None] - b * s[:, None], b * c[:, None] + a * s[:, None]), "
        "M, N);",
    ),
    "neighbours": (
        "x: bf16[M, K], w: bf16[N, K], c: f32[M, 32], s: f32[M, 32]",
        "y: bf16[M, N/64, 64]",
        "p = reshape(x @ w.T, M, N/64, 32, 2);\n    a = p[:, :, :, 0];\n    b = p[:, :, :, 1];\n"
        "    even = a * c[:, None] - b * s[:, None];\n    odd = b * c[:, None] + a * s[:, None];\n"
        "    y = reshape(concat(even[:, :, :, None], odd[:, :, :, None]), M, N/64, 64);",
    ),
    "shifted": (
        "x: bf16[M, K], w: bf16[N, K]",
        "y: f32[M, N/64, 64]",
        "p = reshape(x @ w.T, M, N/64, 64);\n"
        "    y = p * 2 + pad(p[:, :, 8:61], -1, 0, 11) + pad(p[:, :, 16:27], -1, 24, 29);",
    ),
    # Rows of results whose pieces lie apart, as those of an upsampling convolution.
    "permuted": (
        "x: bf16[2 * M, K], w: bf16[K, 2, 8 * N], b: bf16[8 * N]",
        "y: bf16[M, 2, 2, 8 * N]",
        "p = reshape(x @ reshape(w, K, 16 * N), M, 2, 2, 8 * N);\n"
        "    y = permute(p, 0, 2, 1, 3) + b;",
    ),
    # Pixels of images that are moved to each side.
    "pixels": (
        "x: bf16[M, 5, 7, 8 * K], w: bf16[3, 8 * K, N]",
        "y: bf16[M, 5, 7, N]",
        "p = pad(pad(x, 1, 1, 1), 2, 1, 1);\n"
        "    y = p[:, 0:5, 2:9] @ w[0] + p[:, 1:6, 0:7] @ w[1] + p[:, 2:7, 1:8] @ w[2];",
    ),
    # And those that are summed, as the gradient of weights has them.
    "summed_pixels": (
        "x: bf16[K, 5, 7, 8 * M], d: bf16[K, 5, 7, N]",
        "y: f32[8 * M, N]",
        'y = einsum("khwm,khwn->mn", pad(pad(x, 1, 0, 1), 2, 1, 0)[:, 1:, :7], d);',
    ),
    "keys": (
        "x: bf16[M, K], w: bf16[N, K], v: bf16[N, K], g: bf16[64], c: f32[M, 64], s: f32[M, 64]",
        "y: bf16[N/64, M, 64], z: bf16[N/64, M, 64]",
        "p = rms_norm(reshape(x @ w.T, M, N/64, 64), g) as bf16;\n"
        "    h = permute(p, 1, 0, 2);\n    a, b = split(h, 2);\n"
        "    y = h * c + concat(-b, a) * s;\n"
        "    z = permute(reshape(x @ v.T, M, N/64, 64), 1, 0, 2);",
    ),
}
HEAD_TILES = {
    "halves": "m=128,n=192,ping_pong=0",
    "neighbours": "m=64,n=128,ping_pong=1,keep=nothing",
    "shifted": "m=128,n=64,row_threads=4,vector=2",
    "keys": "m=128,n=64,ping_pong=1",
}

# Rows that two warpgroups share.
HALVED = ("x: bf16[M, K], w: bf16[N, K]", "y: bf16[M, N]", "y = softmax(x @ w.T);")
HALVED_COLUMNS = (
    "x: f16[M, K], w: f16[K, N], r: f16[M, N]",
    "y: f16[M, N], z: f32[M]",
    "h = x @ w + r;\n    y = (h - mean(h, axis = 1, keep = true)) as f16;\n    z = max(h, axis = 1);",
)

# Fewer rows than a tile has, which TMA does not load.
SPARED = ("x: bf16[M, K], w: bf16[N, K]", "y: bf16[M, N]", "y = x @ w.T;")
SPARED_COLUMNS = ("x: f16[K, M], w: f16[K, N]", "y: f32[M, N]", "y = x.T @ w;")
SPLIT_BYTES = ("x: i8[M, K], w: i8[N, K]", "y: i32[M, N]", "y = x @ w.T;")
SPARED_BATCH = ("x: bf16[3, M, K], w: bf16[3, N, K]", "y: bf16[3, M, N]",
                "y = relu(x @ permute(w, 0, 2, 1));")

# Results whose rows start anywhere in 16 bytes.
SHIFTED = ("x: bf16[3, M, K], w: bf16[3, N, K], b: f32[N]", "y: bf16[3, M, N]",
           "y = tanh(x @ permute(w, 0, 2, 1) + b);")

# By fused multiply-adds: operands that are contiguous along k, across it, and of two products.
ROWS = ("x: f32[M, K], w: f32[N, K]", "y: f32[M, N]", "y = x @ w.T;")
CROSSED = ("x: f32[K, M], w: f32[K, N]", "y: f32[M, N]", "y = x.T @ w;")
MIXED = ("x: f32[M, K], w: f32[K, N]", "y: f32[M, N]", "y = relu(x @ w);")
ADDED = (
    "x: f32[M, K], w: f32[K, N], z: f32[M, K+9], v: f32[N, K+9]",
    "y: f32[M, N]",
    "y = x @ w + z @ v.T;",
)

# Few elements and many terms, cut into pieces; more tiles than multiprocessors. With the sizes to
# compile for.
FIXED = {
    "many": (MANY, (16, 24, 200)),
    "many_short": (MANY, (16, 24, 200)),
    "split": (OTHERS["biased"], (16, 72, 2048)),
    "split_across": (OTHERS["three"], (70, 64, 1024)),
    "split_batch": (OTHERS["batched"], (33, 40, 1536)),
    "streamed": (OTHERS["biased"], (131, 72, 392)),
    "streamed_batch": (OTHERS["batched"], (151, 264, 72)),
    "promoted_streamed": (EIGHTH, (71, 208, 400)),
    "blocks_streamed": (BLOCKS["blocks"], (131, 128, 640)),
    "block_rows_streamed": (BLOCKS["blocks_of_rows"], (131, 128, 640)),
    "narrow_strips": (OTHERS["biased"], (130, 152, 72)),
    "fed_rows": (OTHERS["fed"], (131, 72, 136)),
    "fed_turns": (OTHERS["fed"], (200, 136, 200)),
    "fed_both": (QUANTISED["gained"], (70, 136, 448)),
    "fed_columns": (OTHERS["rounded"], (70, 72, 136)),
    "fed_streamed": (QUANTISED["pairs"], (131, 72, 448)),
    "unaligned": (OTHERS["biased"], (33, 40, 100)),
    "unaligned_bytes": (EIGHTH, (70, 41, 132)),
    "unaligned_columns": (OTHERS["three"], (17, 37, 40)),
    **{name: (of, (200, 320, 72)) for name, of in HEADS.items()},
    "ended_chunks": (OTHERS["ended"], (70, 75, 132)),
    "ended_boxes": (OTHERS["ended"], (131, 75, 132)),
    "ended_row_boxes": (OTHERS["ended_rows"], (131, 75, 133)),
    "shifted_boxes": (SHIFTED, (131, 197, 72)),
    "shifted_turns": (SHIFTED, (70, 133, 72)),
    "shifted_few": (SPARED, (131, 3, 136)),
    "shifted_pair": (OTHERS["projected"], (131, 134, 72)),
    "shifted_streamed": (SPARED, (300, 195, 200)),
    "halved": (HALVED, (131, 264, 200)),
    "halved_columns": (HALVED_COLUMNS, (70, 384, 136)),
    "halved_padded": (HALVED, (70, 500, 72)),
    "spared_rows": (SPARED, (51, 88, 200)),
    "spared_columns": (SPARED_COLUMNS, (40, 48, 200)),
    "spared_batch": (SPARED_BATCH, (40, 72, 136)),
    "spared_pair": (OTHERS["gated"], (70, 40, 200)),
    "pixel_boxes": (HEADS["pixels"], (9, 72, 9)),
    "pixel_sums": (HEADS["summed_pixels"], (9, 72, 5)),
    "pixel_turns": (HEADS["pixels"], (7, 64, 25)),
    "three_boxes": (SPARED, (500, 136, 200)),
    "three_strips": (SPARED_COLUMNS, (200, 152, 136)),
    "three_shifted": (SPARED, (300, 195, 200)),
    "three_gated": (OTHERS["gated"], (200, 72, 136)),
    "three_streamed": (OTHERS["biased"], (400, 72, 392)),
    "three_split": (SPLIT_BYTES, (200, 72, 272)),
    "row_by_row": (SPARED, (300, 136, 72)),
    "row_by_row_pairs": (SPARED, (300, 136, 72)),
    "row_by_row_turns": (SPARED, (300, 136, 72)),
    "split_in_two": (SPARED, (140, 72, 200)),
    "split_in_three": (SPARED, (51, 88, 280)),
    "split_batch": (SPARED_BATCH, (40, 72, 136)),
    "split_pair": (OTHERS["gated"], (70, 40, 200)),
    "split_added": (OTHERS["added"], (140, 72, 200)),
    "split_bytes": (SPLIT_BYTES, (40, 72, 272)),
    "split_promoted": (EIGHTH, (71, 208, 400)),
    "split_fed": (QUANTISED["pairs"], (131, 72, 448)),
    "split_blocks": (BLOCKS["blocks"], (131, 128, 640)),
    "fma_wide": (ROWS, (131, 133, 75)),
    "fma_square": (CROSSED, (131, 136, 75)),
    "fma_small": (ROWS, (70, 66, 100)),
    "fma_sum": (ADDED, (131, 70, 33)),
    "fma_half": (ROWS, (131, 133, 75)),
    "fma_half_whole": (ROWS, (128, 128, 48)),
    "fma_half_columns": (MIXED, (131, 134, 37)),
    "fma_half_tall": (CROSSED, (131, 134, 37)),
    "fma_split": (CROSSED, (40, 72, 2048)),
    "fma_split_odd": (ROWS, (70, 66, 3126)),
    **QUANTISED_FIXED,
}

SPLIT = "kind=wgmma,persistent=0,ping_pong=0,cluster=1,stream_k=0"

# Blocks for each tile; parts of tiles that blocks pass on; strips of 16 columns.
TILES = {
    "many_short": "persistent=0,ping_pong=0",
    "streamed": "m=128,n=64,ping_pong=0,stream_k=3",
    "split_in_two": f"{SPLIT},m=128,n=64,split_k=2",
    "split_in_three": f"{SPLIT},m=128,n=96,split_k=3",
    "split_batch": f"{SPLIT},m=128,n=32,split_k=2",
    "split_pair": f"{SPLIT},m=128,n=32,split_k=3",
    "split_added": f"{SPLIT},m=256,n=64,split_k=4",
    "split_promoted": f"{SPLIT},m=128,n=64,split_k=2",
    "split_blocks": f"{SPLIT},m=128,n=64,split_k=2",
    "split_fed": f"{SPLIT},m=128,n=64,split_k=3",
    "split_bytes": f"{SPLIT},m=128,n=64,split_k=2",
    "streamed_batch": "m=128,n=64,ping_pong=0,stream_k=2",
    "promoted_streamed": "n=128,stream_k=2",
    "blocks_streamed": "n=64,stream_k=2",
    "block_rows_streamed": "n=128,stream_k=2",
    "narrow_strips": "n=144,ping_pong=0",
    "fed_rows": "kind=wgmma,m=128,n=48,ping_pong=0",
    "fed_turns": "kind=wgmma,m=64,n=64,ping_pong=1",
    "fed_both": "kind=wgmma,m=128,n=64,ping_pong=0",
    "fed_columns": "kind=wgmma,m=64,n=32,ping_pong=1",
    "fed_streamed": "kind=wgmma,m=128,n=64,ping_pong=0,stream_k=2",
    "ended_chunks": "kind=mma,m=32,n=64",
    "ended_boxes": "kind=wgmma,m=128,n=128,ping_pong=0",
    "ended_row_boxes": "kind=wgmma,m=64,n=64,ping_pong=1",
    "shifted_boxes": "kind=wgmma,m=128,n=128,ping_pong=0",
    "shifted_turns": "kind=wgmma,m=64,n=64,ping_pong=1",
    "shifted_few": "kind=wgmma,m=128,n=64,ping_pong=0",
    "shifted_pair": "kind=wgmma,m=128,n=64,ping_pong=0",
    "shifted_streamed": "kind=wgmma,m=128,n=128,ping_pong=0,stream_k=2",
    "halved": "kind=wgmma",
    "halved_columns": "kind=wgmma,stages=2",
    "halved_padded": "kind=wgmma",
    "spared_rows": "kind=wgmma,m=128,n=96,ping_pong=0,cluster=1",
    "spared_columns": "kind=wgmma,m=128,n=128,ping_pong=0,cluster=1",
    "spared_batch": "kind=wgmma,m=64,n=128,ping_pong=1,cluster=1",
    "spared_pair": "kind=wgmma,m=128,n=64,ping_pong=0,cluster=1",
    "fma_wide": "m=128,n=128,k=8,threads_m=16,threads_n=8",
    "fma_square": "m=128,n=128,k=16,threads_m=16,threads_n=16",
    "fma_small": "m=64,n=64,k=32,threads_m=8,threads_n=8,stages=2",
    "fma_sum": "m=128,n=128,k=8,threads_m=16,threads_n=16,stages=4",
    "fma_half": "m=64,n=128,k=16,threads_m=8,threads_n=16,stages=3,blocks=4",
    "fma_half_whole": "m=64,n=128,k=16,threads_m=8,threads_n=16,stages=3,blocks=4",
    "fma_half_columns": "m=64,n=128,k=16,threads_m=8,threads_n=16,stages=3,blocks=4",
    "fma_half_tall": "m=128,n=64,k=16,threads_m=16,threads_n=8,stages=3,blocks=4",
    "pixel_boxes": "kind=wgmma,m=128,n=64,ping_pong=0,cluster=1",
    "pixel_sums": "kind=wgmma,m=128,n=64,ping_pong=0,cluster=1",
    "pixel_turns": "kind=wgmma,m=64,n=64,ping_pong=1,cluster=1",
    "three_boxes": "kind=wgmma,m=192,n=128,cluster=2",
    "three_strips": "kind=wgmma,m=192,n=64,cluster=1",
    "three_shifted": "kind=wgmma,m=192,n=64,cluster=1",
    "three_gated": "kind=wgmma,m=192,n=32,cluster=1",
    "three_streamed": "m=192,n=64,stream_k=3",
    "three_split": f"{SPLIT},m=192,n=64,split_k=2",
    "row_by_row": "kind=wgmma,m=128,n=64,ping_pong=0,cluster=1,group=1",
    "row_by_row_pairs": "kind=wgmma,m=128,n=64,ping_pong=0,cluster=2,group=1",
    "row_by_row_turns": "kind=wgmma,m=64,n=64,ping_pong=1,cluster=1,group=1",
    **HEAD_TILES,
}


def plain(layout, types):
    x, left, w, right = LAYOUTS[layout]
    a, b, attribute = TYPES[types]
    result = {"f64": "f64"}.get(a, "i32" if a[0] in "iu" else "f32")
    return (
        f"{attribute}fn product[M, N, K](x: {a}[{x}], w: {b}[{w}]) -> (y: {result}[M, N]) {{\n"
        f"    y = {left} @ {right};\n}}\n"
    )


def other(name):
    inputs, outputs, body = {**OTHERS, **BLOCKS, **QUANTISED}.get(name) or FIXED[name][0]
    before = "@precision(f8)\n" if "f8" in inputs else "@one_kernel\n" if name in TILES else ""
    return f"{before}fn product[M, N, K]({inputs}) -> ({outputs}) {{\n    {body}\n}}\n"


def models(everything):
    for layout in LAYOUTS:
        for types in TYPES:
            along_k = layout == "rows_rows" and types in ALONG_K
            if everything or types == "bf16" or layout == "rows_columns" or along_k:
                yield f"{types}_{layout}", plain(layout, types)
    for name in [*OTHERS, *BLOCKS, *QUANTISED, *FIXED]:
        yield name, other(name)


def architectures(name, text):
    """By warps, and by warpgroups where they can; f8 is multiplied from sm_89 on."""
    if name == "many" or name in TILES or name in BLOCKS:
        return ["sm_90a"]
    if name in [f"{types}_rows_rows" for types in ALONG_K]:
        return ["sm_90a"]
    by_warpgroups = "bf16[" in text or " f16[" in text
    return (["sm_80"] if "f8" not in name else []) + \
        (["sm_90a"] if by_warpgroups or "f8" in name else [])


def attempt(fusec, name, text, arch, runtime, folder):
    """A message for each run, empty where it passes."""
    folder.mkdir()
    path = folder / f"{name}.fx"
    path.write_text(text)
    fixed = (
        [x for d, n in zip("MNK", FIXED[name][1]) for x in ("-D", f"{d}={n}")]
        if name in FIXED
        else []
    )
    try:
        tile = ["--tile", TILES[name]] if name in TILES else []
        model = CudaModel(fusec, path, ["--arch", arch, *fixed, *tile], runtime, folder)
    except Failure as failure:
        return [f"FAIL {name} for {arch}: {failure}"]
    messages = []
    for number, (m, n, k) in enumerate(
        [FIXED[name][1]] if fixed else BLOCK_SIZES if name in BLOCKS
        else QUANTISED_SIZES if name in QUANTISED else SIZES
    ):
        sizes = {"M": m, "N": n, "K": k}
        inputs = folder / "inputs.safetensors"
        model.write_inputs(sizes, inputs, seed=number)
        try:
            model.check(sizes, inputs, skew=number % 3 == 1)
            messages.append("")
        except Failure as failure:
            messages.append(f"FAIL {name} for {arch}, M={m} N={n} K={k}: {failure}")
    return messages


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("fusec")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME")
    o = parser.parse_args()
    if not shutil.which(emulate.COMPILER):
        print(f"skipped: there is no {emulate.COMPILER}")
        sys.exit(SKIPPED)
    jobs = [
        (name, text, arch)
        for name, text in models(o.all)
        if not o.names or name in o.names
        for arch in architectures(name, text)
    ]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        root = pathlib.Path(folder)
        runtime = emulate.build_runtime()
        for messages in pool.map(
            lambda job: attempt(o.fusec, *job, runtime, root / f"{job[0]}_{job[2]}"), jobs
        ):
            for message in messages:
                passed, failed = passed + (not message), failed + bool(message)
                if message:
                    print(message, flush=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
