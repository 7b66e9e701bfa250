"""Norms, sums and choices of rows, and steps of optimisers."""
import math

import torch
import torch.nn.functional as F

from peers import of_gpu

bf = torch.bfloat16


def layer_norm_backward(d, x, g, mu, rstd, dy):
    z = (x.float() - mu[:, None]) * rstd[:, None]
    h = dy.float() * g
    dx = rstd[:, None] * (h - h.mean(-1, keepdim=True) - z * (h * z).mean(-1, keepdim=True))
    return dx.to(bf), (dy.float() * z).sum(0), dy.float().sum(0)


@of_gpu
def layer_norm_backward__library(d, x, g, mu, rstd, dy):
    return torch.ops.aten.native_layer_norm_backward(dy, x, [d.D], mu[:, None], rstd[:, None], g, g,
                                                     [True, True, True])


def dropout_residual_norm(d, x, r, keep, g, b):
    h = r + (x * keep * (1 / 0.9)).to(bf)
    return h, F.layer_norm(h, (d.D,), g, b)


def concat_layer_norm(d, a, b, g, h):
    return F.layer_norm(torch.cat([a, b], -1), (d.A + d.B,), g, h)


def ada_norm_modulate(d, x, branch, gate, shift, scale):
    h = x + gate[:, None] * branch
    return h, F.layer_norm(h, (d.D,), eps=1e-6) * (1 + scale[:, None]) + shift[:, None]


def embedding_position_norm(d, ids, table, pos, g, b):
    return F.layer_norm(F.embedding(ids, table) + pos, (d.D,), g, b)


def embedding_norm_vjp(d, ids, table, pos, gain, b):
    return embedding_position_norm(d, ids, table, pos, gain, b)


def mean_pool_normalise(d, x, length):
    live = torch.arange(d.S, device=x.device) < length[:, None]
    return F.normalize((x.float() * live[..., None]).sum(1) / length[:, None], dim=-1)


def softmax_middle_weighted(d, x, s):
    w, x = F.softmax(s.float(), 1), x.float()
    m = (w * x).sum(1)
    return torch.cat([m, torch.sqrt(((w * x * x).sum(1) - m * m).clamp_min(1e-6))], -1)


def entropy_and_greedy(d, x):
    p = x.float().log_softmax(-1)
    return x.argmax(-1).int(), p.amax(-1), -(p.exp() * p).sum(-1)


def beam_best(d, x, score, done):
    s = (x.log_softmax(-1) + score[..., None]) / 1.5
    s = s.masked_fill(done[..., None], -math.inf).view(d.B, -1)
    return s.amax(-1), s.argmax(-1).int()


def sampler_penalty_min_p(d, x, prev, temp):
    x = x.float()
    seen = torch.zeros(d.N, d.V, device=x.device, dtype=torch.bool).scatter_(1, prev.long(), True)
    x = torch.where(seen, torch.where(x > 0, x / 1.2, x * 1.2), x) / temp[:, None]
    x = x.masked_fill(x < x.amax(-1, keepdim=True) + math.log(0.05), -math.inf)
    return (x - torch.log(-torch.log(torch.rand_like(x)))).argmax(-1).int()


def clipped_adam(d, p, g, m, v):
    g = g.float()
    g = g * torch.clamp(1.0 / (torch.sqrt((g * g).sum()) + 1e-6), max=1.0)
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g * g
    return p - 1e-3 * m / (torch.sqrt(v) + 1e-8), m, v


def adafactor_step(d, p, g, r, c):
    u = g * g + 1e-30
    r = 0.99 * r + 0.01 * u.mean(1)
    c = 0.99 * c + 0.01 * u.mean(0)
    y = g * torch.rsqrt(r / r.mean())[:, None] * torch.rsqrt(c)
    y = y / torch.clamp(torch.sqrt((y * y).mean()), min=1.0)
    return p - 1e-2 * y, r, c


# ---- quantisers -----------------------------------------------------------------------------------

def norm_group_f8(d, x, gain):
    x = x.float()
    h = (x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6) * gain).view(d.N, d.D // 128, 128)
    s = h.abs().amax(-1).clamp(min=1e-10) / 448
    return (h / s[:, :, None]).view(d.N, d.D).to(torch.float8_e4m3fn), s


def nf4_blocks(d, w, mid):
    b = w.view(-1, 64)
    absmax = b.abs().amax(-1)
    z = b / absmax.clamp(min=1e-12)[:, None]
    pair = (z[:, :, None] > mid).sum(-1, dtype=torch.int32).view(-1, 2)
    return (pair[:, 0] * 16 + pair[:, 1]).to(torch.uint8), absmax


def hadamard_int8(d, x):
    h = x.float()
    for width in (8, 4, 2, 1):
        a = h.view(d.N, -1, 2, width)
        h = torch.cat([a[:, :, 0] + a[:, :, 1], a[:, :, 0] - a[:, :, 1]], -1).view(d.N, 16)
    h = h * 0.25
    scale = h.abs().amax(-1) / 127
    return torch.round(h / scale.clamp(min=1e-12)[:, None]).to(torch.int8), scale
