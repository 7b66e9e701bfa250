#!/usr/bin/env python3
"""What is kept between a forward and a backward pass: fusec's minimum cut beside that of torch.compile.

    python3 bench/kept_bytes.py FUSEC

Bytes beside inputs and outputs of the forward pass. Those of torch.compile are counted on the CPU, from
the forward graph that its partitioner (min_cut_rematerialization_partition) makes; those of PyTorch eager
are the tensors that autograd saves. Prints a Markdown table.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import torch
from functorch.compile import make_boxed_func, min_cut_rematerialization_partition
from torch._dynamo.backends.common import aot_autograd
from torch.nn import functional as F

ROOT = pathlib.Path(__file__).resolve().parents[1]

GEGLU = """fn geglu[N, D](x: FLOAT[N, D], w: FLOAT[8*D, D], b: FLOAT[8*D]) -> (y: FLOAT[N, 4*D]) {
    v, g = split((x @ w.T + b) as FLOAT, 2);
    y = v * gelu(g);
}
"""
SWIGLU = """fn swiglu[N, D, F](x: FLOAT[N, D], gate: FLOAT[F, D], up: FLOAT[F, D], down: FLOAT[D, F])
    -> (y: FLOAT[N, D]) {
    h = (silu((x @ gate.T) as FLOAT) * ((x @ up.T) as FLOAT)) as FLOAT;
    y = h @ down.T;
}
"""
ATTENTION = """fn attention[B, H, S, D](q: FLOAT[B, H, S, D], k: FLOAT[B, H, S, D], v: FLOAT[B, H, S, D])
    -> (o: FLOAT[B, H, S, D]) {
    s = (q @ k.T) * rsqrt(D);
    o = softmax(where(iota(S)[:, None] >= iota(S), s, -inf)) @ v;
}
"""


def block_text():
    """The example, where every layer rounds its result, as PyTorch's do."""
    text = (ROOT / "examples/transformer_block.fx").read_text().replace("bf16", "FLOAT")
    return re.sub(r"(gain1|bias1|gain2|bias2|\(y): f32", r"\1: FLOAT", text)


def geglu(x, w, b):
    v, g = F.linear(x, w, b).chunk(2, dim=-1)
    return v * F.gelu(g)


def swiglu(x, gate, up, down):
    return F.linear(F.silu(F.linear(x, gate)) * F.linear(x, up), down)


def attention(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def block(x, gain1, bias1, w_qkv, b_qkv, w_o, b_o, gain2, bias2, w_1, b_1, w_2, b_2, heads=12):
    b, s, c = x.shape
    qkv = F.linear(F.layer_norm(x, (c,), gain1, bias1), w_qkv, b_qkv).chunk(3, dim=-1)
    q, k, v = (t.view(b, s, heads, c // heads).transpose(1, 2) for t in qkv)
    o = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, s, c)
    y = x + F.linear(o, w_o, b_o)
    h = F.gelu(F.linear(F.layer_norm(y, (c,), gain2, bias2), w_1, b_1))
    return y + F.linear(h, w_2, b_2)


def block_shapes(d):
    c = d["H"] * d["D"]
    return [(d["B"], d["S"], c), (c,), (c,), (3 * c, c), (3 * c,), (c, c), (c,), (c,), (c,),
            (4 * c, c), (4 * c,), (c, 4 * c), (c,)]


# name, model, the function of PyTorch, dims, shapes of its inputs
CASES = [
    ("geglu", GEGLU, geglu, {"N": 8192, "D": 768},
     lambda d: [(d["N"], d["D"]), (8 * d["D"], d["D"]), (8 * d["D"],)]),
    ("swiglu", SWIGLU, swiglu, {"N": 4096, "D": 1024, "F": 4096},
     lambda d: [(d["N"], d["D"]), (d["F"], d["D"]), (d["F"], d["D"]), (d["D"], d["F"])]),
    ("attention", ATTENTION, attention, {"B": 8, "H": 12, "S": 1024, "D": 64},
     lambda d: [(d["B"], d["H"], d["S"], d["D"])] * 3),
    ("transformer_block", block_text(), block, {"B": 8, "S": 1024, "H": 12, "D": 64}, block_shapes),
]
TYPES = {"bf16": torch.bfloat16, "f32": torch.float32}


def kept_by_fusec(fusec, name, text, dims, dtype):
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "model.fx"
        model.write_text(f"{text.replace('FLOAT', dtype)}\nfn fwd, bwd = train({name});\n")
        flags = [f"-D{dim}={size}" for dim, size in dims.items()]
        out = subprocess.run([fusec, "explain", model, "--fn", "fwd", *flags], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
        return int(re.search(r"^keeps (\d+) bytes", out, re.M)[1])


def bytes_of(values, without):
    """Those of the memory that they use, once each."""
    seen = {v.untyped_storage()._cdata: v.untyped_storage().nbytes() for v in values}
    for v in without:
        seen.pop(v.untyped_storage()._cdata, None)
    return sum(seen.values())


def kept_by_eager(function, inputs):
    saved = []

    def pack(tensor):
        saved.append(tensor)
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        out = function(*inputs)
    return bytes_of([t.detach() for t in saved], [*(t.detach() for t in inputs), out.detach()])


def kept_by_compile(function, inputs):
    """Bytes of the outputs of the partitioned forward graph that are neither its inputs nor the result,
    and no views of these."""
    kept = []

    def forward(graph, _):
        nodes = list(graph.graph.nodes)
        given = [node.meta["val"] for node in nodes if node.op == "placeholder"]
        result, *saved = [node.meta["val"] for node in nodes[-1].args[0]]
        kept.append(bytes_of([v for v in saved if isinstance(v, torch.Tensor)], [*given, result]))
        return make_boxed_func(graph.forward)

    backend = aot_autograd(fw_compiler=forward, bw_compiler=lambda graph, _: make_boxed_func(graph),
                           partition_fn=min_cut_rematerialization_partition)
    torch._dynamo.reset()
    torch.compile(function, backend=backend)(*inputs).sum().backward()
    return sum(kept)


def mib(size):
    return f"{size / 2**20:.1f}"


def main():
    fusec = sys.argv[1]
    print(f"PyTorch {torch.__version__}; MiB kept beside inputs and outputs\n")
    print("| function | type | dims | fusec | torch.compile | eager | fusec / torch.compile |")
    print("|---|---|---|---:|---:|---:|---:|")
    for name, text, function, dims, shapes in CASES:
        for dtype, of_torch in TYPES.items():
            inputs = [(0.02 * torch.randn(shape)).to(of_torch).requires_grad_() for shape in shapes(dims)]
            ours = kept_by_fusec(fusec, name, text, dims, dtype)
            theirs, eager = kept_by_compile(function, inputs), kept_by_eager(function, inputs)
            sizes = " ".join(f"{dim}={size}" for dim, size in dims.items())
            print(f"| {name} | {dtype} | {sizes} | {mib(ours)} | {mib(theirs)} | {mib(eager)} "
                  f"| {ours / theirs:.2f} |", flush=True)


if __name__ == "__main__":
    main()
