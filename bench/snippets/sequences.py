"""Sequences and signals: windows, running sums, filters."""
import torch
import torch.nn.functional as F

bf, f32 = torch.bfloat16, torch.float32


def conv1d_windows_vjp(d, x, w, b):
    return F.relu(F.conv1d(x.mT, w.permute(2, 1, 0), b, padding=1).mT)


def mamba_conv_silu(d, x, w, b):
    p = F.pad(x, (0, 0, 3, 0)).float()
    return F.silu(p[:, :-3] * w[0] + p[:, 1:-2] * w[1] + p[:, 2:-1] * w[2] + p[:, 3:] * w[3] + b).to(bf)


def mamba_conv_silu__conv1d(d, x, w, b):
    return F.silu(F.conv1d(x.mT, w.T[:, None], b, padding=3, groups=d.C)[..., :d.S]).mT


def token_shift_mix(d, x, mu):
    back, x = F.pad(x, (0, 0, 1, 0))[:, :-1].float(), x.float()
    return tuple((x + (back - x) * mu[i]).to(bf) for i in range(5))


def selective_scan_chunk(d, a, b):
    s = torch.log(a).cumsum(1)
    return torch.exp(s) * (torch.exp(-s) * b).cumsum(1)


def nerf_composite(d, sigma, delta, rgb):
    x = sigma * delta
    w = torch.exp(-(x.cumsum(-1) - x)) * (1 - torch.exp(-x))
    return (w[..., None] * rgb).sum(1), w.sum(-1)


def discounted_returns(d, r, v):
    k = 0.99 ** torch.arange(d.T, device=r.device, dtype=f32)
    y = (r * k).flip(-1).cumsum(-1).flip(-1) / k
    a = y - v
    return y, (a - a.mean()) / (a.std(correction=0) + 1e-8)


def log_mel(d, re, im, mel):
    return torch.log10((mel @ (re * re + im * im)).clamp_min(1e-10))


def stft_log_power(d, x, win, c, s):
    frames = x.unfold(1, 512, 128) * win
    return torch.log((frames @ c) ** 2 + (frames @ s) ** 2 + 1e-6)


def fir_decimate(d, x, h):
    return F.conv1d(x[:, None], h.view(1, 1, 32), stride=4)[:, 0]


def fir_decimate__product(d, x, h):
    return x.unfold(1, 32, 4) @ h.flatten()


def cumulative_max(d, x):
    top = x.cummax(1)[0]
    return top, top - x


def ema_by_product(d, x):
    back = torch.arange(d.T, device=x.device) - torch.arange(d.T, device=x.device)[:, None]
    return x @ torch.where(back >= 0, 0.1 * 0.9 ** back.clamp_min(0).float(), 0)


def rolling_z_max_min(d, x):
    w = x.unfold(1, 16, 1)
    s = torch.sqrt(w.var(-1, correction=0) + 1e-8)
    return (x[:, 15:] - w.mean(-1)) / s, w.amax(-1), w.amin(-1)


def viterbi_step(d, score, trans, emit):
    best, at = (score[:, :, None] + trans).max(1)
    return best + emit, at.int()


def noise_sample_and_target(d, x, seed):
    t = torch.sigmoid(torch.randn(d.B, device=x.device))
    e = torch.randn(d.B, d.N, device=x.device)
    return ((1 - t[:, None]) * x + t[:, None] * e).to(bf), (e - x).to(bf), t


def griffin_phase(d, re, im, mag):
    m = torch.sqrt(re * re + im * im)
    s = mag / m.clamp(min=1e-9)
    return re * s, im * s, torch.sqrt(((m - mag) ** 2).sum()) / torch.sqrt((mag * mag).sum())


def draft_accept(d, p, q, token, u):
    at = token.long()[:, :, None]
    rejected = u >= (p.gather(2, at) / q.gather(2, at))[:, :, 0]
    accepted = (rejected.int().cumsum(1) == 0).sum(1, dtype=torch.int32)
    row = accepted.clamp(max=7).long()[:, None, None].expand(-1, 1, d.V)
    next = F.relu(torch.log(p.gather(1, row)) - torch.log(q.gather(1, row)))[:, 0].argmax(-1)
    return accepted, next.int()
