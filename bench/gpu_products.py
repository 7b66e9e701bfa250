#!/usr/bin/env python3
"""Matrix products that fusec emits, on a GPU, beside those of PyTorch (cuBLAS, torch.compile) in
the same run.

    python3 bench/gpu_products.py build FUSEC FOLDER [ARCH]   emits and compiles; needs nvcc, no GPU
    python3 bench/gpu_products.py run FOLDER                   measures; needs a GPU and PyTorch

Times are medians of 30 launches, taken twice, the better of the two. Inputs are random, of [-1, 1).
Errors are those of 256 rows against double precision.
"""

import ctypes
import pathlib
import statistics
import subprocess
import sys

PLAIN = (
    "fn product[M, N, K](x: {a}[{x}], w: {b}[{w}]) -> (y: {y}[M, N]) {{\n"
    "    y = {left} @ {right};\n}}\n"
)
ROWS = dict(x="M, K", w="N, K", left="x", right="w.T")
COLUMNS = dict(x="M, K", w="K, N", left="x", right="w")
TURNED = dict(x="K, M", w="K, N", left="x.T", right="w")
F32 = PLAIN.format(a="f32", b="f32", y="f32", **ROWS)
MODELS = {
    "bf16": PLAIN.format(a="bf16", b="bf16", y="bf16", **ROWS),
    "bf16_columns": PLAIN.format(a="bf16", b="bf16", y="bf16", **COLUMNS),
    "bf16_turned": PLAIN.format(a="bf16", b="bf16", y="bf16", **TURNED),
    "i8": PLAIN.format(a="i8", b="i8", y="i32", **ROWS),
    "f8e4m3": PLAIN.format(a="f8e4m3", b="f8e4m3", y="f32", **ROWS),
    "f8e4m3_short": "@precision(f8)\n" + PLAIN.format(a="f8e4m3", b="f8e4m3", y="f32", **ROWS),
    "f32": "@precision(ieee)\n" + F32,
    "f32_tf32": "@precision(tf32)\n" + F32,
    "f32_bf16x3": "@precision(bf16x3)\n" + F32,
    "f32_bf16x6": "@precision(bf16x6)\n" + F32,
    "int8_dequantised":
    "fn product[M, N, K](x: bf16[M, K], w: i8[N, K], s: f32[N]) -> (y: bf16[M, N]) {\n"
    "    y = x @ (((w as f32) * s[:, None]) as bf16).T;\n}\n",
    "geglu":
    "fn product[N, D](x: bf16[N, D], w: bf16[8*D, D], b: bf16[8*D]) -> (y: bf16[N, 4*D]) {\n"
    "    h = x @ w.T + b;\n    v, g = split(h, 2, axis = -1);\n    y = v * gelu(g);\n}\n",
}
CUBE = {"M": 4096, "N": 4096, "K": 4096}
CASES = [
    ("bf16", CUBE),
    ("bf16", {"M": 8192, "N": 8192, "K": 8192}),
    ("bf16_open", CUBE),
    ("bf16_columns", CUBE),
    ("bf16_turned", CUBE),
    ("bf16", {"M": 16, "N": 4096, "K": 4096}),
    ("bf16", {"M": 256, "N": 1024, "K": 8192}),
    ("bf16", {"M": 1024, "N": 1024, "K": 1024}),
    ("f32", CUBE),
    ("f32_open", CUBE),
    ("f32_tf32", CUBE),
    ("f32_bf16x3", CUBE),
    ("f32_bf16x6", CUBE),
    ("i8", CUBE),
    ("f8e4m3", CUBE),
    ("f8e4m3_short", CUBE),
    ("int8_dequantised", CUBE),
    ("geglu", {"N": 16384, "D": 1024}),
]


def stem(name, sizes):
    return "_".join([name, *map(str, sizes.values())])


def build(fusec, folder, arch="sm_90a"):
    folder.mkdir(parents=True, exist_ok=True)
    for name, sizes in CASES:
        path = folder / stem(name, sizes)
        path.with_suffix(".fx").write_text(MODELS[name.removesuffix("_open")])
        dims = (
            []
            if name.endswith("_open")
            else [x for d, n in sizes.items() for x in ("-D", f"{d}={n}")]
        )
        subprocess.run(
            [
                fusec,
                path.with_suffix(".fx"),
                *dims,
                "--target",
                "cuda",
                "--arch",
                arch,
                "-o",
                path.with_suffix(".cu"),
            ],
            check=True,
        )
        code = f"-gencode=arch=compute_{arch[3:]},code={arch}"
        subprocess.run(
            [
                "nvcc",
                "-O3",
                code,
                "--shared",
                "-Xcompiler",
                "-fPIC",
                path.with_suffix(".cu"),
                "-o",
                path.with_suffix(".so"),
            ],
            check=True,
        )


def random_tensor(torch, shape, dtype):
    if dtype == torch.int8:
        return torch.randint(-128, 128, shape, device="cuda", dtype=dtype)
    return (torch.rand(shape, device="cuda") * 2 - 1).to(dtype)


def operands(torch, name, sizes):
    """(inputs, the output, the same by PyTorch or None, 256 rows of it in double, operations)"""
    if name == "geglu":
        n, d = sizes.values()
        x, w, b = (random_tensor(torch, s, torch.bfloat16) for s in ((n, d), (8 * d, d), (8 * d,)))

        def model(x, w, b):
            v, g = torch.nn.functional.linear(x, w, b).chunk(2, -1)
            return v * torch.nn.functional.gelu(g)

        compiled, y = torch.compile(model), torch.empty(
            (n, 4 * d), device="cuda", dtype=torch.bfloat16
        )
        return (
            [x, w, b],
            y,
            lambda: compiled(x, w, b),
            lambda: model(x[:256].double(), w.double(), b.double()),
            16.0 * n * d * d,
        )
    m, n, k = sizes.values()
    kind = name.split("_")[0]
    dtype = {"i8": torch.int8, "f8e4m3": torch.float8_e4m3fn, "f32": torch.float32}.get(
        kind, torch.bfloat16
    )
    x = random_tensor(torch, (k, m) if "turned" in name else (m, k), dtype)
    columns = "turned" in name or "columns" in name
    w = random_tensor(torch, (k, n) if columns else (n, k), torch.int8 if kind == "int8" else dtype)
    result = {"i8": torch.int32, "f8e4m3": torch.float32}.get(kind, dtype)
    y, inputs = torch.empty((m, n), device="cuda", dtype=result), [x, w]
    left, right = x.T if "turned" in name else x, w if columns else w.T
    if kind == "int8":
        inputs.append(random_tensor(torch, (n,), torch.float32))
        right = (w.float() * inputs[2][:, None]).to(torch.bfloat16).T
    peer = (lambda: left @ right) if kind in ("bf16", "f32") else None
    return inputs, y, peer, lambda: left[:256].double() @ right.double(), 2.0 * m * n * k


def median_ms(torch, call):
    times = []
    for _ in range(5):
        call()
    for _ in range(30):
        events = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
        events[0].record()
        call()
        events[1].record()
        events[1].synchronize()
        times.append(events[0].elapsed_time(events[1]))
    return statistics.median(times)


def measure(torch, folder, name, sizes):
    torch.backends.cuda.matmul.allow_tf32 = name.startswith("f32_") and "open" not in name
    inputs, y, peer, reference, operations = operands(torch, name, sizes)
    library = ctypes.CDLL(str((folder / stem(name, sizes)).with_suffix(".so").resolve()))
    dims = [ctypes.c_longlong(n) for n in sizes.values()] if name.endswith("_open") else []
    library.product_workspace.restype = ctypes.c_longlong
    workspace = torch.empty(
        max(library.product_workspace(*dims), 1), device="cuda", dtype=torch.uint8
    )
    stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
    arguments = (
        [ctypes.c_void_p(t.data_ptr()) for t in [*inputs, y]]
        + dims
        + [ctypes.c_void_p(workspace.data_ptr()), stream]
    )
    y.fill_(float("nan") if y.dtype.is_floating_point else -1)
    if library.product(*arguments):
        sys.exit(f"{name}: a launch failed")
    want = reference()
    error = ((y[:256].double() - want).norm() / want.norm()).item()
    own = min(median_ms(torch, lambda: library.product(*arguments)) for _ in range(2))
    other = min(median_ms(torch, peer) for _ in range(2)) if peer else None
    rate = lambda ms: f"{operations / ms * 1e-9:.1f}"  # noqa: E731
    print(
        f"| {name} | {' '.join(f'{d}={n}' for d, n in sizes.items())} | {1e3 * own:.1f} | "
        f"{rate(own)} | "
        f"{rate(other) if other else ''} | {f'{other / own:.2f}' if other else ''} | {error:.1e} |",
        flush=True,
    )


def run(folder):
    import torch

    x = random_tensor(torch, (8192, 8192), torch.bfloat16)
    for _ in range(300):  # clocks settle
        x @ x
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}\n")
    print("| product | sizes | us | TFLOP/s | PyTorch's | times as fast | relative error |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for name, sizes in CASES:
        measure(torch, folder, name, sizes)


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("build", "run"):
        sys.exit(__doc__)
    if sys.argv[1] == "build":
        build(sys.argv[2], pathlib.Path(sys.argv[3]), *sys.argv[4:])
    else:
        run(pathlib.Path(sys.argv[2]))


if __name__ == "__main__":
    main()
