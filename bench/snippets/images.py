"""Images: norms, convolutions, pyramids, colours."""
import torch
import torch.nn.functional as F

bf, f32, u8 = torch.bfloat16, torch.float32, torch.uint8


# ---- norms ----------------------------------------------------------------------------------------

def group_norm_silu_nhwc(d, x, g, b):
    return F.silu(F.group_norm(x.permute(0, 3, 1, 2), 32, g, b)).permute(0, 2, 3, 1)


def batch_norm_train_nhwc(d, x, g, b, rm, rv):
    v, m = torch.var_mean(x.float(), (0, 1, 2), correction=0)
    n = d.N * d.H * d.W
    y = F.relu((x.float() - m) * (torch.rsqrt(v + 1e-5) * g) + b)
    return y.to(bf), 0.9 * rm + 0.1 * m, 0.9 * rv + 0.1 * v * (n / (n - 1))


def batch_norm_train_nhwc__library(d, x, g, b, rm, rv):
    rm, rv = rm.clone(), rv.clone()
    y = F.batch_norm(x.permute(0, 3, 1, 2), rm, rv, g, b, True, 0.1)
    return F.relu(y).permute(0, 2, 3, 1), rm, rv


def batch_norm_backward_nchw(d, x, g, m, r, dy):
    g, m, r = (t[:, None, None] for t in (g, m, r))
    z = (x.float() - m) * r
    db, dg = dy.float().sum((0, 2, 3)), (dy * z).sum((0, 2, 3))
    mean = (db[:, None, None] + z * dg[:, None, None]) / (d.N * d.H * d.W)
    return (g * r * (dy - mean)).to(bf), dg, db


def batch_norm_backward_nchw__library(d, x, g, m, r, dy):
    return torch.ops.aten.native_batch_norm_backward(dy, x, g, None, None, m, r, True, 1e-5,
                                                     [True, True, True])


def batch_norm_relu_vjp(d, x, gain, b):
    v, m = torch.var_mean(x.float(), (0, 1, 2), correction=0)
    return F.relu((x - m) * torch.rsqrt(v + 1e-5) * gain + b).to(bf)


def batch_norm_relu_vjp__library(d, x, gain, b):
    return F.relu(F.batch_norm(x.permute(0, 3, 1, 2), None, None, gain, b, True)).permute(0, 2, 3, 1)


def instance_norm_leaky(d, x, g, b):
    return F.leaky_relu(F.instance_norm(x, weight=g, bias=b))


def squeeze_excite(d, x, w1, w2):
    s = torch.sigmoid(F.relu(x.mean((2, 3)) @ w1.T) @ w2.T)
    return x * s[:, :, None, None]


# ---- products -------------------------------------------------------------------------------------

def pool_and_head(d, x, w, b):
    return F.linear(x.mean((1, 2)), w, b)


def patch_embedding(d, x, w, b, pos):
    n = d.H // 16
    p = x.view(d.N, 3, n, 16, n, 16).permute(0, 2, 4, 1, 3, 5).reshape(d.N, n * n, 768)
    return F.linear(p, w, b) + pos


def patch_embedding__conv2d(d, x, w, b, pos):
    return F.conv2d(x, w.view(d.D, 3, 16, 16), b, 16).flatten(2).mT + pos


def patch_merge_norm_linear(d, x, g, b, w):
    p = torch.cat([x[:, i::2, j::2] for j in (0, 1) for i in (0, 1)], -1)
    return F.layer_norm(p, (4 * d.C,), g, b) @ w.T


def channels_last(w):
    return w.contiguous(memory_format=torch.channels_last)


def conv3x3_nhwc(d, x, w, b):
    y = F.conv2d(x.permute(0, 3, 1, 2), channels_last(w.permute(3, 2, 0, 1)), b, padding=1)
    return F.relu(y).permute(0, 2, 3, 1)


def depthwise3x3_nhwc(d, x, w, b):
    w = channels_last(w.permute(2, 0, 1)[:, None])
    y = F.conv2d(x.permute(0, 3, 1, 2), w, b, padding=1, groups=d.C)
    return F.gelu(y).permute(0, 2, 3, 1)


def conv_transpose_2x2(d, x, w, b):
    p = (x @ w.view(d.C, -1)).view(d.N, d.H, d.W, 2, 2, d.D).transpose(2, 3)
    return p.reshape(d.N, 2 * d.H, 2 * d.W, d.D) + b


def conv_transpose_2x2__library(d, x, w, b):
    y = F.conv_transpose2d(x.permute(0, 3, 1, 2), channels_last(w.permute(0, 3, 1, 2)), b, 2)
    return y.permute(0, 2, 3, 1)


# ---- windows --------------------------------------------------------------------------------------

def sobel_edges(d, x):
    p = F.pad(x, (1, 1, 1, 1))
    a, b, c = p[:, :-2], p[:, 1:-1], p[:, 2:]
    gx = a[..., 2:] + 2 * b[..., 2:] + c[..., 2:] - a[..., :-2] - 2 * b[..., :-2] - c[..., :-2]
    gy = c[..., :-2] + 2 * c[..., 1:-1] + c[..., 2:] - a[..., :-2] - 2 * a[..., 1:-1] - a[..., 2:]
    return torch.sqrt(gx * gx + gy * gy)


def upsample_nearest_add(d, x, skip):
    return F.interpolate(x, scale_factor=2) + skip


def pixel_shuffle_to_u8(d, x):
    return (F.pixel_shuffle(x, 2).float() * 255).clamp(0, 255).round().to(u8)


def grid_sample_bilinear(d, x, grid):
    return F.grid_sample(x, grid, align_corners=True)


def box_of_integral_image(d, x):
    s = F.pad(x.cumsum(2).cumsum(1), (16, 0, 16, 0))
    return s[:, 16:, 16:] - s[:, :-16, 16:] - s[:, 16:, :-16] + s[:, :-16, :-16]


def resize_half_normalise(d, x, m, s):
    p = F.avg_pool2d(x.permute(0, 3, 1, 2).float(), 2) / 255
    return ((p - m[:, None, None]) / s[:, None, None]).to(bf).contiguous()


def rgb_to_yuv420(d, x):
    r, g, b = x.float().unbind(-1)
    y = 0.299 * r + 0.587 * g + 0.114 * b
    u, v = (F.avg_pool2d(t[:, None], 2)[:, 0] for t in ((b - y) * 0.564 + 128, (r - y) * 0.713 + 128))
    return tuple(t.round().clamp(0, 255).to(u8) for t in (y, u, v))


def histogram_equalise(d, x):
    flat = x.long() + 256 * torch.arange(d.N, device=x.device)[:, None]
    h = torch.zeros(d.N * 256, device=x.device)
    h.index_add_(0, flat.flatten(), torch.ones(d.N * d.P, device=x.device))
    new = (h.view(d.N, 256).cumsum(-1) * (255 / d.P)).round().to(u8)
    return new.flatten()[flat]


def dct8_quantise(d, x, t, q):
    blocks = x.view(d.N, d.H // 8, 8, d.W // 8, 8).transpose(2, 3)
    return ((t @ blocks @ t.T) / q).round().to(torch.int8)
