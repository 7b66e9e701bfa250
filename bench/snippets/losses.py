"""Losses, and their gradients."""
import torch
import torch.nn.functional as F

bf, f32 = torch.bfloat16, torch.float32


def cross_entropy_both(d, x, at):
    p = F.log_softmax(x.float(), -1)
    chosen = at[:, None] == torch.arange(d.V, device=x.device)
    return F.nll_loss(p, at.long()), ((p.exp() - chosen.float()) / d.N).to(bf)


def cross_entropy_both__autograd(d, x, at):
    x = x.detach().requires_grad_()
    with torch.enable_grad():
        loss = F.cross_entropy(x.float(), at.long())
    return loss.detach(), *torch.autograd.grad(loss, [x])


def head_z_loss(d, x, w, at):
    s = (x @ w.T).float()
    return (F.cross_entropy(s, at.long(), reduction="none") + 1e-4 * s.logsumexp(-1) ** 2).mean()


def grpo_token_loss(d, x, at, old, adv):
    lp = x.float().log_softmax(-1).gather(-1, at.long()[:, None])[:, 0]
    r = torch.exp(lp - old)
    return -torch.minimum(r * adv, r.clamp(0.8, 1.2) * adv), lp


def ppo_loss(d, logits, value, at, old, adv, ret):
    p = logits.log_softmax(-1)
    r = torch.exp(p.gather(-1, at.long()[:, None])[:, 0] - old)
    clipped = -torch.minimum(r * adv, r.clamp(0.8, 1.2) * adv).mean()
    entropy = -(p.exp() * p).sum(-1).mean()
    return clipped + 0.5 * ((value - ret) ** 2).mean() - 0.01 * entropy


def bce_focal_mean(d, x, t):
    each = F.binary_cross_entropy_with_logits(x, t, reduction="none")
    return ((1 - torch.exp(-each)) ** 2 * each).mean()


def dice_loss(d, x, t):
    p = torch.sigmoid(x.float())
    both, whole = (p * t).sum((2, 3)), p.sum((2, 3)) + t.sum((2, 3), dtype=f32)
    return (1 - (2 * both + 1) / (whole + 1)).mean()


def unit(x):
    return F.normalize(x.float(), dim=-1).to(bf)


def clip_loss(d, a, b, scale):
    s = (unit(a) @ unit(b).T).float() * scale
    at = torch.arange(d.N, device=a.device)
    return 0.5 * (F.cross_entropy(s, at) + F.cross_entropy(s.T, at))


def infonce(d, a, b):
    return F.cross_entropy((unit(a) @ unit(b).T).float() * 20, torch.arange(d.N, device=a.device))


def cosine_loss(d, a, b):
    return 1 - F.cosine_similarity(a.float(), b.float(), -1).mean()


def mixture_density(d, logits, mu, ls, y):
    z = (y[:, None] - mu) * torch.exp(-ls)
    return -torch.logsumexp(logits.log_softmax(-1) - 0.5 * z ** 2 - ls, -1).mean()


def distillation(d, student, teacher):
    p, q = ((x.float() / 2).log_softmax(-1) for x in (student, teacher))
    return 4 * F.kl_div(p, q, reduction="batchmean", log_target=True)


def ranknet(d, s, rel):
    over = rel[:, :, None] > rel[:, None]
    return torch.where(over, F.softplus(s[:, None] - s[:, :, None]), 0).sum() / (d.B * d.L)


def focal_classes_vjp(d, x, y):
    t = (y[:, None] == torch.arange(d.C, device=x.device)).float()
    p = torch.sigmoid(x)
    pt = p * t + (1 - p) * (1 - t)
    return ((0.25 * t + 0.75 * (1 - t)) * (1 - pt) ** 2 * (F.softplus(x) - x * t)).sum() / d.N


def tversky_vjp(d, x, y):
    p, t = x.softmax(1), (y[:, None] == torch.arange(d.C, device=x.device)[:, None, None]).float()
    tp, fp, missed = ((a * b).sum((0, 2, 3)) for a, b in ((p, t), (p, 1 - t), (1 - p, t)))
    return 1 - ((tp + 1) / (tp + 0.3 * fp + 0.7 * missed + 1)).mean()
