#!/usr/bin/env python3
"""Makes gradients.txt beside this file: derivatives of the models of gradients.fx by PyTorch's autograd,
in double precision. Needs PyTorch; the file is kept, so that test_grad.c, which compares, needs nothing.

    python3 tests/reference/make_gradients.py

Element i of input number t is (37 i + 11 t) mod 61 / 32 - 0.9375, of integers (7 i + t) mod 3; cotangents
of outputs are numbered behind the inputs. A line of the file is the name of a model and the sizes of
its dims, or the cotangent of an input: its name, the number of its elements, and they.
"""
import math
import pathlib

import torch
from torch.nn import functional as F

HERE = pathlib.Path(__file__).resolve().parent


def attention(q, k, v, score=lambda s: s, keep=None):
    s = score(q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1]))
    if keep is not None:
        s = s.masked_fill(~keep, -math.inf)
    return s.softmax(-1) @ v


def age(size):
    position = torch.arange(size)
    return position[:, None] - position


def rms(x, gain):
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6) * gain


def swiglu(x, gate, up, down):
    return (F.silu(x @ gate.T) * (x @ up.T)) @ down.T


def geglu(x, w, b):
    v, g = (x @ w.T + b).chunk(2, -1)
    return v * F.gelu(g)


def batch_norm(x, gain, bias):
    return (x - x.mean(0)) * torch.rsqrt(x.var(0, unbiased=False) + 1e-5) * gain + bias


def conv(x, w):
    return F.conv1d(x.T[None], w[:, None], padding=1, groups=4)[0].T


def reductions(x):
    y = x.logsumexp(-1) * x.amax(-1) + torch.sqrt(x.var(-1, unbiased=False) + 0.25)
    return y, x.amin(0), x.prod(-1)


def products(x):
    row, column = torch.arange(x.shape[0])[:, None], torch.arange(x.shape[1])
    is_zero = (row == 1) & (column == 2) | (row == 2) & (column % 2 == 1)
    return (x - torch.where(is_zero, x, 0).detach()).cumprod(1) + (x + 1).flip(0).cumprod(0)


def divergence(a, b):
    p = a.log_softmax(-1)
    return (p.exp() * (p - b.log_softmax(-1))).sum(-1)


def elementwise(a, b):
    return (F.softplus(a) ** b.sigmoid() + torch.atan2(a, 2 + b) * b.erf() -
            a.expm1() / (1 + b.cosh()) + torch.maximum(a, 2 * b))


def capped(q, k, v, cap):
    return attention(q, k, v, lambda s: (cap + 2) * torch.tanh(s / (cap + 2)), age(len(q)) >= 0)


def alibi(q, k, v, slope):
    ages = age(q.shape[-2])
    return attention(q, k, v, lambda s: s - slope[:, None, None] * ages, ages >= 0)


def biased(q, k, v, bias):
    s = q @ k.T / math.sqrt(q.shape[-1]) + bias
    return s.softmax(-1) @ v, s.logsumexp(-1)


def block(x, g, qkv, w):
    size, d = len(x), x.shape[1] // 2
    q, k, v = (rms(x, g) @ qkv.T).reshape(size, 6, d).permute(1, 0, 2).chunk(3, 0)
    o = attention(q, k, v, keep=age(size) >= 0).permute(1, 0, 2).reshape(size, 2 * d)
    return x + o @ w.T


def hessian_product(x, t):
    energy = (x.sin() * x ** 2).sum() + x.logsumexp(0)
    slope, = torch.autograd.grad(energy, x, create_graph=True)
    return (slope * t).sum()


def uniform(seed, count):
    """random_uniform: words of Philox 4x32-10, 24 bits of each."""
    numbers = []
    for block in range((count + 3) // 4):
        x, key, low = [block, 0, 0, 0], [seed, 0], 2 ** 32 - 1
        for _ in range(10):
            a, b = 0xD2511F53 * x[0], 0xCD9E8D57 * x[2]
            x = [b >> 32 ^ x[1] ^ key[0], b & low, a >> 32 ^ x[3] ^ key[1], a & low]
            key = [key[0] + 0x9E3779B9 & low, key[1] + 0xBB67AE85 & low]
        numbers += [(word >> 8) / 2 ** 24 for word in x]
    return torch.tensor(numbers[:count], dtype=torch.float64)


def dropped(q, k, v):
    p = (q @ k.T / math.sqrt(q.shape[-1])).softmax(-1)
    return torch.where(uniform(7, p.numel()).reshape(p.shape) < 0.25, 0, p / 0.75) @ v


def adapted(w, x, y, rate):
    def error(w):
        return F.mse_loss((x @ w).tanh(), y)
    slope, = torch.autograd.grad(error(w), w, create_graph=True)
    return error(w - rate * slope)


def segments(base, dst, e, x):
    weights = torch.stack([torch.where(dst == v, e, -math.inf) for v in range(len(base))]).softmax(1)
    return base + weights @ x


# name: sizes of the dims, inputs as (name, shape), the function
MODELS = {
    "linear": ((3, 4, 2), "x 3 4; w 2 4; b 2", lambda x, w, b: x @ w.T + b),
    "mlp": ((3, 2), "x 3 2; up 4 2; down 2 4", lambda x, u, d: F.gelu(x @ u.T) @ d.T),
    "mlp_tanh": ((3, 2), "x 3 2; up 4 2; down 2 4",
                 lambda x, u, d: F.gelu(x @ u.T, approximate="tanh") @ d.T),
    "geglu": ((3, 2), "x 3 2; w 8 2; b 8", geglu),
    "swiglu": ((3, 2), "x 3 2; gate 4 2; up 4 2; down 2 4", swiglu),
    "lora": ((3, 4, 2), "x 3 4; w 4 4; a 2 4; b 4 2",
             lambda x, w, a, b: x @ w.T + (x @ a.T) @ b.T),
    "softmax_rows": ((3, 5), "x 3 5", lambda x: (3 * x).softmax(-1)),
    "softmax_columns": ((3, 5), "x 3 5", lambda x: x.log_softmax(0)),
    "losses": ((4, 3), "x 4 3; k 4 int", lambda x, k: F.cross_entropy(x, k)),
    "norm": ((3, 5), "x 3 5; gain 5; bias 5", lambda x, g, b: F.layer_norm(x, (5,), g, b, 1e-5)),
    "rms": ((3, 5), "x 3 5; gain 5", rms),
    "batch_norm": ((4, 3), "x 4 3; gain 3; bias 3", batch_norm),
    "conv": ((5,), "x 5 4; w 4 3", conv),
    "bilinear": ((2, 3), "x 2 3; w 3 2 3; z 2 3",
                 lambda x, w, z: torch.einsum("ab,bcd,ed->ae", x, w, z)),
    "reductions": ((3, 4), "x 3 4", reductions),
    "sums": ((3, 4), "x 3 4", lambda x: x.tanh().cumsum(0) * x.flip(1)),
    "running": ((3, 4), "x 3 4", lambda x: (x * x).cummax(1)[0] * x.sin() + x.flip(0).cummin(0)[0]),
    "products": ((3, 4), "x 3 4", products),
    "huber": ((6,), "a 6; b 6", lambda a, b: F.huber_loss(a, b, delta=0.5)),
    "divergence": ((3, 4), "a 3 4; b 3 4", divergence),
    "elementwise": ((9,), "a 9; b 9", elementwise),
    "causal": ((5, 2), "q 5 2; k 5 2; v 5 2",
               lambda q, k, v: attention(q, k, v, keep=age(5) >= 0)),
    "windowed": ((5, 2), "q 5 2; k 5 2; v 5 2",
                 lambda q, k, v: attention(q, k, v, keep=(age(5) >= 0) & (age(5) < 2))),
    "capped": ((5, 2), "q 5 2; k 5 2; v 5 2; cap", capped),
    "alibi": ((2, 4, 2), "q 2 4 2; k 2 4 2; v 2 4 2; slope 2", alibi),
    "grouped": ((2, 4, 2), "q 2 2 4 2; k 2 4 2; v 2 4 2", attention),
    "biased": ((4, 2), "q 4 2; k 4 2; v 4 2; bias 4 4", biased),
    "block": ((4, 2), "x 4 4; g 4; qkv 12 4; w 4 4", block),
    "embedded": ((4, 3, 2), "k 4 int; table 3 2", lambda k, table: table[k].tanh()),
    "hessian_product": ((5,), "x 5; t 5", hessian_product),
    "dropped": ((5, 2), "q 5 2; k 5 2; v 5 2", dropped),
    "adapted": ((4, 3), "w 3; x 4 3; y 4; rate", adapted),
    "segments": ((3, 7), "base 3 2; dst 7 int; e 7; x 7 2", segments),
}


def tensor(number, shape, integer=False):
    i = torch.arange(math.prod(shape), dtype=torch.int64).reshape(shape)
    if integer:
        return (7 * i + number) % 3
    return ((37 * i + 11 * number) % 61).double() / 32 - 0.9375


def gradients(sizes, inputs, function):
    """Lines for the cotangents of the inputs."""
    names, tensors = [], []
    for number, text in enumerate(inputs.split(";")):
        name, *shape = text.split()
        integer = shape[-1:] == ["int"]
        names.append(name)
        tensors.append(tensor(number, [int(n) for n in shape if n != "int"], integer))
        tensors[-1].requires_grad_(not integer)
    outputs = function(*tensors)
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    total = sum((y * tensor(len(names) + i, y.shape)).sum() for i, y in enumerate(outputs))
    total.backward()
    for name, x in zip(names, tensors):
        if x.requires_grad:
            yield " ".join([name, str(x.numel()), *(f"{v:.12g}" for v in x.grad.flatten())])


def main():
    with open(HERE / "gradients.txt", "w") as out:
        for name, (sizes, inputs, function) in MODELS.items():
            print("model", name, *sizes, file=out)
            for line in gradients(sizes, inputs, function):
                print(line, file=out)


if __name__ == "__main__":
    main()
