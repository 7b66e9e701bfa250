"""Perceptrons, mixtures of experts, adapters, recurrent cells, interactions."""
import torch
import torch.nn.functional as F

bf, f32 = torch.bfloat16, torch.float32


def gated_mlp_backward(d, x, wg, wu, wd, a, b, dy):
    af, bf32 = a.float(), b.float()
    s = torch.sigmoid(af)
    h = (af * s * bf32).to(bf)
    dh = (dy @ wd).float()
    da = (dh * bf32 * (s * (1 + af * (1 - s)))).to(bf)
    db = (dh * af * s).to(bf)
    return da @ wg + db @ wu, da.T @ x, db.T @ x, dy.T @ h


def relu2_mlp(d, x, up, down):
    return x + F.relu(x @ up.T).square() @ down.T


def mlp_gelu_residual_vjp(d, x, w1, b1, w2, b2):
    return x + F.linear(F.gelu(F.linear(x, w1, b1), approximate="tanh"), w2, b2)


def norm_linear_vjp(d, x, gain, bias, w, c):
    return F.linear(F.layer_norm(x, (d.D,), gain, bias), w, c)


def moe_experts(d, x, w1, w3, w2, count):
    h = F.silu(x @ w1.mT) * (x @ w3.mT)
    live = (torch.arange(d.T, device=x.device) < count[:, None])[..., None]
    return torch.where(live, h @ w2.mT, 0)


def moe_router_top2(d, x, w):
    v, at = F.softmax((x @ w.T).float(), -1).topk(2, -1)
    return v / v.sum(-1, keepdim=True), at.int()


def moe_gather_scatter(d, x, at, gate, w1, w2):
    h = F.silu(x[at] @ w1.mT) @ w2.mT
    y = torch.zeros(d.N, d.D, device=x.device)
    return y.index_add_(0, at.flatten(), (h * gate[..., None]).flatten(0, 1))


def moe_combine(d, x, rows, at, w):
    return (x + (rows[at] * w[..., None]).sum(1)).to(bf)


def multi_lora(d, x, w, a, b, who):
    t = (x @ a.view(-1, d.K).T).view(d.N, d.L, d.R)
    mine = who[:, None] == torch.arange(d.L, device=x.device)
    return x @ w.T + torch.where(mine[..., None], t, 0).view(d.N, -1) @ b


def gru_cell(d, x, h, w, u, b, c):
    r, z, n = F.linear(x, w, b).chunk(3, -1)
    hr, hz, hn = F.linear(h, u, c).chunk(3, -1)
    z = torch.sigmoid(z + hz)
    return (1 - z) * torch.tanh(n + torch.sigmoid(r + hr) * hn) + z * h


def gru_cell__library(d, x, h, w, u, b, c):
    return torch.gru_cell(x, h, w, u, b, c)


def lstm_cell(d, x, h, c, w, u, b):
    i, g, m, o = (F.linear(x, w, b) + h @ u.T).float().chunk(4, -1)
    c2 = torch.sigmoid(g) * c + torch.sigmoid(i) * torch.tanh(m)
    return (torch.sigmoid(o) * torch.tanh(c2)).to(bf), c2


def triangle_multiply(d, x, g, b, w):
    p, q, u, v = (F.layer_norm(x, (d.C,), g, b) @ w.T).chunk(4, -1)
    p, q = torch.sigmoid(u) * p, torch.sigmoid(v) * q
    return (p.permute(2, 0, 1) @ q.permute(2, 1, 0)).permute(1, 2, 0).contiguous()


def outer_product_mean(d, a, b):
    return torch.einsum("sic,sjd->ijcd", a, b).contiguous() / d.S


def dlrm_interaction(d, x, e, ij):
    z = torch.cat([x[:, None], e], 1)
    return torch.cat([x, (z @ z.mT).flatten(1)[:, ij]], -1)


def pointnet_max(d, x, w1, b1, w2, b2):
    return F.relu(F.linear(F.relu(F.linear(x, w1, b1)), w2, b2)).amax(1)
