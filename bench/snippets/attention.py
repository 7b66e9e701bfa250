"""Attention, and what goes before and after it."""
import math

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, flex_attention as flex, sdpa_kernel
from torch.nn.attention.bias import causal_lower_right

from peers import backends, made_once, of_gpu, prepared

bf = torch.bfloat16


def iota(n, device):
    return torch.arange(n, device=device)


def causal(queries, keys, device):
    """The last query sees all keys."""
    return iota(queries, device)[:, None] + (keys - queries) >= iota(keys, device)


def window(d, device):
    back = iota(d.S, device)[:, None] - iota(d.S, device)
    return (back >= 0) & (back < d.W)


def rotated(x, c, s):
    a, b = x.float().chunk(2, -1)
    return torch.cat([a * c - b * s, b * c + a * s], -1).to(x.dtype)


def scores(q, k, mask=None):
    s = (q @ k.mT).float() * q.shape[-1] ** -0.5
    return s if mask is None else s.masked_fill(~mask, -math.inf)


def weighted(s, v):
    return F.softmax(s, -1).to(v.dtype) @ v


def grouped(d, q):
    return q.view(d.G, d.R, d.S, d.D)


def compiled_flex(score, mask, queries, keys, device):
    """FlexAttention with a mask of blocks that is made ahead."""
    blocks = flex.create_block_mask(mask, None, None, queries, keys, device)
    attend = torch.compile(flex.flex_attention, dynamic=False)

    def run(q, k, v, **more):
        return attend(q, k, v, score_mod=score, block_mask=blocks, **more)
    return run


# ---- queries, keys and values ---------------------------------------------------------------------

def rms_qkv_rope(d, x, g, w, c, s):
    y = F.rms_norm(x, (d.K,), g, 1e-6) @ w.T
    q, k, v = y.split([d.H * d.D, d.G * d.D, d.G * d.D], -1)
    q, k, v = (t.unflatten(-1, (-1, d.D)) for t in (q, k, v))
    q, k = (rotated(t, c[:, None], s[:, None]) for t in (q, k))
    return tuple(t.transpose(0, 1).contiguous() for t in (q, k, v))


def qk_norm_rope(d, q, k, gq, gk, c, s):
    return tuple(rotated(F.rms_norm(t, (d.D,), g, 1e-6), c[:, None], s[:, None])
                 for t, g in ((q, gq), (k, gk)))


def norm_rope_vjp(d, x, gain, c, s):
    return rotated(F.rms_norm(x, (d.D,), gain, 1e-6), c[:, None], s[:, None])


def rope_interleaved(d, x, c, s):
    pairs = torch.view_as_complex(x.float().unflatten(-1, (-1, 2)))
    return torch.view_as_real(pairs * torch.complex(c, s)[:, None]).flatten(-2).to(bf)


def quantise_kv(d, x):
    s = x.abs().amax(-1).float() / 127
    q = (x.float() / s[..., None]).round().to(torch.int8)
    return q.transpose(1, 2).contiguous(), s.transpose(1, 2).contiguous()


# ---- few queries ----------------------------------------------------------------------------------

def gqa_decode(d, q, k, v, length):
    live = iota(d.T, q.device) < length[:, None, None, None]
    return weighted(scores(q.view(d.B, d.G, d.R, d.D), k, live), v).view_as(q)


def gqa_decode__sdpa(d, q, k, v, length):
    live = iota(d.T, q.device) < length[:, None, None, None]
    return F.scaled_dot_product_attention(q[:, :, None], k, v, attn_mask=live, enable_gqa=True)[:, :, 0]


def gqa_decode_bsgd(d, q, k, v):
    k, v = (t.transpose(1, 2) for t in (k, v))
    return weighted(scores(q.view(d.B, d.G, d.R, d.D), k), v).view_as(q)


@backends
def gqa_decode_bsgd__sdpa(d, q, k, v):
    k, v = (t.transpose(1, 2) for t in (k, v))
    return F.scaled_dot_product_attention(q[:, :, None], k, v, enable_gqa=True)[:, :, 0]


def decode_kv_f8(d, q, k, ks, v, vs):
    s = scores(q, k.to(bf)) * ks[:, :, None]
    return weighted(s, (v.float() * vs[..., None]).to(bf))


def verified(d, length):
    queries = iota(d.Q, length.device)[:, None]
    return iota(d.T, length.device) <= length[:, None, None] + queries


def speculative_verify(d, q, k, v, length):
    s = scores(q.flatten(2, 3), k).view(d.B, d.G, d.R, d.Q, d.T)
    p = F.softmax(s.masked_fill(~verified(d, length)[:, None, None], -math.inf), -1).to(bf)
    return (p.flatten(2, 3) @ v).view_as(q)


def speculative_verify__sdpa(d, q, k, v, length):
    return F.scaled_dot_product_attention(q.flatten(1, 2), k, v, enable_gqa=True,
                                          attn_mask=verified(d, length)[:, None]).view_as(q)


def projected(d, x, g1, wqkv, c, s):
    p = F.rms_norm(x, (d.D,), g1, 1e-6) @ wqkv.T
    q, k, v = (t.unflatten(-1, (-1, d.E)) for t in p.split([d.H * d.E, d.G * d.E, d.G * d.E], -1))
    return rotated(q, c[:, None], s[:, None]), rotated(k, c[:, None], s[:, None]), v.contiguous()


def fed_forward(d, x, o, wo, g2, wgu, wd):
    r = x + o @ wo.T
    a, b = (F.rms_norm(r, (d.D,), g2, 1e-6) @ wgu.T).chunk(2, -1)
    return r + (F.silu(a) * b) @ wd.T


def decode_block(d, x, g1, wqkv, c, s, kc, vc, length, wo, g2, wgu, wd):
    q, kn, vn = projected(d, x, g1, wqkv, c, s)
    here = (iota(d.T, x.device) == length[:, None])[:, None, :, None]
    live = (iota(d.T, x.device) <= length[:, None])[:, None, None]
    k, v = torch.where(here, kn[:, :, None], kc), torch.where(here, vn[:, :, None], vc)
    o = weighted(scores(q.view(d.N, d.G, -1, d.E), k, live), v).view(d.N, -1)
    return fed_forward(d, x, o, wo, g2, wgu, wd), kn, vn


def decode_block__cache_in_place(d, x, g1, wqkv, c, s, kc, vc, length, wo, g2, wgu, wd):
    q, kn, vn = projected(d, x, g1, wqkv, c, s)
    row, at = iota(d.N, x.device), length.long()
    kc[row, :, at], vc[row, :, at] = kn, vn
    live = (iota(d.T, x.device) <= length[:, None])[:, None, None]
    o = F.scaled_dot_product_attention(q[:, :, None], kc, vc, attn_mask=live, enable_gqa=True)
    return fed_forward(d, x, o.view(d.N, -1), wo, g2, wgu, wd), kn, vn


# ---- many queries ---------------------------------------------------------------------------------

def prefill_prefix(d, q, k, v):
    s = scores(grouped(d, q), k[:, None], causal(d.S, d.P + d.S, q.device))
    return weighted(s, v[:, None]).view_as(q)


def prefill_prefix__sdpa(d, q, k, v):
    return F.scaled_dot_product_attention(q[None], k[None], v[None], enable_gqa=True,
                                          attn_mask=causal_lower_right(d.S, d.P + d.S))[0]


@made_once
def prefill_prefix__flex(d, device):
    prefix = d.P
    run = compiled_flex(None, lambda b, h, i, j: i + prefix >= j, d.S, d.P + d.S, device)
    return lambda q, k, v: run(q[None], k[None], v[None], enable_gqa=True)[0]


def window_sink(d, q, k, v, sink):
    s = scores(grouped(d, q), k[:, None], window(d, q.device))
    s = torch.cat([s, sink.view(d.G, d.R, 1, 1).expand(-1, -1, d.S, 1)], -1)
    return (F.softmax(s, -1)[..., :-1].to(bf) @ v[:, None]).view_as(q)


@made_once
def window_sink__flex(d, device):
    width = d.W
    run = compiled_flex(None, lambda b, h, i, j: (i >= j) & (i - j < width), d.S, d.S, device)

    def call(q, k, v, sink):
        o, more = run(q[None], k[None], v[None], enable_gqa=True, return_aux=flex.AuxRequest(lse=True))
        return (o * torch.sigmoid(more.lse - sink[:, None])[..., None])[0].to(bf)
    return call


def gemma_window_cap(d, q, k, v):
    s = 50 * torch.tanh(scores(grouped(d, q), k[:, None]) / 50)
    return weighted(s.masked_fill(~window(d, q.device), -math.inf), v[:, None]).view_as(q)


@made_once
def gemma_window_cap__flex(d, device):
    width = d.W
    run = compiled_flex(lambda x, b, h, i, j: 50 * torch.tanh(x / 50),
                        lambda b, h, i, j: (i >= j) & (i - j < width), d.S, d.S, device)
    return lambda q, k, v: run(q[None], k[None], v[None], enable_gqa=True)[0]


def packed_documents(d, q, k, v):
    q, k, v = (t.transpose(0, 1) for t in (q, k, v))
    document = iota(d.S, q.device) // d.P
    return weighted(scores(q, k, document[:, None] == document), v).transpose(0, 1).contiguous()


@made_once
def packed_documents__flex(d, device):
    length = d.P
    run = compiled_flex(None, lambda b, h, i, j: i // length == j // length, d.S, d.S, device)
    return lambda *qkv: run(*(t.transpose(0, 1)[None] for t in qkv))[0].transpose(0, 1).contiguous()


@backends
def packed_documents__batches(d, *qkv):
    """Where all documents are of one length."""
    qkv = (t.view(-1, d.P, d.H, d.D).transpose(1, 2) for t in qkv)
    return F.scaled_dot_product_attention(*qkv).transpose(1, 2).reshape(d.S, d.H, d.D)


def differential_attention(d, q, k, v, lam, g):
    o = weighted(scores(q, k, causal(d.S, d.S, q.device)), v[:, None])
    return F.rms_norm(o[:, 0] - (lam * o[:, 1]).to(bf), (2 * d.D,), g, 1e-5) * 0.2


def differential_attention__sdpa(d, q, k, v, lam, g):
    q, k, v = q.transpose(0, 1), k.transpose(0, 1), v[None].expand(2, -1, -1, -1)
    o = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    return F.rms_norm(o[0] - (lam * o[1]).to(bf), (2 * d.D,), g, 1e-5) * 0.2


def t5_bias(d, q, k, v, bias):
    return weighted((q @ k.mT + bias).float(), v)


def t5_bias__sdpa(d, q, k, v, bias):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=bias[None], scale=1.0)


def attention_bias_vjp(d, q, k, v, bias):
    return weighted(scores(q, k) + bias, v)


def attention_bias_vjp__sdpa(d, q, k, v, bias):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=bias[None])


def padding_mask_encoder(d, qkv, length):
    live = iota(d.S, qkv.device) < length[:, None, None, None]
    o = F.scaled_dot_product_attention(*qkv.permute(2, 0, 3, 1, 4), attn_mask=live)
    return o.transpose(1, 2).contiguous()


def heads_last(d, o):
    return o.transpose(1, 2).reshape(d.B * d.W, d.S, d.H * d.D)


def swin_windows(d, q, k, v, bias, mask):
    s = (scores(q, k) + bias).view(d.B, d.W, d.H, d.S, d.S) + mask[:, None]
    return heads_last(d, weighted(s.view(-1, d.H, d.S, d.S), v))


def swin_windows__sdpa(d, q, k, v, bias, mask):
    both = (bias + mask[:, None]).to(bf).expand(d.B, -1, -1, -1, -1).reshape(-1, d.H, d.S, d.S)
    return heads_last(d, F.scaled_dot_product_attention(q, k, v, attn_mask=both))


def linear_attention_chunks(d, q, k, v):
    q, k, v = (t.unflatten(2, (-1, d.C)) for t in (q, k, v))
    kv = (k.mT @ v).float()
    state = (kv.cumsum(2) - kv).to(bf)
    inside = (q @ k.mT) * causal(d.C, d.C, q.device)
    return (inside @ v + q @ state).flatten(2, 3)


def attention_backward_gqa(d, q, k, v, o, lse, do):
    qs, os, dos = (t.view(d.B, d.G, d.R, d.S, d.D) for t in (q, o, do))
    k, v = k[:, :, None], v[:, :, None]
    p = torch.exp(scores(qs, k, causal(d.S, d.S, q.device)) - lse.view(d.B, d.G, d.R, d.S, 1))
    ds = (p * ((dos @ v.mT).float() - (dos.float() * os.float()).sum(-1, keepdim=True))).to(bf)
    dq = (ds @ k).float() * d.D ** -0.5
    dk = ((ds.mT @ qs).float() * d.D ** -0.5).sum(2)
    dv = (p.to(bf).mT @ dos).float().sum(2)
    return dq.to(bf).view_as(q), dk.to(bf), dv.to(bf)


def recorded(backend, qkv, do):
    """The backward alone of the backend's attention."""
    inputs = [t.detach().requires_grad_() for t in qkv]
    with torch.enable_grad(), sdpa_kernel(backend):
        y = F.scaled_dot_product_attention(*inputs, is_causal=True, enable_gqa=True)
    return lambda: torch.autograd.grad(y, inputs, do, retain_graph=True)


@of_gpu
@prepared
def attention_backward_gqa__flash(d, q, k, v, o, lse, do):
    return recorded(SDPBackend.FLASH_ATTENTION, (q, k, v), do)


@of_gpu
@prepared
def attention_backward_gqa__cudnn(d, q, k, v, o, lse, do):
    return recorded(SDPBackend.CUDNN_ATTENTION, (q, k, v), do)


def additive_attention(d, q, k, v):
    return F.softmax((torch.tanh(q[:, :, None].float() + k[:, None]) * v).sum(-1), -1)


def lightning_indexer(d, q, k, w):
    s = (F.relu(torch.einsum("mhd,nd->mhn", q, k).float()) * w[:, :, None]).sum(1)
    return s.tril()
