#!/usr/bin/env python3
"""A whole GPT-2, as text of one function with an input for each weight: 12 layers have 149 inputs, 48
layers 581. It compiles for C and CUDA within the default limits, and each layer adds the same kernels.
As many inputs as the limit are accepted, one more is an error.

    python3 tests/gpt2.py FUSEC [--print LAYERS]
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
WEIGHTS = ("g1: f32[D]", "b1: f32[D]", "wqkv: bf16[3*D, D]", "bqkv: bf16[3*D]", "wo: bf16[D, D]",
           "bo: bf16[D]", "g2: f32[D]", "b2: f32[D]", "wu: bf16[4*D, D]", "bu: bf16[4*D]",
           "wd: bf16[D, 4*D]", "bd: bf16[D]")
BLOCK = f"""fn block[B, S, D](x: bf16[B, S, D], {", ".join(WEIGHTS)}) -> (y: bf16[B, S, D]) {{
    n1 = layer_norm(x, g1, b1) as bf16;
    q, k, v = split((n1 @ wqkv.T + bqkv) as bf16, 3);
    qh = permute(reshape(q, B, S, D / 64, 64), 0, 2, 1, 3);
    kh = permute(reshape(k, B, S, D / 64, 64), 0, 2, 1, 3);
    vh = permute(reshape(v, B, S, D / 64, 64), 0, 2, 1, 3);
    i = iota(S);
    scores = where(i[:, None] >= i, qh @ kh.T * 0.125, -inf);
    a = (softmax(scores) as bf16) @ vh;
    o = reshape(permute(a, 0, 2, 1, 3), B, S, D) as bf16;
    r = (x + (o @ wo.T + bo)) as bf16;
    n2 = layer_norm(r, g2, b2) as bf16;
    h = gelu_tanh(n2 @ wu.T + bu) as bf16;
    y = r + (h @ wd.T + bd);
}}
"""


def gpt2(layers):
    inputs = ["ids: i32[B, S]", "wte: bf16[V, D]", "wpe: bf16[C, D]"]
    body = ["x0 = (take(wte, ids, axis = 0) + wpe[:S]) as bf16;"]
    for i in range(layers):
        inputs += [f"h{i}_{weight}" for weight in WEIGHTS]
        names = ", ".join(f"h{i}_{weight.split(':')[0]}" for weight in WEIGHTS)
        body.append(f"x{i + 1} = block(x{i}, {names});")
    inputs += ["gf: f32[D]", "bf: f32[D]"]
    body += [f"n = layer_norm(x{layers}[:, -1], gf, bf) as bf16;", "logits = n @ wte.T;"]
    lines = "\n    ".join(["assert S <= C;", *body])
    return (f"{BLOCK}\nfn gpt2[B, S, C, D, V]({', '.join(inputs)}) -> (logits: f32[B, V]) {{\n"
            f"    {lines}\n}}\n")


def sum_of(count):
    names = [f"x{i}" for i in range(count)]
    inputs = ", ".join(f"{name}: f32[N]" for name in names)
    return f"fn f[N]({inputs}) -> (y: f32[N]) {{ y = {' + '.join(names[:3])}; " + \
        "".join(f"_ = {name}; " for name in names[3:]) + "}\n"


def compile_model(fusec, text, *flags):
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder, "model.fx")
        model.write_text(text)
        return subprocess.run([fusec, model, "-Werror", "-o", "-", *flags], capture_output=True,
                              text=True)


def kernels(fusec, layers, target):
    """Kernels of the plan, by which the source was made, too."""
    for flags in ([f"--target={target}"], [f"--target={target}", "--emit=plan", "--json"]):
        result = compile_model(fusec, gpt2(layers), *flags)
        if result.returncode:
            raise SystemExit(f"FAIL {layers} layers, {target}: {result.stderr}")
    return len(json.loads(result.stdout)["functions"][0]["kernels"])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fusec")
    parser.add_argument("--print", type=int, metavar="LAYERS")
    options = parser.parse_args()
    if options.print:
        print(gpt2(options.print), end="")
        return
    fusec, failed = pathlib.Path(options.fusec).resolve(), []
    for target in "c", "cuda":
        some, more, most = (kernels(fusec, layers, target) for layers in (2, 12, 48))
        if (more - some) * 36 != (most - more) * 10:
            failed.append(f"{target}: {some}, {more} and {most} kernels of 2, 12 and 48 layers")
    limits = (ROOT / "src/base/limits.def").read_text()
    limit = int(re.search(r"LIMIT\(arguments, *(\d+)", limits)[1])
    for count, ok in ((limit, True), (limit + 1, False)):
        result = compile_model(fusec, sum_of(count))
        if ok != (result.returncode == 0) or ok == ("more inputs than" in result.stderr):
            failed.append(f"{count} inputs: exit status {result.returncode}: {result.stderr[:500]}")
    for message in failed:
        print(f"FAIL {message}")
    print(f"{4 - len(failed)} passed, {len(failed)} failed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
