"""Products of quantised weights, of long or thin operands, and of what is computed from their elements."""
import torch
import torch.nn.functional as F

bf, f32 = torch.bfloat16, torch.float32


# ---- quantised ------------------------------------------------------------------------------------

def int8_dynamic(d, x, w, sw):
    s = x.abs().amax(-1, keepdim=True).float() / 127
    q = (x.float() / s).round().to(torch.int8)
    return (torch._int_mm(q, w.T).float() * s * sw).to(bf)


def scaled_f8(x, w, s, t, bias=None):
    """On a CPU in f32."""
    if x.is_cuda:
        return torch._scaled_mm(x, w.T, scale_a=s, scale_b=t[None], bias=bias, out_dtype=bf)
    y = x.float() @ w.float().T * s * t
    return (y if bias is None else y + bias).to(bf)


def f8_bias_gelu(d, x, w, s, t, b):
    return F.gelu(scaled_f8(x, w, s[:, None], t, b))


def f8_dynamic(d, x, w, t):
    s = x.abs().amax(-1, keepdim=True).float() / 448
    return scaled_f8((x.float() / s).to(torch.float8_e4m3fn), w, s, t)


def w4_zeros(d, x, w, s, z):
    p, q = (torch.stack((t & 15, t >> 4), -1).view(d.N, d.K // 64, -1).float() for t in (w, z))
    return x @ ((p - q) * s[:, :, None].float()).to(bf).view(d.N, d.K).T


def w4_transposed(d, x, w, s):
    p = torch.stack((w & 15, w >> 4), 1).view(d.K // 128, 128, d.N).float() - 8
    return x @ (p * s[:, None].float()).half().view(d.K, d.N)


def weights_2_of_4(d, x, v, at):
    w = torch.zeros(d.N, d.K // 4, 4, device=x.device, dtype=bf)
    return x @ w.scatter_add_(-1, at.long(), v).view(d.N, d.K).T


def hamming_matrix(d, a, b):
    """Sums of bits, in pairs, fours and eights."""
    x = a[:, None] ^ b
    x = x - ((x >> 1) & 0x55)
    x = (x & 0x33) + ((x >> 2) & 0x33)
    return ((x + (x >> 4)) & 0x0F).sum(-1, dtype=torch.int32)


# ---- shapes ---------------------------------------------------------------------------------------

def muon_step(d, x):
    a = x @ x.T
    return 3.4445 * x + (-4.7750 * a + 2.0315 * (a @ a)) @ x


def muon_step__addmm(d, x):
    a = x @ x.T
    return torch.addmm(x, torch.addmm(a, a, a, beta=-4.7750, alpha=2.0315), x, beta=3.4445)


def batched_bias_relu(d, x, w, b):
    return F.relu(torch.baddbmm(b[:, None], x, w))


def batched_f32(d, x, w):
    return x @ w.mT


def gram_bf16(d, x):
    return (x.T @ x).float() / d.N


def correlation_matrix(d, x):
    z = x - x.mean(0)
    z = z * torch.rsqrt((z * z).mean(0) + 1e-8)
    return z.T @ z / d.N


def tall_skinny(d, x, w, b):
    return torch.tanh(F.linear(x, w, b))


def wide_short_f32(d, x, w):
    return x @ w.T


def weight_gradient(d, x, dy):
    dw = torch.mm(dy.T, x, out_dtype=f32) if x.is_cuda else dy.T.float() @ x.float()
    return dw, dy.sum(0, dtype=f32)


# ---- distances ------------------------------------------------------------------------------------

def softmin_of_distances(d, x, c):
    far = (x * x).sum(-1, keepdim=True) + (c * c).sum(-1) - 2 * x @ c.T
    return F.softmax(-far, -1) @ c


def softmin_of_distances__sdpa(d, x, c):
    mask = -(c * c).sum(-1)[None, None, None].expand(1, 1, d.N, d.M)
    x, c = x[None, None], c[None, None]
    return F.scaled_dot_product_attention(x, c, c, attn_mask=mask, scale=2.0)[0, 0]


def rbf_times_vector(d, x, z, v):
    far = (x * x).sum(-1, keepdim=True) + (z * z).sum(-1) - 2 * x @ z.T
    return torch.exp(-0.5 * far.clamp_min(0)) @ v


def vector_quantise(d, x, c):
    at = ((c * c).sum(-1) - 2 * x @ c.T).argmin(-1)
    q = c[at]
    return at.int(), q, ((q - x) ** 2).mean()


def kmeans_step(d, x, c):
    at = (2 * x @ c.T - (c * c).sum(-1)).argmax(-1)
    n = torch.zeros(d.M, device=x.device).index_add_(0, at, torch.ones(d.N, device=x.device))
    s = torch.zeros(d.M, d.D, device=x.device).index_add_(0, at, x)
    return torch.where(n[:, None] > 0, s / n.clamp_min(1)[:, None], c), at.int()


def iou_matrix(d, a, b):
    both = (torch.minimum(a[:, None, 2:], b[:, 2:]) - torch.maximum(a[:, None, :2], b[:, :2])).clamp_min(0)
    both = both.prod(-1)
    areas = [(t[:, 2:] - t[:, :2]).prod(-1).abs() for t in (a, b)]
    best, at = (both / (areas[0][:, None] + areas[1] - both + 1e-6)).max(-1)
    return best, at.int()
