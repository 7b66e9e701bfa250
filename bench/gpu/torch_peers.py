#!/usr/bin/env python3
"""Times what PyTorch makes of the workloads: eager, torch.compile with max-autotune, and for
attention each backend of scaled_dot_product_attention. Prints a line of JSON for each result.

    python3 bench/gpu/torch_peers.py DEVICE SECONDS [--peers REGEX] [NAME..]

DEVICE is cuda or cpu; the CPU gets the small sizes. No new measurement is begun after SECONDS.
--peers: those whose names have a match, as "^(?!torch.compile)", which takes most of the time. As
`fusec bench` does: random data, sets of buffers that make twice the last-level cache in turn, short
launches timed several at a time, the median.
"""
import argparse
import itertools
import json
import pathlib
import re
import statistics
import sys
import time

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent)]
from torch_blocks import gpt2_block, llama_block, llama_block_qk_norm  # noqa: E402, F401
from workloads import WORKLOADS  # noqa: E402

WARM_SECONDS, BATCH_SECONDS, ROUND_SECONDS, ROUNDS = 0.2, 2e-3, 0.3, 200


# ---- the work: (inputs, function) ---------------------------------------------------------------

class Maker:
    def __init__(self, device):
        self.device = device

    def tensor(self, dtype, *shape):
        return torch.empty(shape, device=self.device).uniform_(-1, 1).to(dtype)

    def bf16(self, *shape):
        return self.tensor(torch.bfloat16, *shape)

    def f32(self, *shape):
        return self.tensor(torch.float32, *shape)


def add(make, N):
    return [make.f32(N), make.f32(N)], torch.add


def gelu(make, N):
    return [make.bf16(N)], F.gelu


def softmax_f32(make, N, D):
    return [make.f32(N, D)], lambda x: F.softmax(x, -1)


def softmax_bf16(make, N, D):
    return [make.bf16(N, D)], lambda x: F.softmax(x, -1)


def log_softmax_bf16(make, N, D):
    return [make.bf16(N, D)], lambda x: F.log_softmax(x, -1)


def argmax(make, N, D):
    return [make.bf16(N, D)], lambda x: x.argmax(-1)


def histogram(make, N):
    x = torch.randint(0, 256, (N,), device=make.device, dtype=torch.uint8)
    return [x], lambda x: torch.histc(x.float(), 256, 0, 256)


def confusion_matrix(make, N):
    def count(a, b):
        return torch.zeros(10000, dtype=torch.int32, device=a.device).index_add_(
            0, a * 100 + b, torch.ones_like(a))
    return [torch.randint(100, (N,), device=make.device, dtype=torch.int32) for _ in "ab"], count


def segment_mean(make, N, D, S):
    def mean(x, segment):
        count = torch.bincount(segment, minlength=S).clamp_min(1)
        return torch.zeros(S, D, device=x.device).index_add_(0, segment, x) / count[:, None]
    return [make.f32(N, D), torch.randint(S, (N,), device=make.device)], mean


def batch_statistics(make, N, C, H, W):
    def forward(x):
        variance, mean = torch.var_mean(x.float(), (0, 2, 3), correction=0)
        return mean, variance
    return [make.bf16(N, C, H, W)], forward


def group_norm(make, N, C, H, W, G):
    return ([make.bf16(N, C, H, W), make.bf16(C), make.bf16(C)],
            lambda x, gain, bias: F.group_norm(x, G, gain, bias, 1e-5))


def rms_norm(make, N, D):
    return [make.bf16(N, D), make.bf16(D)], lambda x, gain: F.rms_norm(x, x.shape[-1:], gain, 1e-6)


def layer_norm(make, N, D):
    return ([make.bf16(N, D), make.bf16(D), make.bf16(D)],
            lambda x, gain, bias: F.layer_norm(x, x.shape[-1:], gain, bias, 1e-5))


def cross_entropy(make, N, V):
    labels = torch.randint(V, (N,), device=make.device)
    return [make.bf16(N, V), labels], lambda x, y: F.cross_entropy(x.float(), y, reduction="none")


def column_sum_f32(make, M, N):
    return [make.f32(M, N)], lambda x: x.sum(0)


def column_sum_bf16(make, M, N):
    return [make.bf16(M, N)], lambda x: x.sum(0, dtype=torch.float32)


def running_sums(make, N, D):
    return [make.f32(N, D)], lambda x: x.cumsum(-1)


def running_sums_bf16(make, N, D):
    return ([make.bf16(N, D)],
            lambda x: (x.abs().cumsum(-1, dtype=torch.float32) / D).to(x.dtype))


def running_sums_down(make, B, N, D):
    return [make.f32(B, N, D)], lambda x: x.cumsum(1)


def transpose_bf16(make, M, N):
    return [make.bf16(M, N)], lambda x: x.T.contiguous()


def transpose_f32(make, M, N):
    return [make.f32(M, N)], lambda x: x.T.contiguous()


def transpose_add(make, B, M, N):
    return ([make.bf16(B, M, N), make.bf16(B, N, M)],
            lambda x, z: (F.gelu(x.mT) + z).contiguous())


def permute_heads(make, B, S, H, D):
    return [make.bf16(B, S, H, D)], lambda x: x.permute(0, 2, 3, 1).contiguous()


def upsample(make, N, C, H, W):
    return [make.f32(N, C, H, W)], lambda x: F.interpolate(x, scale_factor=2, mode="bilinear")


def max_pool(make, N, C, H, W):
    return [make.bf16(N, C, H, W)], lambda x: F.max_pool2d(x, 3, 2, 1)


def blur(make, N, H, W):
    def forward(x):
        p = F.pad(x, (2, 2, 2, 2))
        v = (p[:, :-4] + p[:, 4:] + 4 * (p[:, 1:-3] + p[:, 3:-1]) + 6 * p[:, 2:-2]) / 16
        return (v[..., :-4] + v[..., 4:] + 4 * (v[..., 1:-3] + v[..., 3:-1]) + 6 * v[..., 2:-2]) / 16
    return [make.f32(N, H, W)], forward


def matmul_bf16(make, M, N, K):
    return [make.bf16(M, K), make.bf16(N, K)], lambda a, b: a @ b.T


def matmul_f32(make, M, N, K):
    return [make.f32(M, K), make.f32(N, K)], lambda a, b: a @ b.T


def matmul_f16(make, M, N, K):
    return ([make.tensor(torch.float16, M, K), make.tensor(torch.float16, N, K)],
            lambda a, b: a @ b.T)


def matmul_softmax(make, M, N, K):
    return ([make.bf16(M, K), make.bf16(N, K)],
            lambda x, w: F.softmax((x @ w.T).float(), -1).to(x.dtype))


def matmul_w8(make, M, N, K):
    w = torch.randint(-128, 128, (N, K), device=make.device, dtype=torch.int8)
    return ([make.bf16(M, K), w, make.f32(N)],
            lambda x, w, scale: x @ (w.float() * scale[:, None]).to(x.dtype).T)


def matmul_w4(make, M, N, K):
    w = torch.randint(0, 256, (N, K // 2), device=make.device, dtype=torch.uint8)

    def forward(x, w, scale):
        pairs = torch.stack(((w & 15).float() - 8, (w >> 4).float() - 8), -1)
        groups = pairs.reshape(N, K // 128, 128) * scale[:, :, None]
        return x @ groups.reshape(N, K).to(x.dtype).T
    return [make.bf16(M, K), w, make.f32(N, K // 128)], forward


def matmul_tf32(make, M, N, K):
    def multiply(a, b):
        torch.backends.cuda.matmul.allow_tf32 = True
        c = a @ b.T
        torch.backends.cuda.matmul.allow_tf32 = False
        return c
    return [make.f32(M, K), make.f32(N, K)], multiply


def matmul_i8(make, M, N, K):
    a, b = (torch.randint(-128, 128, (n, K), device=make.device, dtype=torch.int8) for n in (M, N))
    return [a, b], lambda a, b: torch._int_mm(a, b.T)


def matmul_f8(make, M, N, K):
    a, b = (make.tensor(torch.float8_e4m3fn, n, K) for n in (M, N))
    return ([a, b, make.f32(M, 1), make.f32(1, N)],
            lambda a, b, s, t: torch._scaled_mm(a, b.T, scale_a=s, scale_b=t,
                                                out_dtype=torch.bfloat16))


def matmul_f8_blocks(make, M, N, K):
    a, b = (make.tensor(torch.float8_e4m3fn, n, K) for n in (M, N))
    return ([a, b, make.f32(K // 128, M), make.f32(N // 128, K // 128)],
            lambda a, b, s, t: torch._scaled_mm(a, b.T, scale_a=s.T, scale_b=t.T,
                                                out_dtype=torch.bfloat16))


def matmul_batches(make, B, M, N, K):
    return [make.bf16(B, M, K), make.bf16(B, N, K)], lambda a, b: a @ b.mT


def matmul_qkv(make, M, N, K):
    return ([make.bf16(M, K), *(make.bf16(N, K) for _ in range(3))],
            lambda x, q, k, v: (x @ q.T, x @ k.T, x @ v.T))


def matmul_gelu(make, M, N, K):
    return ([make.bf16(M, K), make.bf16(N, K), make.bf16(N), make.bf16(M, N)],
            lambda x, w, b, r: F.gelu(F.linear(x, w, b)) + r)


def geglu(make, N, D):
    def forward(x, w, b):
        v, g = F.linear(x, w, b).chunk(2, -1)
        return v * F.gelu(g)
    return [make.bf16(N, D), make.bf16(8 * D, D), make.bf16(8 * D)], forward


def swiglu(make, N, D, F_):
    return ([make.bf16(N, D), make.bf16(F_, D), make.bf16(F_, D)],
            lambda x, gate, up: F.silu(x @ gate.T) * (x @ up.T))


def gelu_matmul(make, M, N, K):
    return [make.bf16(M, K), make.bf16(N, K)], lambda x, w: F.gelu(x) @ w.T


def lora(make, N, D, M, R):
    return ([make.bf16(N, D), make.bf16(M, D), make.bf16(R, D), make.bf16(M, R)],
            lambda x, w, a, b: x @ w.T + (x @ a.T) @ b.T)


def linear_cross_entropy(make, N, V, D):
    labels = torch.randint(V, (N,), device=make.device)
    return ([make.bf16(N, D), make.bf16(V, D), labels],
            lambda x, w, y: F.cross_entropy((x @ w.T).float(), y, reduction="none"))


def scores_of(q, k):
    return (q @ k.mT).float() * q.shape[-1] ** -0.5


def causal(scores):
    keeps = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()
    return scores.masked_fill(~keeps, float("-inf"))


def attending(make, shape, change):
    def forward(q, k, v):
        return F.softmax(change(scores_of(q, k)), -1).to(q.dtype) @ v
    return [make.bf16(*shape) for _ in range(3)], forward


def full_attention(make, B, H, S, D):
    return attending(make, (B, H, S, D), lambda x: x)


def causal_attention(make, B, H, S, D):
    return attending(make, (B, H, S, D), causal)


def capped_attention(make, B, H, S, D):
    return attending(make, (B, H, S, D), lambda x: causal(30 * torch.tanh(x / 30)))


def distance(scores):
    queries, keys = (torch.arange(n, device=scores.device) for n in scores.shape[-2:])
    return queries[:, None] - keys


def window_attention(make, B, H, S, D):
    def windowed(x):
        back = distance(x)
        return x.masked_fill((back < 0) | (back >= WINDOW), float("-inf"))
    return attending(make, (B, H, S, D), windowed)


def alibi_attention(make, B, H, S, D):
    def forward(q, k, v, slope):
        x = scores_of(q, k)
        return F.softmax(causal(x - slope[:, None, None] * distance(x)), -1).to(q.dtype) @ v
    return [make.bf16(B, H, S, D) for _ in range(3)] + [make.f32(H)], forward


def documents_attention(make, B, H, S, D):
    def forward(q, k, v, document):
        x = causal(scores_of(q, k))
        x = x.masked_fill(document[:, None] != document, float("-inf"))
        return F.softmax(x, -1).to(q.dtype) @ v
    document = torch.randint(8, (S,), device=make.device, dtype=torch.int32)
    return [make.bf16(B, H, S, D) for _ in range(3)] + [document], forward


def f32_attention(make, B, H, S, D):
    def forward(q, k, v):
        return F.softmax(q @ k.mT * D ** -0.5, -1) @ v
    return [make.f32(B, H, S, D) for _ in range(3)], forward


def heads_attention(make, B, S, H, D):
    def forward(q, k, v):
        x = attending(make, (1,), causal)[1](*(t.transpose(1, 2) for t in (q, k, v)))
        return x.transpose(1, 2).contiguous()
    return [make.bf16(B, S, H, D) for _ in range(3)], forward


def groups_attention(make, B, S, G, R, D):
    def forward(q, k, v):
        k, v = (t.repeat_interleave(R, 2) for t in (k, v))
        x = attending(make, (1,), causal)[1](*(t.transpose(1, 2) for t in (q, k, v)))
        return x.transpose(1, 2).contiguous()
    return [make.bf16(B, S, G * R, D), make.bf16(B, S, G, D), make.bf16(B, S, G, D)], forward


def latent_attention(make, B, H, T, R, P):
    def forward(q, q_rope, c, k_rope):
        k = torch.cat((c, k_rope), -1)
        x = (torch.cat((q, q_rope), -1) @ k.mT).float() * (R + P) ** -0.5
        return F.softmax(x, -1).to(q.dtype) @ c
    return [make.bf16(B, H, R), make.bf16(B, H, P), make.bf16(B, T, R), make.bf16(B, T, P)], forward


def split_heads(x, H):
    return x.unflatten(-1, (H, -1)).transpose(-3, -2)


def learned_attention(make, B, H, M, S, D):
    def forward(q, k, v):
        q, k, v = (split_heads(t, H) for t in (q, k, v))
        x = F.softmax((q @ k.mT).float() * D ** -0.5, -1).to(q.dtype) @ v
        return x.transpose(1, 2).flatten(2)
    return [make.bf16(M, H * D), make.bf16(B, S, H * D), make.bf16(B, S, H * D)], forward


# ---- time ---------------------------------------------------------------------------------------

class Clock:
    def __init__(self, device):
        self.gpu = device == "cuda"

    def seconds(self, run):
        if not self.gpu:
            start = time.perf_counter()
            run()
            return time.perf_counter() - start
        start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        run()
        stop.record()
        stop.synchronize()
        return 1e-3 * start.elapsed_time(stop)

    def cache(self):
        return torch.cuda.get_device_properties(0).L2_cache_size if self.gpu else 32 << 20


def measure(clock, function, sets):
    """Median and least microseconds of a call."""
    turn = itertools.cycle(sets)
    with torch.no_grad():
        for _ in range(3):
            once = clock.seconds(lambda: function(*next(turn)))
        begun = time.monotonic()
        while time.monotonic() < begun + WARM_SECONDS:  # until the clock rates are stable
            once = clock.seconds(lambda: function(*next(turn)))
        batch = max(1, min(64, int(BATCH_SECONDS / once) + 1))
        rounds = max(5, min(ROUNDS, int(ROUND_SECONDS / (once * batch))))
        times = [clock.seconds(lambda: [function(*next(turn)) for _ in range(batch)]) / batch
                 for _ in range(rounds)]
    return 1e6 * statistics.median(times), 1e6 * min(times)


def arms(workload, inputs, function):
    """(name, function) of each way that PyTorch has; attention has better ones than its formula."""
    if not workload.peer.endswith("_attention"):
        yield "torch", function
        torch._dynamo.reset()
        compiled = torch.compile(function, mode="max-autotune-no-cudagraphs", dynamic=False)
        yield "torch.compile", compiled
    if workload.peer in FLEX:
        yield "FlexAttention", flex(workload, *inputs[3:])
    yield from library_attentions(workload)


def library_attentions(workload):
    """Each backend of scaled_dot_product_attention."""
    of_rows = workload.peer in ("heads_attention", "groups_attention")
    backends = {"FlashAttention": SDPBackend.FLASH_ATTENTION, "cuDNN": SDPBackend.CUDNN_ATTENTION}
    if workload.peer == "f32_attention":
        backends = {"memory-efficient": SDPBackend.EFFICIENT_ATTENTION}
    elif not of_rows and workload.peer not in ("full_attention", "causal_attention",
                                               "learned_attention"):
        return
    is_causal = workload.peer not in ("full_attention", "f32_attention", "learned_attention")
    for name, backend in backends.items():
        def attend(q, k, v, backend=backend):
            with sdpa_kernel(backend):
                if workload.peer == "learned_attention":
                    q, k, v = (split_heads(t, workload.large["H"]) for t in (q, k, v))
                    q = q.expand(len(k), -1, -1, -1)
                    x = F.scaled_dot_product_attention(q, k, v)
                    return x.transpose(1, 2).flatten(2)
                if not of_rows:
                    return F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)
                q, k, v = (t.transpose(1, 2) for t in (q, k, v))
                return F.scaled_dot_product_attention(q, k, v, is_causal=is_causal,
                                                      enable_gqa=True).transpose(1, 2)
        yield name, attend


WINDOW = 1024
# (score, mask) of FlexAttention, of what the function reads besides queries, keys and values.
FLEX = {
    "capped_attention": lambda: (lambda x, b, h, q, k: 30 * torch.tanh(x / 30),
                                 lambda b, h, q, k: q >= k),
    "window_attention": lambda: (None, lambda b, h, q, k: (q >= k) & (q - k < WINDOW)),
    "alibi_attention": lambda slope: (lambda x, b, h, q, k: x - slope[h] * (q - k),
                                      lambda b, h, q, k: q >= k),
    "documents_attention": lambda document: (
        None, lambda b, h, q, k: (q >= k) & (document[q] == document[k])),
}


def flex(workload, *read):
    size = workload.large["S"]
    score, mask = FLEX[workload.peer](*read)
    blocks = create_block_mask(mask, None, None, size, size, "cuda")
    attend = torch.compile(flex_attention, dynamic=False)
    return lambda q, k, v, *_: attend(q, k, v, score_mod=score, block_mask=blocks)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("device", choices=("cuda", "cpu"))
    parser.add_argument("seconds", type=float)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--peers", metavar="REGEX", default="")
    o = parser.parse_intermixed_args()
    make, clock, begun = Maker(o.device), Clock(o.device), time.monotonic()
    torch.manual_seed(1)
    for workload in WORKLOADS:
        if o.names and workload.name not in o.names:
            continue
        dims = {"F_" if k == "F" else k: n for k, n in workload.dims(o.device == "cpu").items()}
        inputs, function = globals()[workload.peer](make, **dims)
        size = sum(t.numel() * t.element_size() for t in inputs)
        sets = [inputs] + [[t.clone() for t in inputs]
                           for _ in range(min(2 * clock.cache() // size, 256))]
        for name, arm in arms(workload, inputs, function):
            if time.monotonic() - begun > o.seconds:
                return
            if not re.search(o.peers, name):
                continue
            result = {"workload": workload.name, "peer": name}
            try:
                result["median_us"], result["least_us"] = measure(clock, arm, sets)
            except Exception as error:  # a backend that does not take this work
                result["error"] = f"{type(error).__name__}: {str(error).splitlines()[0][:200]}"
            print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
