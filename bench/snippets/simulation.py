"""Physics, finance, small matrices."""
import torch
import torch.nn.functional as F

from peers import prepared

# ---- neighbours -----------------------------------------------------------------------------------


def stencil_7_points(d, u):
    p = F.pad(u, (1,) * 6)
    return u + 0.1 * (p[:-2, 1:-1, 1:-1] + p[2:, 1:-1, 1:-1] + p[1:-1, :-2, 1:-1] + p[1:-1, 2:, 1:-1]
                      + p[1:-1, 1:-1, :-2] + p[1:-1, 1:-1, 2:] - 6 * u)


def burgers_minmod(d, u):
    a, b = u - u.roll(1, 1), u.roll(-1, 1) - u
    s = torch.where(a * b > 0, torch.where(a.abs() < b.abs(), a, b), 0)
    left, right = u + 0.5 * s, (u - 0.5 * s).roll(-1, 1)
    c = torch.maximum(left.abs(), right.abs())
    flux = 0.25 * (left * left + right * right) - 0.5 * c * (right - left)
    return u - 0.2 * (flux - flux.roll(1, 1))


def ising_half_sweep(d, s, beta):
    t = s.float()
    near = t.roll(1, 0) + t.roll(-1, 0) + t.roll(1, 1) + t.roll(-1, 1)
    flip = torch.rand(s.shape, device=s.device) < torch.exp(-2 * beta * t * near)
    i, j = torch.arange(d.H, device=s.device), torch.arange(d.W, device=s.device)
    return torch.where(flip & ((i[:, None] + j) % 2 == 0), -s, s)


DIRECTIONS = list(zip((0, 1, 0, -1, 0, 1, -1, -1, 1), (0, 0, 1, 0, -1, 1, 1, -1, -1),
                      (4 / 9,) + (1 / 9,) * 4 + (1 / 36,) * 4))  # x, y, weight


def lattice_boltzmann(d, f):
    f = [torch.roll(f[i], (y, x), (0, 1)) for i, (x, y, _) in enumerate(DIRECTIONS)]
    rho = sum(f)
    ux = sum(x * f[i] for i, (x, _, _) in enumerate(DIRECTIONS) if x) / rho
    uy = sum(y * f[i] for i, (_, y, _) in enumerate(DIRECTIONS) if y) / rho
    out = []
    for i, (x, y, weight) in enumerate(DIRECTIONS):
        e = x * ux + y * uy
        still = weight * rho * (1 + 3 * e + 4.5 * e * e - 1.5 * (ux * ux + uy * uy))
        out.append(f[i] - 1.2 * (f[i] - still))
    return torch.stack(out)


def lennard_jones(d, p):
    r = p[:, None] - p
    r2 = (r * r).sum(-1)
    near = (r2 < 0.25) & (r2 > 0)
    i2 = torch.where(near, 0.01 / r2.clamp_min(0.008), 0)
    i6 = i2 ** 3
    force = ((48 * i6 * i6 - 24 * i6) / r2.clamp_min(0.008))[..., None] * r
    return force.sum(1), (2 * (i6 * i6 - i6)).sum(-1)


def asian_option(d, s0, k):
    steps = 0.0001 + 0.02 * torch.randn(d.P, d.T, device=s0.device)
    path = s0 * torch.exp(steps.cumsum(-1))
    return 0.97 * F.relu(path.mean(-1) - k).mean()


def sinkhorn(d, c):
    x = -c / 0.1
    v = torch.zeros(d.B, d.N, device=c.device)
    for _ in range(5):
        u = -torch.logsumexp(x + v[:, None], 2)
        v = -torch.logsumexp(x + u[:, :, None], 1)
    return (torch.exp(x + u[:, :, None] + v[:, None]) * c).sum((1, 2))


# ---- small matrices -------------------------------------------------------------------------------

def tridiagonal_8(d, a, b, c, r):
    """Thomas's algorithm."""
    cs, rs = [c[:, 0] / b[:, 0]], [r[:, 0] / b[:, 0]]
    for i in range(1, 8):
        m = b[:, i] - a[:, i] * cs[-1]
        rs.append((r[:, i] - a[:, i] * rs[-1]) / m)
        cs.append(c[:, i] / m)
    x = [rs[7]]
    for i in range(6, -1, -1):
        x.append(rs[i] - cs[i] * x[-1])
    return torch.stack(x[::-1], -1)


PAIRS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))


def cofactor(m, minors, i, j):
    """Of row j and column i of m: a row of the half of j that stays, times minors of the other half."""
    is_upper = j >= 2  # the minors are of the lower rows
    row = next(r for r in range(4) if r != j and (r >= 2) == is_upper)
    columns, total = [c for c in range(4) if c != i], 0
    at = [r for r in range(4) if r != j].index(row)
    for k, column in enumerate(columns):
        rest = tuple(c for c in columns if c != column)
        term = m[:, row, column] * minors[not is_upper][PAIRS.index(rest)]
        total = total + (term if (i + j + k + at) % 2 == 0 else -term)
    return total


def inverse_4x4(d, m):
    """By minors of the two upper rows and of the two lower ones."""
    s, c = ([m[:, r, i] * m[:, r + 1, j] - m[:, r + 1, i] * m[:, r, j] for i, j in PAIRS] for r in (0, 2))
    det = s[0] * c[5] - s[1] * c[4] + s[2] * c[3] + s[3] * c[2] - s[4] * c[1] + s[5] * c[0]
    r = 1 / det
    y = [cofactor(m, (s, c), i, j) * r for i in range(4) for j in range(4)]
    return torch.stack(y, -1).view(-1, 4, 4), det


def inverse_4x4__linalg(d, m):
    return torch.linalg.inv_ex(m)[0], torch.linalg.det(m)


def gram_plus_half(a):
    return a @ a.mT + 0.5 * torch.eye(4, device=a.device)


def cholesky_solve_4x4(d, a, b):
    s, low = gram_plus_half(a), {}
    for j in range(4):
        low[j, j] = torch.sqrt(s[:, j, j] - sum(low[j, k] ** 2 for k in range(j)))
        for i in range(j + 1, 4):
            low[i, j] = (s[:, i, j] - sum(low[i, k] * low[j, k] for k in range(j))) / low[j, j]
    y, x = [], [None] * 4
    for i in range(4):
        y.append((b[:, i] - sum(low[i, k] * y[k] for k in range(i))) / low[i, i])
    for i in (3, 2, 1, 0):
        x[i] = (y[i] - sum(low[k, i] * x[k] for k in range(i + 1, 4))) / low[i, i]
    return torch.stack(x, -1)


def cholesky_solve_4x4__linalg(d, a, b):
    return torch.cholesky_solve(b[..., None], torch.linalg.cholesky_ex(gram_plus_half(a))[0])[..., 0]


def kalman_step(d, x, P, z, A, Q, R):
    x = x @ A.T
    P = A @ P @ A.T + Q
    S = P[:, :2, :2] + R
    det = S[:, 0, 0] * S[:, 1, 1] - S[:, 0, 1] * S[:, 1, 0]
    adjugate = torch.stack([S[:, 1, 1], -S[:, 0, 1], -S[:, 1, 0], S[:, 0, 0]], -1).view(-1, 2, 2)
    K = P[:, :, :2] @ (adjugate / det[:, None, None])
    return x + (K @ (z - x[:, :2])[..., None])[..., 0], P - K @ P[:, :2]


def skinning_4_bones(d, v, w, bone, m):
    t = (m[bone] * w[..., None, None]).sum(1)
    return (t[:, :, :3] * v[:, None]).sum(-1) + t[:, :, 3]


def ell_times_vector(d, vals, at, x):
    return (vals * x[at]).sum(-1)


@prepared
def ell_times_vector__csr(d, vals, at, x):
    rows = torch.arange(0, d.N * d.K + 1, d.K, device=x.device)
    m = torch.sparse_csr_tensor(rows, at.long().flatten(), vals.flatten(), (d.N, d.N), check_invariants=False)
    return lambda: m @ x


# ---- steps with a residual --------------------------------------------------------------------------

def pressure_jacobi(d, p, u, v):
    along, across = torch.roll(u, -1, 1) - torch.roll(u, 1, 1), torch.roll(v, -1, 0) - torch.roll(v, 1, 0)
    near = torch.roll(p, 1, 1) + torch.roll(p, -1, 1) + torch.roll(p, 1, 0) + torch.roll(p, -1, 0)
    p1 = (near - (along + across) / 2) / 4
    return p1, (p1 - p).abs().max()
