"""Tables: gathers, groups, hashes, dates."""
import torch

bf = torch.bfloat16


def summed(count, at, values):
    """Sums of the values of each group."""
    shape = (count, *values.shape[1:])
    return torch.zeros(shape, device=values.device).index_add_(0, at, values)


def graph_mean_of_neighbours(d, x, src, dst):
    s, n = summed(d.N, dst, x[src].float()), summed(d.N, dst, torch.ones(d.E, device=x.device))
    return torch.cat([x.float(), s / n.clamp_min(1)[:, None]], -1).to(bf)


def factorisation_machine(d, ids, table, w):
    e = table[ids]
    pairs = e.sum(1) ** 2 - (e * e).sum(1)
    return torch.sigmoid(w[ids].sum(-1) + 0.5 * pairs.sum(-1))


def hash_embedding(d, ids, table):
    h = torch.stack([ids * c for c in (-1640531535, 2146121005, -2073254261, 461845907)], 1)
    return table[(h & 0x7FFFFFFF) % d.V].mean(1)


def dates_of_days(d, days):
    z = days + 719468
    era = z // 146097
    doe = z - era * 146097
    yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
    doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
    mp = (5 * doy + 2) // 153
    m = torch.where(mp < 10, mp + 3, mp - 9)
    day = doy - (153 * mp + 2) // 5 + 1
    return (yoe + era * 400 + (m <= 2).int()).to(torch.int32), m.to(torch.int8), day.to(torch.int8)


def z_score_by_group(d, x, g):
    n = summed(d.G, g, torch.ones_like(x)).clamp_min(1)
    m = summed(d.G, g, x) / n
    v = summed(d.G, g, x * x) / n - m * m
    return (x - m[g]) * torch.rsqrt(v.clamp_min(0) + 1e-6)[g]


def join_and_weighted_mean(d, item, shop, n, price, rate):
    total = summed(d.S, shop, n.float() * price[item] * rate[shop])
    return total, total / summed(d.S, shop, n.float()).clamp_min(1)


def order_book_features(d, b, bs, a, as_):
    mid = 0.5 * (b[:, 0] + a[:, 0])
    w = 0.8 ** torch.arange(10, device=b.device)
    db, da = (bs * w).sum(-1), (as_ * w).sum(-1)
    micro = (b[:, 0] * as_[:, 0] + a[:, 0] * bs[:, 0]) / (bs[:, 0] + as_[:, 0])
    vb, va = (b * bs).sum(-1) / bs.sum(-1), (a * as_).sum(-1) / as_.sum(-1)
    return torch.stack([mid, a[:, 0] - b[:, 0], (db - da) / (db + da), micro - mid, va - vb,
                        bs.amax(-1), as_.amax(-1)], -1)
