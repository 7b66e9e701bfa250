#!/usr/bin/env python3
"""Attentions for sm_90a, by warpgroups, by warps (tf32, bf16x3) or (f32) without tensor cores, as CUDA
on the CPU, compared with the evaluator: depths, masks, score functions, layouts, results, tensors one element behind
aligned addresses; and backward passes by hand, of which the default leaves out the longest.

    python3 tests/shim/attentions.py FUSEC [NAME..]
"""
import os
import pathlib
import re
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import emulate
from cuda_model import CudaModel, Failure, dim_flags

SKIPPED = 77
CAUSAL = "where(iota(M)[:, None] >= iota(N), {}, -inf)"
# name: (element type, or precision of f32 elements, depth, value columns, score function, batch, what else is an input, results)
MODELS = {
    "full": ("bf16", 64, 64, "{}", "B"),
    "causal": ("bf16", 64, 64, CAUSAL, "B"),
    "one": ("bf16", 128, 128, CAUSAL, ""),
    "depth_16": ("f16", 16, 40, CAUSAL, "B"),
    "depth_96": ("bf16", 96, 96, CAUSAL, "B"),
    "depth_192": ("bf16", 192, 128, "{}", "B"),
    "depth_256": ("f16", 256, 256, CAUSAL.format("20 * tanh({} / 20)"), "B"),
    "depth_40": ("bf16", 40, 24, CAUSAL, "B"),
    "unaligned": ("bf16", 66, 34, CAUSAL, "B"),
    "window": ("bf16", 32, 32, "where(abs(iota(M)[:, None] - iota(N)) < 40, {}, -inf)", "B"),
    "nothing": ("bf16", 32, 32, "where(iota(M)[:, None] < iota(N) - 130, {}, -inf)", "B"),
    "capped": ("bf16", 64, 64, CAUSAL.format("20 * tanh({} / 20)"), "B"),
    "documents": ("bf16", 64, 64, "where(x[:M, None] == x[:N], {}, -inf)", "B", "x: i32[512], "),
    "causal_documents": ("bf16", 64, 64,
                         "where(iota(M)[:, None] >= iota(N) && x[:M, None] == x[:N], {}, -inf)", "B",
                         "x: i32[512], "),
    "bias": ("bf16", 64, 64, "{} + x[:M, :N]", "B", "x: f32[512, 512], "),
    "lengths": ("bf16", 64, 64, "where(iota(N) < x[..., None, None] * 20, {}, -inf)", "B",
                "x: i32[B], "),
    "f32": ("f32", 10, 20, "{}", "B"),
    "f32_causal": ("f32", 10, 20, CAUSAL, "B"),
    "f32_window": ("f32", 10, 20, "where(abs(iota(M)[:, None] - iota(N)) < 40, {}, -inf)", "B"),
    "f32_window_of_live": ("f32", 10, 20,
                           "where(abs(iota(M)[:, None] - iota(N)) < 40 && x[:N], {}, -inf)", "B",
                           "x: bool[512], "),
    "f32_nothing": ("f32", 10, 20, "where(iota(M)[:, None] < iota(N) - 130, {}, -inf)", "B"),
    "f32_lengths": ("f32", 10, 20, "where(iota(N) < x[..., None, None] * 20, {}, -inf)", "B",
                    "x: i32[B], "),
    "f32_long": ("f32", 264, 100, CAUSAL, "B"),
    "tf32": ("tf32", 64, 64, CAUSAL, "B"),
    "tf32_20": ("tf32", 20, 12, "20 * tanh({} / 20) + x[:M, :N]", "B", "x: f32[512, 512], "),
    "tf32x3": ("tf32x3", 128, 64, CAUSAL, "B"),
    "tf32x3_30": ("tf32x3", 30, 50, "where(abs(iota(M)[:, None] - iota(N)) < 40, {}, -inf)", "B"),
    "bf16x3": ("bf16x3", 64, 128, "{}", "B"),
    "bf16x3_30": ("bf16x3", 30, 50, "where(abs(iota(M)[:, None] - iota(N)) < 40, {}, -inf)", "B"),
}
PRECISIONS = ("tf32", "tf32x3", "bf16x3")
# Heads side by side in a row of memory, of queries that share keys and values, or not.
LAYOUTS = {
    "heads": """fn attention[B, M, N](q: bf16[B, M, 3, 96], k: bf16[B, N, 3, 96], v: bf16[N, B, 3, 96])
        -> (y: bf16[B, M, 3, 96]) {
    s = (permute(q, 0, 2, 1, 3) @ permute(k, 0, 2, 3, 1)) * 0.1;
    t = where(iota(M)[:, None] >= iota(N), s, -inf);
    y = permute(softmax(t) as bf16 @ permute(v, 1, 2, 0, 3), 0, 2, 1, 3);
}
""",
    "groups": """fn attention[B, N](q: bf16[B, 208, 6, 64], k: bf16[B, N, 2, 64], v: bf16[B, N, 2, 64])
        -> (y: bf16[B, 208, 6, 64]) {
    keys = permute(k, 0, 2, 1, 3)[:, :, None];
    values = permute(v, 0, 2, 1, 3)[:, :, None];
    s = (reshape(permute(q, 0, 2, 1, 3), B, 2, 3, 208, 64) @ keys.T) * 0.125;
    t = where(iota(208)[:, None] >= iota(N), s, -inf);
    y = permute(reshape(softmax(t) as bf16 @ values, B, 6, 208, 64), 0, 2, 1, 3);
}
""",
}
# Each head's queries are whole tiles: long rows of all heads come first.
LAYOUTS["group_tiles"] = LAYOUTS["groups"].replace("208", "256").replace("6, 64]", "4, 64]").replace(
    "B, 2, 3, 256", "B, 2, 2, 256").replace("B, 6, 256", "B, 4, 256")
LAYOUTS["dropout"] = """fn attention[B, M, N](q: bf16[B, M, 64], k: bf16[B, N, 64], v: bf16[B, N, 64])
        -> (y: bf16[B, M, 64]) {
    y = dropout(softmax((q @ k.T) * 0.125), 0.2, 7) as bf16 @ v;
}
"""
# What is loaded for a weight, by names that the weights' own text might have.
LAYOUTS["conditions"] = """fn attention[B, M, N](q: bf16[B, M, 64], k: bf16[B, N, 64], v: bf16[B, N, 64], x: i32[M],
        e: i32[N]) -> (y: bf16[B, M, 64]) {
    s = where(iota(M)[:, None] >= iota(N), (q @ k.T) * 0.125, -inf);
    y = where(x[:, None] > -5 && e < 5, softmax(s) as bf16, 0) @ v;
}
"""
LAYOUTS["f32_conditions"] = LAYOUTS["conditions"].replace("bf16", "f32")
LAYOUTS["tf32_conditions"] = "@precision(tf32)\n" + LAYOUTS["f32_conditions"]
# Parts of wider rows, which end within 16 bytes: by TMA; by warps.
LAYOUTS["parts"] = """fn attention[B, M, N](q: bf16[B, M, 24], k: bf16[B, N, 24], v: bf16[B, N, 40])
        -> (y: bf16[B, M, 36]) {
    y = softmax((q[..., 0:20] @ k[..., 0:20].T) * 0.2) as bf16 @ v[..., 0:36];
}
"""
# Biases of each query and key, of which a thread loads pairs; keys are whole tiles, or not.
LAYOUTS["pairs"] = """fn attention[B, M](q: bf16[B, 3, M, 64], k: bf16[B, 3, 256, 64], v: bf16[B, 3, 256, 64],
        x: bf16[3, 512, 256]) -> (o: bf16[B, 3, M, 64]) {
    s = (q @ k.T) * 0.125 + x[:, :M];
    o = softmax(where(iota(M)[:, None] + 60 >= iota(256), s, -inf)) as bf16 @ v;
}
"""
LAYOUTS["pairs_of_f32"] = """fn attention[B, M](q: f16[B, M, 128], k: f16[B, 128, 128], v: f16[B, 128, 128],
        x: f32[B, 512, 130], y: f16[M, 128]) -> (o: f16[B, M, 128]) {
    o = softmax(((q @ k.T) * 0.125 + x[:, :M, 2:]) * y) as f16 @ v;
}
"""
LAYOUTS["pairs_at_end"] = LAYOUTS["pairs"].replace("256", "198")
# Of few queries, keys and values that are computed from copies: both, or one of them.
LAYOUTS["cache"] = """fn attention[B, N](q: bf16[B, 5, 64], k: i8[B, N, 64], ks: f32[B, N], v: u8[B, N, 32], vs: f32[B, N])
        -> (y: bf16[B, 5, 64]) {
    s = (q @ (k as bf16).T) * ks[:, None] * 0.02;
    halves = reshape(concat((v % 16)[..., None], (v / 16)[..., None], axis = -1), B, N, 64);
    y = softmax(s) as bf16 @ ((halves as f32 * vs[..., None]) as bf16);
}
"""
LAYOUTS["cache_of_keys"] = """fn attention[B, N](q: bf16[B, 5, 40], k: f8e4m3[B, N, 40], v: bf16[B, N, 24]) -> (y: bf16[B, 5, 24]) {
    y = softmax((q @ (k as bf16).T) * 0.2) as bf16 @ v;
}
"""
LAYOUTS["cache_of_values"] = """fn attention[B, N](q: f16[B, 20, 32], k: f16[B, N, 32], v: f8e5m2[N, B, 128], x: f32[B, N])
        -> (y: f16[B, 20, 128]) {
    y = softmax((q @ k.T) * 0.2 + x[:, None]) as f16 @ permute(v as f16, 1, 0, 2);
}
"""
LAYOUTS["cache_updated"] = """fn attention[B, N](q: bf16[B, 5, 64], k: bf16[B, N, 64], now: bf16[B, 64], v: bf16[B, N, 64])
        -> (y: bf16[B, 5, 64]) {
    here = (iota(N) == N - 1)[:, None];
    y = softmax((q @ where(here, now[:, None], k).T) * 0.2) as bf16 @ where(here, now[:, None], v);
}
"""
LAYOUTS["tf32_parts"] = "@precision(tf32)\n" + LAYOUTS["parts"].replace("bf16", "f32").replace(
    "0:20", "4:22").replace("0:36", "0:35").replace("36]", "35]")
# The backward: (depth, columns of values, score function).
BACKWARD = {
    "backward": (64, 64, CAUSAL),
    "backward_128": (128, 128, CAUSAL),
    "backward_96": (96, 96, "30 * tanh({} / 30)"),
    "backward_window": (32, 32, "where(abs(iota(M)[:, None] - iota(N)) < 40, {}, -inf)"),
    "backward_columns": (64, 128, CAUSAL),
}
# The same in one pass over the scores: by warpgroups, by warps.
ACROSS = {"across": (64, 64, CAUSAL), "across_40": (40, 40, CAUSAL)}
# Of f32, by fused multiply-adds; in the first a score waits in shared memory.
ACROSS_F32 = {"across_f32": (64, 64, CAUSAL), "across_f32_36": (36, 20, "{}")}
LONG = ("backward_96", "backward_window", "backward_columns")
BACKWARD_F32 = {"tf32_backward": (20, 36, CAUSAL), "tf32_backward_128": (128, 128, CAUSAL),
                "tf32x3_backward": (36, 64, CAUSAL), "bf16x3_backward": (64, 64, "{}")}
BACKWARD_MODEL = """fn attention[B, M, N](q: bf16[B, M, 2, {d}], k: bf16[B, N, 2, {d}],
        v: bf16[B, 2, N, {e}], u: f32[B, 2, M], lse: f32[B, 2, M], do: bf16[B, 2, M, {e}])
        -> (dq: bf16[B, M, 2, {d}], dk: bf16[B, 2, N, {d}], dv: bf16[B, 2, N, {e}]) {{
    s = einsum("bmhd,bnhd->bhmn", q, k) * 0.1;
    p = exp({score} - lse[..., None]);
    ds = (p * (do @ v.T - u[..., None])) as bf16;
    dq = einsum("bhmn,bnhd->bmhd", ds, k) * 0.1;
    dk = einsum("bhmn,bmhd->bhnd", ds, q);
    dv = (p as bf16).T @ do;
}}
"""
SIZES = [(1, 65, 1), (2, 208, 200), (1, 130, 300)]
# Long rows first, of all batches, as on two multiprocessors: (model, sizes, calls of the order).
PAIRED, IN_TURN = r"block = paired_block<", r"place = block / grid_c / "
ORDERED = {
    "ordered": ("causal", (3, 300, 300), PAIRED),
    "ordered_one": ("one", (1, 650, 300), PAIRED),
    "ordered_tf32": ("tf32", (5, 260, 150), PAIRED),
    "ordered_backward": ("backward", (1, 260, 150), PAIRED),
    "ordered_f32": ("f32_causal", (3, 300, 300), PAIRED),
    "ordered_f32_columns": ("f32_long", (3, 300, 300), IN_TURN),
    "ordered_f32_backward": ("backward_f32", (2, 208, 200), IN_TURN),
    "ordered_f32_open": ("f32_causal", (), IN_TURN),
}
FEW = """{"version": 1, "name": "few", "arch": "sm_80", "processors": 2, "clock_mhz": 1000, "l2_mib": 1,
"bytes_per_s": 1e12, "operations_per_s": {"f32": 1e13, "special": 1e12, "bf16": 1e14, "f8": 1e14, "i8": 1e14}}
"""


def few_multiprocessors(text):
    return re.sub(r"paired_block<\d+>", "paired_block<2>", text)


def model(name):
    if name == "backward_f32":  # of few columns: scores of more are stored
        return BACKWARD_MODEL.format(d=24, e=32, score=CAUSAL.format("s")).replace("bf16", "f32")
    if name in LAYOUTS:
        return LAYOUTS[name]
    if name in BACKWARD_F32:
        d, e, score = BACKWARD_F32[name]
        text = BACKWARD_MODEL.format(d=d, e=e, score=score.format("s")).replace("bf16", "f32")
        return f"@precision({name.split('_')[0]})\n{text}"
    if name in ACROSS_F32:
        d, e, score = ACROSS_F32[name]
        text = BACKWARD_MODEL.format(d=d, e=e, score=score.format("s")).replace("bf16", "f32")
        return f"@nondeterministic\n{text}"
    if name in ACROSS:
        d, e, score = ACROSS[name]
        return "@nondeterministic\n" + BACKWARD_MODEL.format(d=d, e=e, score=score.format("s"))
    if name in BACKWARD:
        d, e, score = BACKWARD[name]
        return BACKWARD_MODEL.format(d=d, e=e, score=score.format("s"))
    dtype, depth, columns, score, batch, *more = MODELS[name]
    attribute = f"@precision({dtype})\n" if dtype in PRECISIONS else ""
    dtype = "f32" if attribute else dtype
    axes = f"{batch}, " if batch else ""
    score = score.format(f"(q @ k.T) * rsqrt({depth})")
    return (f"{attribute}fn attention[B, M, N]({''.join(more)}q: {dtype}[{axes}M, {depth}], "
            f"k: {dtype}[{axes}N, {depth}], v: {dtype}[{axes}N, {columns}], "
            f"gain: f32[{columns}]) -> (y: {dtype}[{axes}M, {columns}], "
            f"total: f32[{batch or 1}, M]) {{\n"
            f"    s = {score};\n    y = softmax(s) as {dtype} @ v * gain;\n"
            f"    total = logsumexp(s){'' if batch else '[None]'};\n}}\n")


def attempt(fusec, name, text, runtime, folder):
    """A message for each run, empty where it passes."""
    folder.mkdir()
    path = folder / f"{name}.fx"
    path.write_text(text)
    try:
        cuda = CudaModel(fusec, path, ["--arch", "sm_90a"], runtime, folder)
    except Failure as failure:
        return [f"FAIL {name}: {failure}"]
    messages = []
    way = {"f32": "Products<", "tf32": "mma_tf32", "tf32x3": "mma_tf32", "bf16x3": "mma_bf16",
           "unaligned": "cp_async_part", "cache": "copy(n_next)"}.get(
        name.split("_")[0], "wgmma_wait")
    if name in (*ACROSS, *ACROSS_F32):
        way = "cudaMemsetAsync"
    if name == "tf32_parts":
        way = "cp_async_first"
    if way not in (folder / f"{name}.cu").read_text():
        messages.append(f"FAIL {name}: not by {way}")
    for number, (batch, queries, keys) in enumerate(SIZES):
        sizes = {"B": batch, "M": queries, "N": keys}
        sizes = {dim: sizes[dim] for dim in cuda.dims.values()}
        inputs = folder / "inputs.safetensors"
        cuda.write_inputs(sizes, inputs, seed=number)
        try:
            cuda.check(sizes, inputs, skew=number == 2)
            messages.append("")
        except Failure as failure:
            messages.append(f"FAIL {name}, B={batch} M={queries} N={keys}: {failure}")
    return messages


def attempt_order(fusec, name, runtime, folder):
    """The same of a kernel whose blocks take long rows first."""
    of, known, order = ORDERED[name]
    folder.mkdir()
    path, machine, inputs = (folder / file for file in (f"{name}.fx", "few.json", "in.safetensors"))
    path.write_text(model(of))
    machine.write_text(FEW)
    sizes = dict(zip("BMN", known or (5, 150, 200)))
    sizes = {dim: n for dim, n in sizes.items() if dim in re.search(r"\[(.*?)\]", model(of))[1]}
    try:
        flags = ["--machine", machine, *(dim_flags(sizes) if known else [])]
        cuda = CudaModel(fusec, path, flags, runtime, folder, few_multiprocessors)
        if not re.search(order, cuda.emitted_file.read_text()):
            raise Failure(f"there is no {order}")
        cuda.write_inputs(sizes, inputs)
        cuda.check(sizes, inputs)
    except Failure as failure:
        return [f"FAIL {name}: {failure}"]
    return [""]


def main():
    every = [name for name in (*MODELS, *LAYOUTS, *BACKWARD, *ACROSS, *ACROSS_F32, *BACKWARD_F32, *ORDERED)
             if name not in LONG]
    fusec, names = sys.argv[1], sys.argv[2:] or every
    if not shutil.which(emulate.COMPILER):
        print(f"skipped: there is no {emulate.COMPILER}")
        sys.exit(SKIPPED)
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        root = pathlib.Path(folder)
        runtime = emulate.build_runtime()


        def run(name):
            if name in ORDERED:
                return attempt_order(fusec, name, runtime, root / name)
            return attempt(fusec, name, model(name), runtime, root / name)
        for messages in pool.map(run, names):
            for message in messages:
                passed, failed = passed + (not message), failed + bool(message)
                if message:
                    print(message, flush=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
