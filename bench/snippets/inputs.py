"""Inputs and outputs of a model as fusec prints them, and random tensors for the inputs."""
import math
import pathlib
import re
import subprocess
import sys

import torch

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("bench", "bench/gpu", "tests")]
import safetensors  # noqa: E402
from random_shapes import size_of, torch_type  # noqa: E402


class Signature:
    """inputs, outputs: [(name, type, shape)]."""
    def __init__(self, fusec, case, dims):
        self.dims, self.text, self.formulas = dims, case.text, case.ranges
        run = subprocess.run([fusec, case.path, "--emit=graph", *case.options(dims)], capture_output=True,
                             text=True)
        if run.returncode:
            raise RuntimeError(run.stderr)
        lowered = run.stdout.split("// after defer")[0].split("\nfn ")[-1]
        typed = r" : (\w+)(?:\[(.*)\])?$"
        self.inputs = [(name, dtype, self.shape(shape)) for name, dtype, shape in re.findall(
            rf"= input (\w+){typed}", lowered, re.M)]
        nodes = {node: (dtype, self.shape(shape)) for node, dtype, shape in re.findall(
            rf"^  (%\d+) = .*{typed}", lowered, re.M)}
        self.outputs = [(name, *nodes[node]) for name, node in re.findall(r"^  (\w+) = (%\d+)$", lowered, re.M)]

    def number(self, text):
        """A number, or a formula of dims."""
        return float(text) if "." in text else int(eval(text.replace("/", "//"), {}, dict(self.dims)))

    def shape(self, text):
        return [self.number(n) for n in text.split(",")] if text else []

    def names(self):
        return [name for name, _, _ in self.inputs]

    def bytes(self):
        return sum(size_of(dtype, shape) for _, dtype, shape in self.inputs + self.outputs)

    def bounds(self, text):
        """name -> (from, below), of a text as `at 0..V, x 0.5..2`."""
        return {name: (self.number(low), self.number(high))
                for name, low, high in re.findall(r"(\w+) ([^ ,]+)\.\.([^ ,]+)", text)}

    def ranges(self):
        """As options of fusec, which has those of the model's comments itself."""
        return [f"--range={name}={low}..{high}" for name, (low, high) in self.bounds(self.formulas).items()]

    def tensors(self, device, generator):
        ranges, tensors = self.bounds(", ".join([*re.findall("// inputs: (.*)", self.text), self.formulas])), []
        for name, dtype, shape in self.inputs:
            kind = torch_type(torch, dtype)
            if dtype == "bool":
                tensors.append(torch.rand(shape, device=device, generator=generator) < 0.9)
            elif kind.is_floating_point:
                low, high = ranges.get(name, (-1, 1))
                x = torch.empty(shape, device=device).uniform_(float(low), float(high), generator=generator)
                tensors.append(x.to(kind))
            else:
                low, high = ranges.get(name, (-128, 128) if dtype == "i8" else (0, 10))
                tensors.append(torch.randint(int(low), int(high), shape, device=device, dtype=kind,
                                             generator=generator))
        return tensors


def read(path):
    """name -> tensor of a .safetensors file."""
    return {name: torch.frombuffer(bytearray(data), dtype=torch_type(torch, dtype)).reshape(shape)
            for name, (dtype, shape, data) in safetensors.read_bytes(path).items()}


def sets_of(signature, device, cache, most):
    """Sets of inputs; with their results, twice what the cache holds."""
    generator = torch.Generator(device)
    count = max(1, min(most, math.ceil(2 * cache / signature.bytes())))
    return [signature.tensors(device, generator.manual_seed(i)) for i in range(count)]
