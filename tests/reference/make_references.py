#!/usr/bin/env python3
"""Makes X.in.safetensors and X.out.safetensors beside this file, for each example X: what NumPy,
in double precision, says the example means. Needs NumPy; the files are kept, so that checking them
(check_references.py) needs nothing. Inputs are first rounded to their declared types; between input
and output the only rounding is where the example says `as bf16`.

    python3 tests/reference/make_references.py [NAME..]
"""
import math
import pathlib
import re
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import safetensors  # noqa: E402

erf = np.vectorize(math.erf)


def bf16(x):
    """Rounded to bf16, ties to even, by the bits of the double: 7 of its 52 fraction bits stay."""
    bits = np.asarray(x, np.float64).view(np.uint64)
    half = np.uint64((1 << 44) - 1) + (bits >> np.uint64(45) & np.uint64(1))
    return np.where(np.isfinite(x), (bits + half & ~np.uint64((1 << 45) - 1)).view(np.float64), x)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gelu(x):
    return x * (1 + erf(x / math.sqrt(2))) / 2


def gelu_tanh(x):
    return x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) / 2


def logsumexp(x):
    top = np.max(x, axis=-1, keepdims=True)
    shift = np.where(np.isinf(top), 0, top)
    return (np.log(np.sum(np.exp(x - shift), axis=-1, keepdims=True)) + shift)[..., 0]


def softmax(x):
    """A row of -inf gives zeros."""
    log_total = logsumexp(x)[..., None]
    return np.where(np.isneginf(log_total), 0, np.exp(x - log_total))


def causal(scores):
    size = scores.shape[-1]
    return np.where(np.tril(np.ones((size, size), bool)), scores, -np.inf)


def normalised(x):
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)


REFERENCES = {}  # name -> (inputs, outputs, function)


def reference(outputs, **inputs):
    """Registers a function as what the example of its name computes.

    outputs: "name:type name:type"; inputs: name="type[shape] low..high", the range [-1, 1) when
    none is given. The function gets arrays of random numbers, may put special values into them
    (exact in their type: the inputs are written after the call), and gives the outputs in order.
    """
    def add(compute):
        REFERENCES[compute.__name__.rstrip("_")] = inputs, outputs.split(), compute
        return compute
    return add


@reference("y:f32", x="f32[6, 37] -9..9")
def softmax_(x):
    x[1] = -np.inf
    x[2, 5] = -np.inf
    x[3, 7] = np.nan
    x[4, :] = 80
    return softmax(x)


@reference("y:bf16", x="bf16[5, 65]", gain="f32[65]", bias="f32[65]")
def layer_norm(x, gain, bias):
    x[1] *= 8
    x[2, 3] = np.nan
    x[3] = 0.25  # no variance
    return normalised(x) * gain + bias


@reference("y:bf16", x="bf16[5, 67]", gain="bf16[67]")
def rms_norm(x, gain):
    x[1] *= 64
    x[2, 9] = np.nan
    x[3] = 0
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-6) * gain


@reference("y:bf16", x="bf16[7, 12]", up="bf16[48, 12]", b="bf16[48]",
           down="bf16[12, 48]", c="bf16[12]")
def gelu_mlp(x, up, b, down, c):
    return bf16(gelu_tanh(x @ up.T + b)) @ down.T + c


@reference("y:bf16", x="bf16[9, 10]", w="bf16[80, 10]", b="bf16[80]")
def geglu(x, w, b):
    v, g = np.split(x @ w.T + b, 2, axis=-1)
    return v * gelu(g)


@reference("y:bf16", x="bf16[9, 13]", gate="bf16[21, 13]", up="bf16[21, 13]")
def swiglu(x, gate, up):
    a = x @ gate.T
    return a * sigmoid(a) * (x @ up.T)


def attend(scores, values):
    """softmax(scores) as bf16 @ values: weights are rounded relative to a power of 2, divided last."""
    scores = scores / math.log(2)
    weights = 2 ** (scores - np.ceil(scores.max(axis=-1, keepdims=True)))
    return bf16(weights) @ values / weights.sum(axis=-1, keepdims=True)


@reference("o:bf16", q="bf16[2, 3, 19, 8]", k="bf16[2, 3, 19, 8]", v="bf16[2, 3, 19, 8]")
def attention(q, k, v):
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    return attend(causal(scores), v)


@reference("o:bf16", q="bf16[2, 11, 2, 3, 6]", k="bf16[2, 11, 2, 6]", v="bf16[2, 11, 2, 6]")
def grouped_query_attention(q, k, v):
    heads = q.transpose(0, 2, 3, 1, 4)  # batch, group, head, position, dim
    keys, values = (t.transpose(0, 2, 1, 3)[:, :, None] for t in (k, v))
    scores = heads @ keys.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    return attend(causal(scores), values).transpose(0, 3, 1, 2, 4)


@reference("loss:f32", logits="bf16[6, 101] -5..5", labels="i32[6] 0..101")
def cross_entropy(logits, labels):
    labels[:2] = 0, 100
    logits[1, :50] = -np.inf
    logits[3, 50] = np.nan
    return logsumexp(logits) - logits[np.arange(len(labels)), labels]


@reference("loss:f32", x="bf16[6, 5] -3..3", w="bf16[2100, 5]", labels="i32[6] 0..2100")
def linear_cross_entropy(x, w, labels):
    labels[:2] = 0, 2099
    x[3, 1] = np.nan
    logits = x @ w.T
    return logsumexp(logits) - logits[np.arange(len(labels)), labels]


@reference("y:bf16 h:bf16", x="bf16[7, 40]", w="bf16[40, 40]", r="bf16[7, 40] -5..5",
           gain="f32[40]", bias="f32[40]")
def projection_norm(x, w, r, gain, bias):
    h = r + x @ w.T
    return normalised(h) * gain + bias, h


@reference("y:bf16", x="bf16[2, 2, 40, 12]")
def rope(x):
    size = x.shape[-1]
    angle = np.arange(x.shape[-2])[:, None] * 10000.0 ** (-2 * np.arange(size // 2) / size)
    pairs = x[..., :size // 2] + 1j * x[..., size // 2:]
    turned = pairs * np.exp(1j * angle)
    return np.concatenate([turned.real, turned.imag], axis=-1)


@reference("y:bf16", q="i8[7, 45] -128..128", scale="f32[7] 0..0.1")
def int8_dequantise(q, scale):
    return q * scale[:, None]


@reference("q:f8e4m3 scale:f32", x="bf16[7, 33] -5..5")
def fp8_quantise(x):
    x[2] = 0
    x[3] /= 4096
    scale = np.abs(x).max(-1) / 448
    return x / np.where(scale == 0, 1, scale)[:, None], scale


ADAMW = {"wte": "[9, 5]", "up": "[20, 5]", "down": "[5, 20]"}


@reference(" ".join(f"{name}{part}_next:f32" for name in ADAMW for part in ("", "_m", "_v")),
           **{name + part: spec.format(shape) for name, shape in ADAMW.items()
              for part, spec in (("", "f32{}"), ("_g", "bf16{}"), ("_m", "f32{}"),
                                 ("_v", "f32{} 0..0.1"))},
           lr="f32 0.001..0.002", step="i32 3..4")
def adamw(lr, step, **tensors):
    beta1, beta2, eps, decay = 0.9, 0.95, 1e-8, 0.1
    for name in ADAMW:
        p, g, m, v = (tensors[name + part] for part in ("", "_g", "_m", "_v"))
        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g**2
        change = m / (1 - beta1**step) / (np.sqrt(v / (1 - beta2**step)) + eps)
        yield from (p - lr * (change + decay * p), m, v)


@reference("call:f32 put:f32", spot="f32[211] 20..180", strike="f32[211] 20..180",
           years="f32[211] 0.1..3", volatility="f32[211] 0.05..0.6",
           rate="f32 0.01..0.05")
def black_scholes(spot, strike, years, volatility, rate):
    def cdf(x):
        return erf(x / math.sqrt(2)) / 2 + 0.5
    d1 = np.log(spot / strike) + (rate + volatility**2 / 2) * years
    d1 /= volatility * np.sqrt(years)
    d2 = d1 - volatility * np.sqrt(years)
    discounted = strike * np.exp(-rate * years)
    return spot * cdf(d1) - discounted * cdf(d2), discounted * cdf(-d2) - spot * cdf(-d1)


@reference("y:f32", x="f32[7, 53] -20..20")
def log_sum_exp(x):
    x[1] = -np.inf
    x[2, 50] = np.nan
    x[3] *= 16
    x[4, 3] = np.inf
    y = logsumexp(x)
    y[4] = np.inf
    return y


@reference("y:f32", x="f32[2, 5, 7, 3]", mean="f32[5]", variance="f32[5] 0.1..2",
           gain="f32[5]", bias="f32[5]")
def batch_norm(x, mean, variance, gain, bias):
    x[0, 1, 2, 1] = np.nan
    mean, deviation, gain, bias = (v[:, None, None] for v in
                                   (mean, np.sqrt(variance + 1e-5), gain, bias))
    return np.maximum((x - mean) / deviation * gain + bias, 0)


@reference("x:bf16", tokens="i32[2, 9] 0..17", wte="bf16[17, 12]", wpe="bf16[13, 12]")
def embedding(tokens, wte, wpe):
    return wte[tokens] + wpe[:tokens.shape[1]]


@reference("y:f32", logits="f32[5, 41] -3..3", p="f32 0.7..0.8")
def nucleus(logits, p):
    logits.sort()
    logits[:] = logits[:, ::-1]
    probs = softmax(logits)
    kept = np.where(np.cumsum(probs, axis=-1) - probs < p, probs, 0)
    return kept / kept.sum(-1, keepdims=True)


@reference("loss:f32", student="bf16[5, 71] -4..4", teacher="bf16[5, 71] -4..4")
def kl_divergence(student, teacher):
    log_p, log_q = (x - logsumexp(x)[:, None] for x in (teacher, student))
    return (np.exp(log_p) * (log_p - log_q)).sum(-1)


@reference("y:f32 mean:f32 deviation:f32", x="f32[61, 11] -3..5")
def standardise(x):
    deviation = np.sqrt(x.var(0) + 1e-12)
    return (x - x.mean(0)) / deviation, x.mean(0), deviation


@reference("loss:f32", prediction="f32[1013]", target="f32[1013]")
def huber_loss(prediction, target):
    e = np.abs(prediction - target)
    return np.mean(np.where(e <= 0.5, e**2 / 2, 0.5 * (e - 0.25)))


@reference("correct:i32", logits="bf16[151, 3]", labels="i32[151] 0..3")
def accuracy(logits, labels):
    logits[:9] = 0.5  # ties: the first wins
    logits[9, 1:] = np.nan  # the first NaN wins
    best = np.argmax(np.where(np.isnan(logits), np.inf, logits), -1)
    return np.sum(best == labels)


@reference("next:f32", t="f32[19, 23] 0..100", rate="f32 0.1..0.25")
def heat(t, rate):
    out = -4 * t
    out[1:] += t[:-1]
    out[:-1] += t[1:]
    out[:, 1:] += t[:, :-1]
    out[:, :-1] += t[:, 1:]
    return t + rate * out


@reference("acceleration:f64", position="f64[29, 3]", mass="f64[29] 0.1..1")
def n_body(position, mass):
    out = np.zeros_like(position)
    for i, at in enumerate(position):
        for other, weight in zip(position, mass):
            d = other - at
            out[i] += weight * d / (d @ d + 0.01)**1.5
    return out


def draw(random, spec):
    """Values of "type[shape] low..high", exact in the type, as NumPy doubles or integers."""
    dtype, shape, low, high = re.fullmatch(
        r"(\w+)(?:\[(.*?)\])?(?: (\S+)\.\.(\S+))?", spec).groups()
    shape = [int(size) for size in shape.split(",")] if shape else []
    if dtype not in safetensors.FLOATS:
        return dtype, random.integers(int(low), int(high), shape)
    values = random.uniform(float(low or -1), float(high or 1), shape)
    exact = [safetensors.nearest(dtype, float(x)) for x in values.flat]
    return dtype, np.array(exact, np.float64).reshape(shape)


def make(name):
    specs, outputs, compute = REFERENCES[name]
    random = np.random.default_rng(sum(name.encode()))
    types, inputs = {}, {}
    for key, spec in specs.items():
        types[key], inputs[key] = draw(random, spec)
    with np.errstate(all="ignore"):
        results = compute(**inputs)
    results = [results] if isinstance(results, (np.ndarray, np.generic)) else list(results)
    write(f"{name}.in", {key: (types[key], value) for key, value in inputs.items()})
    write(f"{name}.out", {key.split(":")[0]: (key.split(":")[1], value)
                          for key, value in zip(outputs, results, strict=True)})


def write(stem, tensors):
    safetensors.write(HERE / f"{stem}.safetensors",
                      {name: (dtype, np.shape(value), np.ravel(value).tolist())
                       for name, (dtype, value) in tensors.items()})


if __name__ == "__main__":
    for wanted in sys.argv[1:] or REFERENCES:
        make(wanted)
