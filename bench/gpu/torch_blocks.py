"""Transformer blocks in PyTorch, as they are commonly written: the peers of whole blocks. A
function takes a Maker of torch_peers.py and the dims of the model; it gives inputs, in the model's
order, and the function of them."""
import torch
import torch.nn.functional as F


def weight(make, n, k):
    """Uniform, so that a product with it keeps the scale of what it multiplies."""
    return (make.f32(n, k) * (3 / k) ** 0.5).to(torch.bfloat16)


def attend(q, k, v):
    """Causal attention of [B, S, heads, D]."""
    q, k, v = (t.transpose(1, 2) for t in (q, k, v))
    grouped = q.shape[1] != k.shape[1]
    return F.scaled_dot_product_attention(q, k, v, is_causal=True,
                                          enable_gqa=grouped).transpose(1, 2)


def gpt2_block(make, B, S, H, D):
    C = H * D

    def forward(x, gain1, bias1, w_qkv, b_qkv, w_o, b_o, gain2, bias2, w_1, b_1, w_2, b_2):
        qkv = F.linear(F.layer_norm(x, (C,), gain1, bias1), w_qkv, b_qkv).chunk(3, -1)
        o = attend(*(t.view(B, S, H, D) for t in qkv)).reshape(B, S, C)
        y = x + F.linear(o, w_o, b_o)
        h = F.gelu(F.linear(F.layer_norm(y, (C,), gain2, bias2), w_1, b_1))
        return y + F.linear(h, w_2, b_2)
    return ([make.bf16(B, S, C), make.bf16(C), make.bf16(C), weight(make, 3 * C, C),
             make.bf16(3 * C), weight(make, C, C), make.bf16(C), make.bf16(C), make.bf16(C),
             weight(make, 4 * C, C), make.bf16(4 * C), weight(make, C, 4 * C), make.bf16(C)],
            forward)


def rope(x, cosine, sine):
    a, b = x.float().chunk(2, -1)
    c, s = cosine[:, None], sine[:, None]
    return torch.cat((a * c - b * s, b * c + a * s), -1).to(x.dtype)


def angles(make, S, D):
    angle = torch.outer(torch.arange(S), 500000.0 ** (-2 * torch.arange(D // 2) / D))
    return [angle.cos().to(make.device), angle.sin().to(make.device)]


def llama(make, B, S, G, R, D, F_, norms):
    H, C = G * R, G * R * D

    def forward(x, gain1, w_q, w_k, w_v, *rest):
        gains, (cosine, sine, w_o, gain2, w_gate, w_up, w_down) = rest[:-7], rest[-7:]
        h = F.rms_norm(x, (C,), gain1, 1e-6)
        q, k, v = F.linear(h, w_q), F.linear(h, w_k), F.linear(h, w_v)
        q, k, v = q.view(B, S, H, D), k.view(B, S, G, D), v.view(B, S, G, D)
        if gains:
            q, k = F.rms_norm(q, (D,), gains[0], 1e-6), F.rms_norm(k, (D,), gains[1], 1e-6)
        o = attend(rope(q, cosine, sine), rope(k, cosine, sine), v).reshape(B, S, C)
        y = x + F.linear(o, w_o)
        n = F.rms_norm(y, (C,), gain2, 1e-6)
        return y + F.linear(F.silu(F.linear(n, w_gate)) * F.linear(n, w_up), w_down)
    gains = [make.bf16(D), make.bf16(D)] if norms else []
    return ([make.bf16(B, S, C), make.bf16(C), weight(make, C, C), weight(make, G * D, C),
             weight(make, G * D, C), *gains, *angles(make, S, D), weight(make, C, C), make.bf16(C),
             weight(make, F_, C), weight(make, F_, C), weight(make, C, F_)], forward)


def llama_block(make, **dims):
    return llama(make, norms=False, **dims)


def llama_block_qk_norm(make, **dims):
    return llama(make, norms=True, **dims)
