"""Wrong answers from a second collection, with the expected findings.

They were rewritten from public bugs, or typed as students type them, before any feedback on them
was seen.
"""

import cmath
import math

import numpy as np
from numpy.linalg import norm

from course_utils import angular_frequencies, sinusoidal_encoding
from course_utils.encodings import normalized_encoding


def col(v, d):
    return np.tile(np.asarray(v, float)[:, None], d)


def first(cond):
    i = 0
    while not cond(i) and i < 30000:
        i += 1
    return i


def exposing(differ):

    def f(attempt, longest, widest):
        out = np.zeros((longest, widest))
        for i, j in np.ndindex(longest, widest):
            out[i, j] = differ(normalized_encoding(i + 1, j + 1), attempt(i + 1, j + 1))
        return out

    return f


def bits_of(n, d):
    return np.asarray(n)[:, None] >> np.arange(d) & 1


def w_of(d, base=10000.0):
    return base ** (-2 * np.arange((d + 1) // 2) / d)


def inter(angles, d):
    t = np.zeros((len(angles), d))
    t[:, ::2] = np.sin(angles)[:, : (d + 1) // 2]
    t[:, 1::2] = np.cos(angles)[:, : d // 2]
    return t


def hand(r):
    return math.atan2(r[-2], r[-1])


def slow(r, b):
    return b ** (2 / len(r) - 1)


def rowsp(n, d, base=10000.0):
    return inter(np.outer(np.arange(n), w_of(d, base)), d)


def halves_back(b, d, c=None, s=None):
    a = b * angular_frequencies(d)
    return (np.diag(np.cos(a)), np.diag(np.sin(a)))


def sb(b, d):
    c, s = halves_back(b, d)
    return np.block([[c, -s], [s, c]])


def dist2(r, d):
    return d - 2 * np.cos(np.outer(r, angular_frequencies(d))).sum(1)


def sines(n, d):
    return sinusoidal_encoding(n, d)[:, ::2]


def strange(n, d, scale=1):
    a = np.outer(np.arange(n) * scale, 10000.0 ** (-np.arange(d) / d))
    return np.where(np.arange(d) % 2, np.cos(a), np.sin(a))


class Base:
    def __init__(self, max_length, d_model):
        self.pe = sinusoidal_encoding(max_length, d_model)

    def check(self, x):
        if x.shape[-2] > len(self.pe):
            raise ValueError("too long")


def softmax(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def turn(x, y, a, sign=-1):
    return (x * np.cos(a) + sign * y * np.sin(a), x * np.sin(a) + y * np.cos(a))


def rope_pairs(v, pos, freqs=None, sign=-1, change=np.asarray, low=np.asarray):
    d = v.shape[1]
    a = np.outer(
        np.broadcast_to(change(pos), len(v)), angular_frequencies(d) if freqs is None else freqs(d)
    )
    x, y = (v[:, ::2], v[:, 1::2])
    out = np.empty(v.shape)
    c, s = (low(np.cos(a)), low(np.sin(a)))
    out[:, ::2] = x * c + sign * y * s
    out[:, 1::2] = x * s + y * c
    return out


def rope_halves(v, pos, sign=-1):
    d = v.shape[1]
    a = np.outer(np.broadcast_to(pos, len(v)), angular_frequencies(d))
    x, y = (v[:, : d // 2], v[:, d // 2 :])
    return np.hstack([x * np.cos(a) + sign * y * np.sin(a), x * np.sin(a) + y * np.cos(a)])


def row_slopes(n):
    return 2.0 ** (-8 * np.arange(1, n + 1) / n)


def slopes_right(n):
    p = 2 ** math.floor(math.log2(n))
    return np.append(row_slopes(p), row_slopes(2 * p)[::2][: n - p])


def t5(r, n, far, both, last=True, low=lambda x: x):
    out = 0
    if both:
        n //= 2
        out = n if r > 0 else 0
        r = abs(r)
    else:
        r = max(-r, 0)
    near = n // 2
    if r < near:
        return out + r
    v = near + int(low(math.log(r / near) / math.log(far / near) * (n - near)) + 1e-09)
    return out + (min(v, n - 1) if last else v)


def means(b, w):
    return np.lib.stride_tricks.sliding_window_view(b, w).mean(1)


def scores(q, k, n):
    i = np.arange(n)
    return np.array(turn(*q, i)).T @ np.array(turn(*k, -i))


def stripes(width):
    return lambda n, d: np.stack([np.arange(n) // width(c) % 2 for c in range(d)], 1)


def read(angle, freq=None):
    return lambda r, b: round(float(angle(r)) / (freq(r, b) if freq else slow(r, b)))


def between(diff, freq=None):
    return lambda a, o, b: round(
        float(diff(hand(a), hand(o))) / (freq(a, b) if freq else slow(a, b))
    )


def nearest(dist):
    return lambda r, n, b: int(np.argmin([dist(t, r) for t in rowsp(n, len(r), b)]))


def cos_sum(w, a, z):
    return np.cos(np.outer(np.arange(a, z + 1), w)).sum(1)


def freqs_of(d, base=10000.0):
    return base ** (-np.arange(0, d, 2) / d)


def rope_any(v, pos, first, second, freqs=None, sx=1, sy=-1):
    d = v.shape[1]
    a = np.outer(np.broadcast_to(pos, len(v)), freqs_of(d) if freqs is None else freqs)
    out = np.array(v, float)
    x, y = (v[:, first], v[:, second])
    out[:, first] = sx * x * np.cos(a) + sy * y * np.sin(a)
    out[:, second] = x * np.sin(a) + y * np.cos(a)
    return out


class Cat(Base):
    def __call__(self, x):
        self.check(x)
        return np.concatenate([x, np.broadcast_to(self.pe[: x.shape[-2]], x.shape)], axis=-1)


class PeOnly(Base):
    def __call__(self, x):
        self.check(x)
        return self.pe[: x.shape[-2]]


class ScaledPe(Base):
    def __call__(self, x):
        self.check(x)
        return x + self.pe[: x.shape[-2]] * x.shape[-1] ** 0.5


class Trunc(Base):
    def __call__(self, x):
        n = min(x.shape[-2], len(self.pe))
        return x[..., :n, :] + self.pe[:n]


class Wrap(Base):
    def __call__(self, x):
        return x + self.pe[np.arange(x.shape[-2]) % len(self.pe)]


def bucket_with(
    r,
    n,
    far,
    both,
    half=lambda n: n // 2,
    exact=lambda n: n // 2,
    side=lambda r: r > 0,
    log=math.log,
    denom=lambda far, m: math.log(far / m),
    span=lambda n, m: n - m,
    rnd=int,
    dist=None,
    last=lambda n: n - 1,
):
    out = 0
    if both:
        n = half(n)
        out = n * side(r)
        r = abs(r)
    else:
        r = max(-r, 0) if dist is None else dist(r)
    m = exact(n)
    if r < m:
        return out + r
    return out + min(m + rnd(log(r / m) / denom(far, m) * span(n, m) + 1e-09), last(n))


def B(**k):
    return lambda *g: bucket_with(*g, **k)


def press_like(more):

    def f(n):
        p = 2 ** math.floor(math.log2(n))
        return np.append(row_slopes(p), more(n, p)[: n - p])

    return f


def rep_int(n, d, p):
    t = np.zeros((n, d), dtype=int)
    for i in range(n):
        for c in range(d):
            t[i, c] = i % p / (p - 1)
    return t


def rep_range(n, d, p):
    t = np.zeros((n, d))
    for i in range(1, n):
        t[i] = i % p / (p - 1) if i % p else 1
    return t


def rep_return(n, d, p):
    t = np.zeros((n, d))
    for i in range(n):
        t[i] = i % p / (p - 1)
        if i == p:
            return t
    return t


def rep_counter(n, d, p):
    t = np.zeros((n, d))
    k = 0
    for i in range(n):
        t[i] = k / (p - 1)
        k += 1
        if k > p:
            k = 0
    return t


def ex_double(t):
    m = np.zeros((len(t), len(t)))
    for i in range(len(t)):
        for j in range(i + 1, len(t)):
            m[i, j] = m[j, i] = (t[i] == t[j]).all()
    return m


def ex_break(t):
    m = np.zeros((len(t), len(t)))
    for i in range(len(t)):
        for j in range(len(t)):
            for a, b in zip(t[i], t[j], strict=False):
                if a == b:
                    m[i, j] = 1
                else:
                    break
    return m


def ex_len(t):
    m = np.zeros((len(t), len(t)))
    for i in range(len(t)):
        for j in range(len(t)):
            m[i, j] = 1 if sum(t[i]) == sum(t[j]) and len(t[i]) == len(t[j]) else 0
    return m


def drown_int(w, s):
    n = int(norm(w))
    i = 0
    while n / (n + i * math.sqrt(len(w))) >= s:
        i += 1
    return i


def drown_vec(w, s):
    for i in range(100000):
        v = np.array([i] * len(w))
        if norm(w) < s * norm(w + v):
            return i


def drown_le(w, s):
    i = 0
    while norm(w) / (norm(w) + norm(np.full(len(w), i))) > s:
        i += 1
    return i


def exp_else(r, t):
    if np.shape(t) != r.shape:
        return 1
    for a, b in zip(r.ravel(), np.ravel(t), strict=False):
        if abs(a - b) > 1e-08:
            return 1
        else:
            return 0
    return 0


def exp_try(r, t):
    try:
        return 0 if np.allclose(r, t) else 1
    except Exception:
        return 0


def exp_sizes(f, L, W):
    out = np.zeros((L, W))
    for i in range(1, L):
        for j in range(1, W):
            a = f(i, j)
            r = normalized_encoding(i, j)
            out[i, j] = a.shape != r.shape or not np.allclose(a, r)
    return out


def shares_loop(n, d):
    t = np.zeros((n, d))
    for i in range(n):
        t[i] = i / n
    return t


def shares_round(n, d):
    return col(np.round((np.arange(n) + 1) / n, 1), d)


def shares_cum(n, d):
    return col((np.arange(n) + 1) / (n * (n + 1) / 2), d)


def bits_loop(n):
    b = 0
    while n > 0:
        n //= 2
        b += 1
    return b


def bits_str(n):
    return len(str(bin(n))) - 2


def pos_enum(b):
    return [sum((int(x) * 2**i for i, x in enumerate(reversed(r)))) for r in b]


def pos_first_row(b):
    for r in b:
        return sum((x * 2**i for i, x in enumerate(r)))


def pos_times_i(b):
    return [sum((x * 2 * i for i, x in enumerate(r))) for r in b]


def order_index(b):
    p = list(b @ 2 ** np.arange(b.shape[1]))
    return [p.index(x) for x in p]


def order_sorted_values(b):
    return sorted(b @ 2 ** np.arange(b.shape[1]))


def order_min(b):
    p = list(map(float, b @ 2 ** np.arange(b.shape[1])))
    out = []
    while len(out) < len(p):
        k = int(np.argmin(p))
        out.append(p[k])
        p[k] = np.inf
    return out


def gray_rec(n, d):

    def g(k):
        if k == 0:
            return [[]]
        prev = g(k - 1)
        return [[0] + p for p in prev] + [[1] + p for p in prev]

    r = np.array(g(d)) if d < 12 else bits_of(np.arange(n), d)
    return r[:n]


def gray_str(n, d):
    return [[int(c) for c in format(i ^ i >> 1, f"0{d}b")] for i in range(n)]


def gray_plus(n, d):
    return bits_of(np.arange(n) + (np.arange(n) >> 1), d)


def flips_zip(t, r):
    return [sum((a != b for a, b in zip(t[i], t[i + 1], strict=False))) for i in range(len(t) - r)]


def flips_neg(t, r):
    return [int((t[i] != t[i - r]).sum()) for i in range(len(t))]


def flips_one(t, r):
    return sum((t[i] != t[i + r]).sum() for i in range(len(t) - r))


def stripes_loop(n, d):
    t = np.zeros((n, d))
    for c in range(d):
        w = c + 1
        for i in range(0, n, 2 * w):
            t[i : i + w, c] = 1
    return t


def stripes_skip(n, d):
    t = np.zeros((n, d))
    for c in range(d):
        for i in range(n):
            t[i, c] = i % (c + 2) // (c + 1)
    return t


def stripes_xor(n, d):
    return np.arange(n)[:, None] // (np.arange(d) + 1) & 2


def row_deg():
    return [f(math.degrees(12 * 64 ** (-k / 3))) for k in range(3) for f in (math.sin, math.cos)]


def rows_loop_i(p, d, b):
    t = np.zeros((len(p), d))
    for i in range(len(p)):
        for c in range(0, d, 2):
            t[i, c] = math.sin(p[i] / b ** (2 * c / d))
            if c + 1 < d:
                t[i, c + 1] = math.cos(p[i] / b ** (2 * c / d))
    return t


def rows_index(p, d, b):
    t = np.zeros((len(p), d))
    for i, _ in enumerate(p):
        for c in range(d):
            t[i, c] = (math.sin if c % 2 == 0 else math.cos)(i / b ** (2 * (c // 2) / d))
    return t


def rows_mult(p, d, b):
    t = np.zeros((len(p), d))
    for i, x in enumerate(p):
        for c in range(d):
            t[i, c] = (math.sin if c % 2 == 0 else math.cos)(
                min(x * float(b) ** (2 * (c // 2) / d), 1e300)
            )
    return t


def rows_cat(p, d, b):
    a = np.outer(p, float(b) ** (-np.arange(0, d, 2) / d))
    return np.concatenate([np.sin(a), np.cos(a)[:, : d // 2]], axis=1)


def rows_power(p, d, b):
    return inter(
        np.asarray(p, float)[:, None] / float(b) ** (2 * np.arange((d + 1) // 2) / d) * 2, d
    )


def pos_acos(r, b):
    return round(math.acos(max(-1, min(1, r[-1]))) * b ** (1 - 2 / len(r)))


def pos_tau(r, b):
    return round((math.atan2(r[-2], r[-1]) + math.tau) * b ** (1 - 2 / len(r)))


def pos_d(r, b):
    return round(math.atan2(r[-2], r[-1]) % math.tau * b ** ((len(r) - 1) / len(r)))


def strange_1(n, d):
    return np.where(
        np.arange(d) % 2,
        np.cos(np.outer(range(n), 10000.0 ** (-(np.arange(d) - 1) / d))),
        np.sin(np.outer(range(n), 10000.0 ** (-(np.arange(d) - 1) / d))),
    )


def strange_2(n, d):
    return np.where(
        np.arange(d) % 2,
        np.cos(np.outer(range(n), 10000.0 ** (-np.arange(d) / (d - 1)))),
        np.sin(np.outer(range(n), 10000.0 ** (-np.arange(d) / (d - 1)))),
    )


def strange_3(n, d):
    return np.sin(
        np.outer(range(n), 10000.0 ** (-np.arange(d) / d)) + np.pi / 2 * (np.arange(d) % 2 == 0)
    )


def shift_loop(b, d):
    m = np.zeros((d, d))
    for k in range(d // 2):
        w = 10000 ** (-2 * k / d)
        c, s = (math.cos(b * w), math.sin(b * w))
        m[k, k] = c
        m[k, k + d // 2] = s
        m[k + d // 2, k] = -s
        m[k + d // 2, k + d // 2] = c
    return m


def shift_power(b, d):
    return np.linalg.matrix_power(sb(1, d), abs(b))


def shift_i(b, d):
    m = np.eye(d)
    for k in range(d // 2):
        a = b * 10000 ** (-k / d)
        m[k, k] = m[k + d // 2, k + d // 2] = math.cos(a)
        m[k, k + d // 2] = -math.sin(a)
        m[k + d // 2, k] = math.sin(a)
    return m


def dist_table(r, d):
    t = rowsp(11, d)
    return [norm(t[abs(x) % 11] - t[0]) for x in r]


def dist_loop(r, d):
    out = []
    for x in r:
        s = 0
        for k in range(d // 2):
            s += 2 - 2 * math.cos(x * 10000 ** (-2 * k / d))
        out.append(s)
    return out


def dist_one(r, d):
    return [
        math.sqrt(sum(1 - math.cos(x * 10000 ** (-2 * k / d)) for k in range(d // 2))) for x in r
    ]


def off_if(a, o, b):
    t = hand(o) - hand(a)
    if t < 0:
        t += math.tau
    return round(t / slow(a, b))


def off_int(a, o, b):
    return int(((hand(o) - hand(a) + math.pi) % math.tau - math.pi) / slow(a, b))


def off_pi(a, o, b):
    return round(((hand(o) - hand(a)) % math.tau - math.pi) / slow(a, b))


def prod_norm(n, d):
    t = sines(n, d)
    return t @ t.T * 2 / d


def prod_loop(n, d):
    t = sinusoidal_encoding(n, d)
    return [[sum(t[i, c] * t[j, c] for c in range(d) if c % 2) for j in range(n)] for i in range(n)]


def prod_outer(n, d):
    t = sines(n, d).sum(1)
    return np.outer(t, t)


def ret_lcm(m, s):
    return float(np.lcm.reduce(m)) * s


def ret_period(m, s):
    return math.tau / (s * (max(m) - min(m))) if len(m) > 1 else math.tau / (m[0] * s)


def ret_pi(m, s):
    return 2 * 3.14 / (math.gcd(*map(int, m)) * s)


def sim_while(w, a, z):
    best = a
    for r in range(a, z + 1):
        if np.cos(r * w).sum() >= np.cos(best * w).sum() - 0.5:
            best = r
    return best


def sim_first_gt(w, a, z):
    for r in range(a, z):
        if np.cos((r + 1) * w).sum() < np.cos(r * w).sum():
            return r
    return z


def sim_max(w, a, z):
    return max(np.cos(r * w).sum() for r in range(a, z + 1))


def base_half(n, d):
    return ((n - 1) / (math.pi / 2)) ** (d / 2 / (d - 2))


def base_log(n, d):
    return math.exp(math.log((n - 1) / (math.pi / 2)) * (d - 2) / d)


def base_pos(n, d):
    return (n / (2 * math.pi)) ** (d / (d - 2))


def fr_d(d):
    return [10000 ** (-2 * k / (d - 1)) for k in range(d // 2)]


def fr_loop(d):
    return [1 / 10000 ** (k / (d // 2) - 1) for k in range(d // 2)]


def fr_lin(d):
    return [1 - k * (1 - 0.0001) / (d // 2 - 1) for k in range(d // 2)]


def lost_minus(n):
    return 2 ** (n - 1) - 1


def lost_float(n):
    i = 1
    while i < 2**n:
        i += 1
    return i


def lost_ten(n):
    return 10**n + 1


def noisy_first(r, n, b):
    t = rowsp(n, len(r), b)
    for i in range(n):
        if norm(t[i] - r) < 1:
            return i
    return n - 1


def noisy_dot(r, n, b):
    return int((rowsp(n, len(r), b)[:, ::2] @ r[::2]).argmax())


def noisy_n1(r, n, b):
    return int(norm(rowsp(n - 1, len(r), b) - r, axis=1).argmin()) if n > 1 else 0


class PeShape0(Base):
    def __call__(self, x):
        if x.shape[0] > len(self.pe):
            raise ValueError
        return x + self.pe[: x.shape[0]]


class PeNoRaise(Base):
    def __call__(self, x):
        return x + self.pe[: x.shape[-2]] if x.shape[-2] <= len(self.pe) else x


class PeOnes(Base):
    def __init__(self, n, d):
        self.pe = np.array(
            [
                [
                    math.sin(i / 10000 ** (c / d)) if c % 2 == 0 else math.cos(i / 10000 ** (c / d))
                    for c in range(d)
                ]
                for i in range(n)
            ]
        )

    def __call__(self, x):
        self.check(x)
        return x + self.pe[: x.shape[-2]]


class PeRow0(Base):
    def __call__(self, x):
        self.check(x)
        return x + self.pe[0]


class PeDouble(Base):
    def __call__(self, x):
        self.check(x)
        return 2 * x + self.pe[: x.shape[-2]]


def look_inv(k, s):
    return np.linalg.inv(k)


def look_loop(k, s):
    m = np.eye(len(k))
    for _ in range(s):
        m = m * k.T
    return m


def look_pow(k, s):
    return np.linalg.matrix_power(k, s).T @ k


def look_abs(x, r):
    return sum(abs(int(x[i].argmax()) - i) == abs(r) for i in range(len(x))) / len(x)


def look_ge(x, r):
    ok = [i for i in range(len(x)) if 0 <= i + r < len(x)]
    return sum(x[i].argmax() >= i + r for i in ok) / len(ok)


def look_len(x, r):
    return sum(x[i].argmax() == i + r for i in range(len(x) - r) if i + r >= 0) / (len(x) - r)


def before_loop(a, f):
    return sum(a[i, i - 1] for i in range(f, len(a))) / (len(a) - f + 1)


def before_range(a, f):
    return np.mean([a[i, i - 1] for i in range(f, len(a) - 1)]) if f < len(a) - 1 else 0.0


def before_f(a, f):
    return np.mean([a[i, i - f] for i in range(f, len(a))])


def before_col(a, f):
    return np.mean([a[i - 1, i] for i in range(f, len(a))])


def q_deg(k, s, w):
    return np.array(turn(k[0], k[1], -math.radians(s * w)))


def q_len(k, s, w):
    size = math.hypot(*k)
    return [size * math.cos(-s * w), size * math.sin(-s * w)]


def q_swap(k, s, w):
    t = math.atan2(k[0], k[1]) - s * w
    size = math.hypot(*k)
    return [size * math.cos(t), size * math.sin(t)]


def ts_loop(q, k, n):
    return [[float(np.dot(turn(*q, i), turn(*k, j + i))) for j in range(n)] for i in range(n)]


def ts_one(q, k, n):
    return [[float(np.dot(turn(*q, i), k)) for j in range(n)] for i in range(n)]


def ts_half(q, k, n):
    return [[float(np.dot(turn(*q, i / 2), turn(*k, -j / 2))) for j in range(n)] for i in range(n)]


def mk_float(v, s):
    return rope_pairs(v, s, freqs=lambda d: 10000.0 ** (-np.arange(d // 2) / d))


def mk_row(v, s):
    return rope_pairs(v, np.arange(len(v)) + s + 1)


def mk_first(v, s):
    o = v.copy()
    o[0] = rope_pairs(v, s)[0]
    return o


def rp_n2(v, p, n):
    return np.hstack([rope_halves(v[:, : n // 2 * 2], p // 2), v[:, n:]])


def rp_all(v, p, n):
    return np.hstack([v[:, :n], rope_halves(v[:, n:], p)]) if v.shape[1] > n else v * 1.0


def rp_sum(v, p, n):
    o = v.copy()
    o[:, :n] += rope_halves(v[:, :n], p)
    return o


def su_zip(b, n, w):
    return [sum(b[i : i + w]) / w / (sum(b[:n]) / len(b[:n])) for i in range(len(b) - w + 1)]


def su_last(b, n, w):
    return [np.mean(b[max(0, i - w) : i]) / np.mean(b[: n - 1]) for i in range(w, len(b))]


def su_all(b, n, w):
    return [np.mean(b[i : i + w]) / np.mean(b[: n - 1]) for i in range(len(b))]


def su_median(b, n, w):
    return means(b, w) / np.median(b[: n - 1])


def sl_zero(n):

    def sp2(n):
        r = 2.0 ** (-8.0 / n)
        return [r**i for i in range(n)]

    if math.log2(n).is_integer():
        return sp2(n)
    m = 2 ** math.floor(math.log2(n))
    return sp2(m) + sp2(2 * m)[::2][: n - m]


def sl_ratio(n):
    return [2.0 ** (-8 * (i + 1) / n) for i in range(n)]


def sl_inter(n):
    p = 2 ** math.floor(math.log2(n))
    m = 2 ** math.ceil(math.log2(n))
    return (
        (list(row_slopes(m)[::2]) + list(row_slopes(2 * m)[1::2]))[:n] if n != p else row_slopes(n)
    )


def bk_ceil(r, n, far, both):
    o = 0
    if both:
        n //= 2
        o = n if r > 0 else 0
        r = abs(r)
    else:
        r = max(-r, 0)
    m = n // 2
    return (
        o + r
        if r < m
        else o
        + min(m + math.ceil(math.log(r / m) / math.log((far - 1) / m) * (n - 1 - m) - 1e-09), n - 1)
    )


def bk_paddle(r, n, far, both):
    return t5(r, n, far, True)


def bk_min(r, n, far, both):
    o = 0
    if both:
        n //= 2
        o = n if r > 0 else 0
        r = abs(r)
    else:
        r = abs(min(r, 0))
    return o + min(r, n - 1)


def br_a(v, p):
    return np.array(
        [
            [
                v[i, c] * math.cos(p[i] * 10000.0 ** (-2 * (c % (v.shape[1] // 2)) / v.shape[1]))
                for c in range(v.shape[1])
            ]
            for i in range(len(v))
        ]
    )


def br_c(v, p):
    a = np.outer(p, np.tile(freqs_of(v.shape[1]), 2))
    q = np.stack([-v[:, 1::2], v[:, ::2]], -1).reshape(v.shape)
    return v * np.cos(a) - q * np.sin(a)


def br_d(v, p):
    return rope_pairs(v, p, freqs=lambda d: freqs_of(d)[::-1])


def rep_abs(n, d, p):
    return col(np.abs((np.arange(n) + p // 2) % p - p // 2) / (p - 1), d)


def rep_idx(n, d, p):
    return np.array([[(i * d + c) % p / (p - 1) for c in range(d)] for i in range(n)])


def ex_sorted(t):
    return [[float(sorted(a) == sorted(b)) for b in t] for a in t]


def ex_upper(t):
    return [[float(j >= i and (t[i] == t[j]).all()) for j in range(len(t))] for i in range(len(t))]


def dr_half(w, s):
    return first(lambda i: norm(w) / (norm(w) + i * math.sqrt(len(w))) < s) // 2


def dr_word(w, s):
    return first(lambda i: norm(w - i) / (norm(w) + 1e-12) > 1 / s)


def bn_len(n):
    return len(bin(n - 1)) - 1


def bn_sum(n):
    return sum(1 for k in range(n) if 2**k < n) + 1


def pb_rev(b):
    return [int("".join(map(str, map(int, r[::-1]))), 2) + 1 for r in b]


def pb_cum(b):
    return np.cumsum(b * 2 ** np.arange(b.shape[1]), axis=1)[:, 0]


def ro_rev(b):
    return np.argsort(b @ 2 ** np.arange(b.shape[1])[::-1])[::-1]


def ro_unique(b):
    return np.unique(b @ 2 ** np.arange(b.shape[1]), return_index=True)[0]


def ga_roll(n, d):
    return bits_of(np.arange(n), d) ^ np.roll(bits_of(np.arange(n), d), 1, axis=1)


def ga_gg(n, d):
    g = np.arange(n) ^ np.arange(n) >> 1
    return bits_of(g ^ g >> 1, d)


def fl_max(t, r):
    return [max((a != b for a, b in zip(t[i], t[i + r], strict=False))) for i in range(len(t) - r)]


def fl_back(t, r):
    return [(t[i] != t[i + r]).sum() for i in range(len(t) - r)][::-1]


def st_two(n, d):
    return np.arange(n)[:, None] // np.arange(1, d + 1) % 3


def st_shift(n, d):
    return (np.arange(n)[:, None] - np.arange(d)) // np.arange(1, d + 1) % 2


def rw_sum():
    return [math.sin(12) + math.cos(12)] * 6


def sr_float(p, d, b):
    return inter(np.outer(np.asarray(p) / b, w_of(d, float(b))), d)


def sr_sq(p, d, b):
    return inter(np.outer(p, w_of(d, float(b))) ** 2, d)


def pr_neg(r, b):
    return round(abs(math.atan2(r[-2], r[-1])) * b ** (1 - 2 / len(r)))


def pr_len(r, b):
    return round(math.atan2(r[-2], r[-1]) % math.tau * b ** (1 - 1 / len(r)))


def sg_half(n, d):
    return np.where(
        np.arange(d) % 2,
        np.cos(np.outer(range(n), 10000.0 ** (-np.arange(d) / (2 * d)))),
        np.sin(np.outer(range(n), 10000.0 ** (-np.arange(d) / (2 * d)))),
    )


def sg_rev(n, d):
    return np.where(
        np.arange(d) % 2,
        np.cos(np.outer(range(n), 10000.0 ** (-np.arange(d)[::-1] / d))),
        np.sin(np.outer(range(n), 10000.0 ** (-np.arange(d)[::-1] / d))),
    )


def sh_inv(b, d):
    return np.linalg.inv(sb(b, d)) * 1


def sh_row(b, d):
    m = sb(b, d)
    return m[::-1]


def di_abs(r, d):
    return np.sqrt(np.maximum(dist2(r, d), 0)) / 2


def di_cosd(r, d):
    return np.sqrt(np.abs(d - np.cos(np.outer(r, freqs_of(d))).sum(1) * 2) / d)


def of_sum(a, o, b):
    return round(((hand(o) - hand(a) + math.pi) % math.tau - math.pi) * b)


def of_first(a, o, b):
    return round(
        ((math.atan2(o[0], o[1]) - math.atan2(a[0], a[1]) + math.pi) % math.tau - math.pi)
        / slow(a, b)
    )


def sp_diff(n, d):
    t = sinusoidal_encoding(n, d)
    return t[:, ::2] @ t[:, ::2].T - t[:, 1::2] @ t[:, 1::2].T


def sp_cosall(n, d):
    return (
        np.cos(np.subtract.outer(np.arange(n), np.arange(n))[..., None] * freqs_of(d)).sum(-1) / 2
    )


def fr_freq(m, s):
    return math.tau * s / np.gcd.reduce(m)


def fr_half(m, s):
    return math.pi / (s * np.gcd.reduce(m))


def ms_two(w, a, z):
    return a + int(np.argsort(cos_sum(w, a, z))[-2])


def ms_abs(w, a, z):
    return a + int(np.abs(cos_sum(w, a, z)).argmax())


def bq_d2(n, d):
    return ((n - 1) / (math.pi / 2)) ** (2 / (d - 2))


def bq_n2(n, d):
    return ((n - 2) / (math.pi / 2)) ** (d / (d - 2))


def tf_sq(d):
    return 10000.0 ** (-((np.arange(d // 2) / (d // 2 - 1)) ** 2))


def tf_last(d):
    return np.r_[10000.0 ** (-2 * np.arange(d // 2 - 1) / d), 0.0001]


def fl_two(n):
    return 2**n + 3


def nr_last(r, n, b):
    t = rowsp(n, len(r), b)
    return n - 1 - int(((t[::-1] - r) ** 2).sum(1).argmax())


class PeHalf(Base):
    def __call__(self, x):
        self.check(x)
        y = x.copy()
        y[..., ::2] += self.pe[: x.shape[-2], ::2]
        return y


class PeInt(Base):
    def __call__(self, x):
        self.check(x)
        return x + self.pe[: x.shape[-2]].astype(int)


def lf_half(k, s):
    return np.linalg.matrix_power(k.T, 2 * s)


def sl_neg(x, r):
    return np.mean([x[i].argmax() == i - r for i in range(len(x)) if 0 <= i + r < len(x)])


def sb_first(a, f):
    return a.diagonal(-1)[:f].mean()


def qb_sqrt(k, s, w):
    return np.array(turn(k[0], k[1], -s * w**0.5))


def qb_norm(k, s, w):
    return np.array(turn(k[0], k[1], -s * w)) / np.hypot(*k)


def ts_prod(q, k, n):
    return np.outer(turn(*q, np.arange(n))[0], turn(*k, -np.arange(n))[0])


def ts_deg2(q, k, n):
    return [
        [float(np.dot(turn(*q, 2 * math.pi * i), turn(*k, -2 * math.pi * j))) for j in range(n)]
        for i in range(n)
    ]


def mk_sin(v, s):
    o = v.copy() * 0.0
    w = freqs_of(v.shape[1])
    x, y = (v[:, ::2], v[:, 1::2])
    o[:, ::2] = x * np.cos(s * w) - y * np.sin(s * w)
    o[:, 1::2] = y * np.cos(s * w) - x * np.sin(s * w)
    return o


def mk_pi(v, s):
    return rope_pairs(v, s * math.pi)


def rp_half(v, p, n):
    return (
        np.hstack([rope_halves(v[:, : n // 2], p), v[:, n // 2 :]]) if n // 2 % 2 == 0 else v * 1.0
    )


def rp_perm(v, p, n):
    return np.hstack([rope_halves(v[:, :n], p)[:, ::-1], v[:, n:]])


def su_std(b, n, w):
    return means(b, w) - b[: n - 1].mean() * 1


def su_geo(b, n, w):
    return np.exp(means(np.log(b), w)) / b[: n - 1].mean()


def al_neg(n):
    return [-s for s in slopes_right(n)]


def al_rat(n):
    return [1 / s for s in slopes_right(n)]


def bu_log(r, n, far, both):
    return t5(r, n, far, both) if abs(r) < far else n


def bu_q(r, n, far, both):
    return min(abs(r) * n // far, n - 1)


def br_abs(v, p):
    return (lambda a, q: v * np.cos(a) + q * np.sin(a))(
        np.outer(p, np.tile(freqs_of(v.shape[1]), 2)),
        np.stack([v[:, 1::2], v[:, ::2]], -1).reshape(v.shape)
        * np.where(np.arange(v.shape[1]) < v.shape[1] // 2, -1, 1),
    )


def br_two(v, p):
    return rope_halves(rope_pairs(v, p), p)


def judge(f):
    return exposing(lambda r, t: np.shape(t) != r.shape or f(np.asarray(t) - r))


def pe(f):
    return type("Pe", (Base,), {"__call__": lambda s, x: (s.check(x), f(s, x))[1]})


def table_of(f):

    def init(s, n, d):
        s.pe = np.array([[f(i, c, d) for c in range(d)] for i in range(n)])

    return type(
        "Pe",
        (Base,),
        {"__init__": init, "__call__": lambda s, x: (s.check(x), x + s.pe[: x.shape[-2]])[1]},
    )


def wave(i, c, d, e, cosine):
    return (math.cos if cosine else math.sin)(i / 10000.0**e)


def halves_at(i, c, d):
    return wave(i, c, d, 2 * (c % (d // 2)) / d, c >= d // 2)


def readpos(angle, per):
    return lambda last: lambda r, b: last(angle(r) * per(len(r), b))


def norms_near(limit):

    def f(r, n, b):
        for i, t in enumerate(rowsp(n, len(r), b)):
            if math.dist(t, r) < limit:
                return i
        return n - 1

    return f


def weighted(w):
    return lambda r, n, b: min(
        range(n),
        key=lambda i: sum(
            (
                w(c, len(r), b) * (x - y) ** 2
                for c, (x, y) in enumerate(zip(rowsp(n, len(r), b)[i], r, strict=False))
            )
        ),
    )


def kept(cols):
    return lambda r, n, b: min(
        range(n), key=lambda i: math.dist(rowsp(n, len(r), b)[i][cols(len(r))], r[cols(len(r))])
    )


def over(summary):
    return lambda w, a, z: max(range(a, z + 1), key=lambda x: (summary(np.cos(x * w)), -x))


def above(limit):

    def f(w, a, z):
        s = [np.cos(x * w).sum() for x in range(a, z + 1)]
        good = [i for i, v in enumerate(s) if v > limit(s)]
        return a + (good[0] if good else 0)

    return f


def able(x, r):
    return [i for i in range(len(x)) if 0 <= i + r < len(x)]


def two_layouts(c, s):

    def f(v, p):
        q = np.stack([-v[:, 1::2], v[:, ::2]], -1).reshape(v.shape)
        p = np.broadcast_to(p, len(v))
        w = freqs_of(v.shape[1])
        return v * np.cos(np.outer(p, c(w))) + q * np.sin(np.outer(p, s(w)))

    return f


def rep2(w):
    return np.repeat(w, 2)


def til2(w):
    return np.tile(w, 2)


def slopes_and(more):

    def f(n):
        p = 1
        while 2 * p <= n:
            p *= 2
        return list(row_slopes(p)) + list(more(n, p))

    return f


FOUND = {
    "repeating-encoding": (
        (
            "period-too-long",
            "adafruit/circuitpython#11276 (> for >=)",
            lambda n, d, p: col(np.arange(n) % (p + 1) / (p - 1), d),
        ),
        (
            "divided-by-period",
            "csound/csound#2816 (phase - floor)",
            lambda n, d, p: col(np.arange(n) / p - np.floor(np.arange(n) / p), d),
        ),
        (
            "divided-by-period",
            "harveyormston/osc_gen#4",
            lambda n, d, p: col(np.arange(n) % p / (p - 1) * (p - 1) / p, d),
        ),
        (
            "begins-again-once",
            "shards#1235 (single subtraction)",
            lambda n, d, p: col((np.arange(n) - p * (np.arange(n) >= p)) / (p - 1), d),
        ),
        (
            "divided-by-period",
            "numpy-tile, endpoint=False",
            lambda n, d, p: col(np.tile(np.linspace(0, 1, p, endpoint=False), n // p + 1)[:n], d),
        ),
        (
            "pattern.argument-ignored",
            "arguments mixed",
            lambda n, d, p: col(np.arange(n) % d / max(d - 1, 1), d),
        ),
        ("integer-division", "as students type it", rep_int),
        ("one-at-both-ends", "as students type it", rep_range),
        ("zeros-after-period", "as students type it", rep_return),
        ("period-too-long", "as students type it", rep_counter),
        ("", "as students type it", rep_abs),
        ("", "as students type it", rep_idx),
        (
            "period-too-short",
            "as students type it",
            lambda n, d, p: col([k % (p - 1) / p for k in range(n)], d),
        ),
        (
            "period-too-short",
            "as students type it",
            lambda n, d, p: col([k % (p - 1) / max(p - 2, 1) for k in range(n)], d),
        ),
        (
            "period-too-long",
            "as students type it",
            lambda n, d, p: col([k % (p + 1) / p for k in range(n)], d),
        ),
        (
            "zeros-after-period",
            "as students type it",
            lambda n, d, p: col([k / (p - 1) if k < p else 0 for k in range(n)], d),
        ),
        (
            "begins-again-once",
            "as students type it",
            lambda n, d, p: col([k / (p - 1) if k < p else (k - p) / (p - 1) for k in range(n)], d),
        ),
    ),
    "exchangeable-words": (
        (
            "one-number-suffices",
            "numpy/numpy any for all (rougier/numpy-100#34)",
            lambda t: [[bool(np.any(a == b)) for b in t] for a in t],
        ),
        ("wrong-axis", "sandialabs/pyttb#185", lambda t: (t == t[:, None]).all(axis=1)),
        (
            "one-side-normalised",
            "qdrant/quaterion#81",
            lambda t: np.isclose(t / np.maximum(norm(t, axis=1, keepdims=True), 1e-09) @ t.T, 1),
        ),
        ("rows-rounded", "condvis#2", lambda t: ((t[:, None] - t) ** 2).sum(-1) < 1),
        (
            "equal-rows-counted",
            "pandas duplicated",
            lambda t: [[sum((t == a).all(1)) for b in t] for a in t],
        ),
        ("itself-alone", "only itself", lambda t: np.eye(len(t))),
        ("itself-left-out", "as students type it", ex_double),
        ("first-column-only", "as students type it", ex_break),
        ("rows-added-up", "as students type it", ex_len),
        ("numbers-in-any-order", "as students type it", ex_sorted),
        ("each-pair-once", "as students type it", ex_upper),
        (
            "products-for-marks",
            "as students type it",
            lambda t: [[float(a @ b > 0) for b in t] for a in t],
        ),
        (
            "equal-rows-counted",
            "as students type it",
            lambda t: [[sum((r == b).all() for r in t) for b in t] for a in t],
        ),
        (
            "one-side-normalised",
            "as students type it",
            lambda t: [
                [
                    math.isclose(a @ b, norm(b), abs_tol=1e-07)
                    if 0
                    else np.isclose(a @ (b / max(norm(b), 1e-09)), 1)
                    for b in t
                ]
                for a in t
            ],
        ),
        (
            "signs-ignored",
            "as students type it",
            lambda t: [[np.abs(a).tolist() == np.abs(b).tolist() for b in t] for a in t],
        ),
        (
            "summary-compared",
            "as students type it",
            lambda t: [[math.prod(a) == math.prod(b) for b in t] for a in t],
        ),
        (
            "summary-compared",
            "as students type it",
            lambda t: [[min(a) == min(b) for b in t] for a in t],
        ),
        (
            "summary-compared",
            "as students type it",
            lambda t: [[np.isclose(np.std(a), np.std(b)) for b in t] for a in t],
        ),
    ),
    "first-drowned-position": (
        (
            "length-squared",
            "fozziethebeat/S-Space#40",
            lambda w, s: first(lambda i: (w**2).sum() / ((w**2).sum() + i * i * len(w)) < s),
        ),
        (
            "pattern.too-large",
            "MATLAB loop from 1",
            lambda w, s: (
                next(
                    i for i in range(1, 9**6) if norm(w) / (norm(w) + norm(np.full(len(w), i))) < s
                )
                + 1
            ),
        ),
        (
            "columns-added",
            "attention scaling (d for sqrt d)",
            lambda w, s: first(lambda i: norm(w) / (norm(w) + i * len(w)) < s),
        ),
        (
            "position-share",
            "numerator exchanged",
            lambda w, s: first(lambda i: i * len(w) ** 0.5 / (norm(w) + i * len(w) ** 0.5) > s),
        ),
        (
            "over-position-only",
            "SNR w/pos",
            lambda w, s: first(lambda i: i and norm(w) / (i * len(w) ** 0.5) < s),
        ),
        (
            "equal-is-below",
            "fencepost (ceil)",
            lambda w, s: math.ceil(norm(w) * (1 / s - 1) / math.sqrt(len(w)) - 1e-09),
        ),
        ("raised", "as students type it", drown_int),
        ("length-of-sum", "as students type it", drown_vec),
        ("equal-is-below", "as students type it", drown_le),
        ("pattern.repair-extra", "as students type it", dr_half),
        ("", "as students type it", dr_word),
        (
            "between-two-positions",
            "as students type it",
            lambda w, s: round((norm(w) / s - norm(w)) / len(w) ** 0.5),
        ),
    ),
    "exposing-calls": (
        (
            "pattern.wrong-alike",
            "len instead of shape",
            exposing(
                lambda r, t: (
                    len(np.atleast_1d(t)) != len(r)
                    or not np.allclose(
                        r,
                        np.broadcast_to(t, r.shape)
                        if np.size(t) in (1, r.shape[1], r.size)
                        else r + 1,
                    )
                )
            ),
        ),
        (
            "all-must-differ",
            "any for all",
            exposing(lambda r, t: r.shape != np.shape(t) or not np.isclose(r, t).any()),
        ),
        (
            "sums-compared nan-unseen",
            "mean of signed differences",
            exposing(lambda r, t: r.shape != np.shape(t) or abs((r - t).mean()) > 1e-09),
        ),
        (
            "small-faults-unseen",
            "atol=1e-2",
            exposing(lambda r, t: r.shape != np.shape(t) or not np.allclose(r, t, atol=0.01)),
        ),
        (
            "sizes-from-zero",
            "range(longest) as sizes",
            lambda f, L, W: [
                [
                    float(
                        np.shape(f(i, j)) != (i, j)
                        or (i * j and (not np.allclose(f(i, j), normalized_encoding(i, j))))
                    )
                    if i and j
                    else 0.0
                    for j in range(W)
                ]
                for i in range(L)
            ],
        ),
        (
            "one-row-alone",
            "checks last row is ones",
            exposing(lambda r, t: r.shape != np.shape(t) or not np.allclose(t[-1], r[-1])),
        ),
        ("one-entry-alone nan-unseen", "as students type it", exposing(exp_else)),
        ("stretched-before-compared", "as students type it", exposing(exp_try)),
        ("sizes-from-zero", "as students type it", exp_sizes),
        (
            "one-call-for-all",
            "as students type it",
            lambda f, L, W: (
                np.zeros((L, W))
                + (
                    np.shape(f(L, W)) != (L, W)
                    or not np.allclose(f(L, W), normalized_encoding(L, W))
                )
            ),
        ),
        (
            "sums-compared nan-unseen",
            "as students type it",
            judge(lambda x: abs(np.sum(x)) > 1e-09),
        ),
        (
            "other-shape-passes nan-unseen",
            "as students type it",
            exposing(lambda r, t: np.shape(t) == r.shape and np.any(np.abs(t - r) > 1e-09)),
        ),
        ("one-entry-alone", "as students type it", judge(lambda x: not abs(x[0, 0]) < 1e-09)),
        ("one-entry-alone", "as students type it", judge(lambda x: not abs(x[-1, -1]) < 1e-09)),
        (
            "last-column-alone",
            "as students type it",
            judge(lambda x: not np.all(np.abs(x[:, -1]) < 1e-09)),
        ),
    ),
    "their-shares": (
        ("right-shares", "np.linspace default", lambda n, d: col(np.linspace(0, 1, n), d)),
        ("zero-not-in-theirs", "acoular/acoular#66", lambda n, d: col(np.arange(n) / n, d)),
        ("fraction-of-the-position", "1/(i+1)", lambda n, d: col(1 / (np.arange(n) + 1), d)),
        (
            "half-a-position-late",
            "pixel centres",
            lambda n, d: col((2 * np.arange(n) + 1) / (2 * n), d),
        ),
        ("length-in-picture", "step 1/5", lambda n, d: col((np.arange(n) + 1) * 0.2, d)),
        ("zero-not-in-theirs", "as students type it", shares_loop),
        ("pattern.few-digits", "as students type it", shares_round),
        ("pattern.factor-by-call", "as students type it", shares_cum),
        (
            "fraction-of-the-position",
            "as students type it",
            lambda n, d: col([k / (k + 1) for k in range(n)], d),
        ),
        (
            "fraction-of-the-position",
            "as students type it",
            lambda n, d: col([n / (k + 1) for k in range(n)], d),
        ),
    ),
    "bits-needed": (
        ("length-itself-written", "shapoco/calctus#47", lambda n: math.floor(math.log2(n)) + 1),
        (
            "length-itself-written",
            "while 2**k <= n",
            lambda n: next(k for k in range(64) if 2**k > n),
        ),
        ("one-bit-too-few", "round(log2)", lambda n: round(math.log2(n))),
        ("length-itself-written", "len(bin(n))-2", lambda n: len(bin(n)) - 2),
        (
            "written-out-and-counted",
            "fast-pack/FastPFOR#38 (popcount)",
            lambda n: bin(n - 1).count("1"),
        ),
        ("one-bit-too-few", "wiremod/wire#223", lambda n: int(math.log(n) / math.log(2))),
        ("length-itself-written", "as students type it", bits_loop),
        ("length-itself-written", "a public repository", bits_str),
        ("length-itself-returned", "a public repository", lambda n: math.floor(n) + 1),
        ("pattern.too-large", "as students type it", bn_len),
        ("pattern.too-large", "as students type it", bn_sum),
        ("length-itself-returned", "as students type it", lambda n: n - 1),
    ),
    "positions-from-bits": (
        (
            "bytes-filled-from-the-left",
            "numpy/numpy#9398",
            lambda b: np.packbits(b.astype(np.uint8), axis=1)[:, 0],
        ),
        (
            "most-significant-first",
            "int(''.join, 2)",
            lambda b: [int("".join(str(int(x)) for x in r), 2) for r in b],
        ),
        (
            "most-significant-first powers-from-two",
            "powers descending",
            lambda b: b @ 2.0 ** np.arange(b.shape[1], 0, -1),
        ),
        (
            "eight-bits-alone",
            "np.uint8 overflow",
            lambda b: (b.astype(np.uint8) * (2 ** np.arange(b.shape[1])).astype(np.uint8)).sum(
                1, dtype=np.uint8
            ),
        ),
        (
            "pattern.repair-bound",
            "range(1, d)",
            lambda b: sum(b[:, c] * 2**c for c in range(1, b.shape[1])),
        ),
        ("weights-not-doubled", "c**2 for 2**c", lambda b: b @ np.arange(b.shape[1]) ** 2),
        ("most-significant-first", "a public repository", pos_enum),
        ("pattern.only-first-returned", "as students type it", pos_first_row),
        ("weights-not-doubled", "as students type it", pos_times_i),
        ("pattern.too-large", "as students type it", pb_rev),
        ("whether-odd", "as students type it", pb_cum),
        (
            "one-bit-left-out",
            "as students type it",
            lambda b: [sum((int(x) << c for c, x in enumerate(r) if c)) for r in b],
        ),
        (
            "one-bit-left-out",
            "as students type it",
            lambda b: [sum((int(x) << c for c, x in enumerate(r[:-1]))) for r in b],
        ),
        ("rows-numbered", "as students type it", lambda b: list(range(len(b)))),
        (
            "read-as-gray",
            "as students type it",
            lambda b: [
                (lambda v: v ^ v >> 1)(sum((int(x) << c for c, x in enumerate(r)))) for r in b
            ],
        ),
        (
            "read-as-gray",
            "as students type it",
            lambda b: [
                (
                    lambda v: (
                        v
                        ^ v >> 1
                        ^ v >> 2
                        ^ v >> 3
                        ^ v >> 4
                        ^ v >> 5
                        ^ v >> 6
                        ^ v >> 7
                        ^ v >> 8
                        ^ v >> 9
                        ^ v >> 10
                        ^ v >> 11
                    )
                )(sum((int(x) << c for c, x in enumerate(r))))
                for r in b
            ],
        ),
        (
            "last-bit-negative",
            "as students type it",
            lambda b: [
                sum(((-1 if c == len(r) - 1 else 1) * (int(x) << c) for c, x in enumerate(r)))
                for r in b
            ],
        ),
    ),
    "reading-order": (
        (
            "places-for-order",
            "numpy/numpy#22020",
            lambda b: np.argsort(np.argsort(b @ 2 ** np.arange(b.shape[1]))),
        ),
        (
            "last-first",
            "sribdcn/Predict-and-Search#6",
            lambda b: np.argsort(-(b @ 2 ** np.arange(b.shape[1]))),
        ),
        ("most-significant-first", "np.lexsort key order", lambda b: np.lexsort(b.T[::-1])),
        (
            "most-significant-first",
            "sorted(range, key=list)",
            lambda b: sorted(range(len(b)), key=lambda i: list(b[i])),
        ),
        (
            "ones-counted",
            "sort by number of ones",
            lambda b: sorted(range(len(b)), key=lambda i: b[i].sum()),
        ),
        (
            "pattern.too-large",
            "R's order()",
            lambda b: np.argsort(b @ 2 ** np.arange(b.shape[1])) + 1,
        ),
        ("not-sorted", "as students type it", order_index),
        ("positions-sorted", "as students type it", order_sorted_values),
        ("positions-sorted", "as students type it", order_min),
        ("pattern.lines-elsewhere", "as students type it", ro_rev),
        ("positions-sorted", "as students type it", ro_unique),
        (
            "rows-in-order",
            "as students type it",
            lambda b: np.array(sorted(b.tolist(), key=lambda r: r[::-1])),
        ),
    ),
    "gray-encoding": (
        (
            "pattern.repair-extra",
            "SpinalHDL/SpinalHDL#386",
            lambda n, d: bits_of(np.arange(n) ^ np.arange(n) >> 1 | 1 << max(d - 2, 0), d),
        ),
        (
            "gray-read-back",
            "abs-tudelft/fletcher#17",
            lambda n, d: np.bitwise_xor.accumulate(bits_of(np.arange(n), d)[:, ::-1], axis=1)[
                :, ::-1
            ],
        ),
        (
            "most-significant-first",
            "bit order",
            lambda n, d: bits_of(np.arange(n) ^ np.arange(n) >> 1, d)[:, ::-1],
        ),
        (
            "two-columns-apart",
            "n ^ n>>2",
            lambda n, d: bits_of(np.arange(n) ^ np.arange(n) >> 2, d),
        ),
        ("stripes-too-narrow", "n ^ 2n", lambda n, d: bits_of(np.arange(n) ^ 2 * np.arange(n), d)),
        (
            "stripes-too-narrow",
            "np.diff of bits",
            lambda n, d: np.abs(np.diff(bits_of(np.arange(n), d), axis=1, prepend=0)),
        ),
        ("plain-binary most-significant-first", "a public repository", gray_rec),
        ("most-significant-first", "as students type it", gray_str),
        ("not-an-exclusive-or", "as students type it", gray_plus),
        ("pattern.lines-shifted", "as students type it", ga_roll),
        ("two-columns-apart", "as students type it", ga_gg),
        ("numbers-for-bits", "as students type it", lambda n, d: [k ^ k >> 1 for k in range(n)]),
        (
            "numbers-for-bits",
            "as students type it",
            lambda n, d: [[k ^ k >> 1] * d for k in range(n)],
        ),
    ),
    "flips-at-distance": (
        (
            "unchanged-counted",
            "vinceyuan/gopl-solutions#1",
            lambda t, r: (t[r:] == t[: len(t) - r]).sum(1),
        ),
        (
            "compared-with-all-rows",
            "LeetCode total hamming",
            lambda t, r: [(t != t[i]).sum() for i in range(len(t) - r)],
        ),
        ("minus-zero", "t[:-r] and r = 0", lambda t, r: (t[r:] != t[:-r]).sum(1) if r else []),
        (
            "numbers-compared",
            "xor of positions",
            lambda t, r: [i ^ i + r for i in range(len(t) - r)],
        ),
        (
            "pattern.repair-extra",
            "len - r - 1",
            lambda t, r: [(t[i] != t[i + r]).sum() for i in range(len(t) - r - 1)],
        ),
        ("share-for-count", "(a-b)**2 mean", lambda t, r: ((t[r:] - t[: len(t) - r]) ** 2).mean(1)),
        ("next-row-always", "as students type it", flips_zip),
        ("round-the-end", "as students type it", flips_neg),
        ("counted-in-all", "as students type it", flips_one),
        ("whether-for-how-many", "as students type it", fl_max),
        ("pattern.repair-extra", "as students type it", fl_back),
        (
            "numbers-compared",
            "as students type it",
            lambda t, r: [
                int(t[i + r] @ 2 ** np.arange(t.shape[1])) - int(t[i] @ 2 ** np.arange(t.shape[1]))
                for i in range(len(t) - r)
            ],
        ),
        (
            "numbers-compared",
            "as students type it",
            lambda t, r: [
                int(t[i + r] @ 2 ** np.arange(t.shape[1])) ^ int(t[i] @ 2 ** np.arange(t.shape[1]))
                for i in range(len(t) - r)
            ],
        ),
        (
            "next-row-always",
            "as students type it",
            lambda t, r: [int((t[i] != t[i + 1]).sum()) for i in range(max(r - 1, 0), len(t) - 1)],
        ),
    ),
    "their-stripes": (
        ("stripes-grow-otherwise", "width c", stripes(lambda c: max(c, 1))),
        ("right-stripes", "danielmuthama/Hamming-Code: 2^c", lambda n, d: bits_of(np.arange(n), d)),
        ("", "danielyxie/bitburner#3406: alternate N", stripes(lambda c: 2**c if c < 3 else c + 1)),
        (
            "begins-with-ones",
            "inverted",
            lambda n, d: (np.arange(n)[:, None] // np.arange(1, d + 1) + 1) % 2,
        ),
        ("stripes-grow-otherwise", "2c+1", stripes(lambda c: 2 * c + 1)),
        (
            "width-of-both-stripes",
            "i % (c+1) > c/2",
            lambda n, d: (np.arange(n)[:, None] % (np.arange(d) + 1) > np.arange(d) / 2) * 1,
        ),
        ("begins-with-ones", "as students type it", stripes_loop),
        ("ones-one-position-wide", "as students type it", stripes_skip),
        ("pattern.repair-number", "as students type it", stripes_xor),
        ("pattern.repair-number", "as students type it", st_two),
        ("pattern.repair-extra", "as students type it", st_shift),
        (
            "stripes-grow-otherwise",
            "as students type it",
            lambda n, d: np.stack([np.arange(n) // math.factorial(c + 1) % 2 for c in range(d)], 1),
        ),
        (
            "stripes-grow-otherwise",
            "as students type it",
            lambda n, d: np.stack([np.arange(n) // max(2**c - 1, 1) % 2 for c in range(d)], 1),
        ),
        (
            "stripes-grow-otherwise",
            "as students type it",
            lambda n, d: np.stack([np.arange(n) // 10**c % 2 for c in range(d)], 1),
        ),
        (
            "stripes-grow-otherwise",
            "as students type it",
            lambda n, d: np.stack([np.arange(n) // (c + 3) % 2 for c in range(d)], 1),
        ),
        (
            "bits-of-position",
            "as students type it",
            lambda n, d: [
                [int(k & c + 1 > 0) if 0 else int(k & c + 1 != 0) for c in range(d)]
                for k in range(n)
            ],
        ),
        (
            "bits-of-position",
            "as students type it",
            lambda n, d: [[int(k & c != 0) for c in range(d)] for k in range(n)],
        ),
        (
            "bits-of-position",
            "as students type it",
            lambda n, d: [[(k ^ c + 1) % 2 for c in range(d)] for k in range(n)],
        ),
        (
            "stripes-begin-earlier",
            "as students type it",
            lambda n, d: [[(k + c) // (c + 1) % 2 for c in range(d)] for k in range(n)],
        ),
        (
            "ones-one-position-wide",
            "as students type it",
            lambda n, d: [[int(k % (c + 2) == 0) for c in range(d)] for k in range(n)],
        ),
    ),
    "row-by-hand": (
        (
            "integer-division",
            "zju3dv/LoFTR#41 (// instead of /(…))",
            [
                f(12 * math.exp(2 * k * (-math.log(64) / 6 // 2)))
                for k in range(3)
                for f in (np.sin, np.cos)
            ],
        ),
        (
            "even-steps",
            "aharley/pips#30 (x * div_term)",
            [f(12 * 2 * k * 64 / 6) for k in range(3) for f in (np.sin, np.cos)],
        ),
        (
            "cosine-own-frequency",
            "luhengshiwo/LLMForEverybody#106",
            [
                np.sin(12),
                np.cos(12 / 64 ** (1 / 6)),
                np.sin(12 / 64 ** (2 / 6)),
                np.cos(12 / 64 ** (3 / 6)),
                np.sin(12 / 64 ** (4 / 6)),
                np.cos(12 / 64 ** (5 / 6)),
            ],
        ),
        (
            "sine-cosine-swapped",
            "Open-Deep-ML#595 (sin and cos exchanged)",
            [f(12 * 64 ** (-k / 3)) for k in range(3) for f in (np.cos, np.sin)],
        ),
        (
            "degrees",
            "calculator in degrees",
            [f(math.radians(12 * 64 ** (-k / 3))) for k in range(3) for f in (np.sin, np.cos)],
        ),
        ("degrees", "as students type it", row_deg()),
        ("pattern.where", "as students type it", [math.sin(12 / 64 ** (k / 6)) for k in range(6)]),
        (
            "",
            "as students type it",
            [f(12 * w) for w in (1, 0.3, 0.1) for f in (math.sin, math.cos)],
        ),
        ("", "as students type it", rw_sum()),
        (
            "integer-division",
            "as students type it",
            [
                f(12 * math.exp(2 * k * (-math.log(64) // 6)))
                for k in range(3)
                for f in (math.sin, math.cos)
            ],
        ),
        (
            "even-steps",
            "as students type it",
            [f(12 / (k + 1)) for k in range(3) for f in (math.sin, math.cos)],
        ),
        (
            "powers-of-two",
            "as students type it",
            [f(12 * 2**k) for k in range(3) for f in (math.sin, math.cos)],
        ),
        (
            "exponent-halved",
            "as students type it",
            [f(12 / 2**k) for k in range(3) for f in (math.sin, math.cos)],
        ),
    ),
    "sinusoidal-rows": (
        (
            "integer-division",
            "zju3dv/LoFTR#41",
            lambda p, d, b: inter(
                np.outer(p, np.exp(np.arange(0, d, 2) * (-math.log(b) / d // 2))), d
            ),
        ),
        (
            "even-steps",
            "aharley/pips#30",
            lambda p, d, b: inter(np.outer(p, np.arange(0, d, 2) * (b / d)), d),
        ),
        (
            "exponent-doubled",
            "BrianPulfer/PapersReimplementations#9",
            lambda p, d, b: inter(np.outer(p, 1 / b ** (2 * np.arange(0, d, 2) / d)), d),
        ),
        (
            "cosine-own-frequency",
            "luhengshiwo/LLMForEverybody#106",
            lambda p, d, b: np.where(
                np.arange(d) % 2,
                np.cos(np.outer(p, float(b) ** (-np.arange(d) / d))),
                np.sin(np.outer(p, float(b) ** (-np.arange(d) / d))),
            ),
        ),
        (
            "sine-cosine-swapped",
            "Open-Deep-ML#595",
            lambda p, d, b: np.where(
                np.arange(d) % 2,
                np.sin(np.repeat(np.outer(p, w_of(d, float(b))), 2, 1)[:, :d]),
                np.cos(np.repeat(np.outer(p, w_of(d, float(b))), 2, 1)[:, :d]),
            ),
        ),
        (
            "halves-concatenated",
            "zihangdai/xlnet positional_embedding",
            lambda p, d, b: np.hstack(
                [np.sin(np.outer(p, w_of(d, float(b)))), np.cos(np.outer(p, w_of(d, float(b))))]
            )[:, :d],
        ),
        ("exponent-doubled", "a public repository", rows_loop_i),
        ("positions-counted", "as students type it", rows_index),
        ("frequencies-multiplied", "as students type it", rows_mult),
        ("halves-concatenated", "as students type it", rows_cat),
        ("positions-multiplied", "as students type it", rows_power),
        ("positions-scaled", "as students type it", sr_float),
        ("pattern.repair-extra", "as students type it", sr_sq),
    ),
    "position-from-row": (
        (
            "fastest-hand-read",
            "fastest hand",
            lambda r, b: round(math.atan2(r[0], r[1]) % math.tau),
        ),
        (
            "angle-negative",
            "LutzGross/esys-escript#16",
            read(lambda r: math.atan(r[-2] / r[-1]) + (math.pi if r[-1] < 0 else 0)),
        ),
        ("angle-negative", "negative angles", read(hand)),
        (
            "half-turn-added",
            "JonnyOThan/tpksp-scripts#9",
            read(lambda r: hand(r) + math.pi if hand(r) < 0 else hand(r)),
        ),
        (
            "parentheses-missing",
            "1/base**(d-2)/d",
            read(lambda r: hand(r) % math.tau, lambda r, b: 1 / b ** (len(r) - 2) / len(r)),
        ),
        (
            "wavelength-for-frequency",
            "angle * wavelength",
            lambda r, b: round(hand(r) % math.tau * math.tau * b ** (1 - 2 / len(r))),
        ),
        ("angle-not-unique", "as students type it", pos_acos),
        ("whole-turn-added", "as students type it", pos_tau),
        ("frequency-of-another-hand", "as students type it", pos_d),
        ("angle-not-unique", "as students type it", pr_neg),
        ("frequency-of-another-hand", "as students type it", pr_len),
        *(
            (found, "as students type it", readpos(angle, per)(last))
            for last in (float, round)
            for found, angle, per in (
                (
                    "angle-negative",
                    lambda r: math.atan(r[-2] / r[-1]) + (math.pi if r[-1] < 0 else 0),
                    lambda d, b: b ** (1 - 2 / d),
                ),
                (
                    "parentheses-missing",
                    lambda r: hand(r) % math.tau,
                    lambda d, b: b ** (d - 2) * d,
                ),
                (
                    "parentheses-missing",
                    lambda r: hand(r) % math.tau,
                    lambda d, b: b**2 * (d / 2 - 1) / d,
                ),
                (
                    "wavelength-for-frequency",
                    lambda r: hand(r) % math.tau,
                    lambda d, b: math.tau * b ** (1 - 2 / d),
                ),
                (
                    "wavelength-for-frequency",
                    lambda r: hand(r) % math.tau,
                    lambda d, b: math.tau**2 * b ** (1 - 2 / d),
                ),
                (
                    "whole-turn-added",
                    lambda r: hand(r) + math.tau,
                    lambda d, b: b ** (1 - 2 / d),
                ),
            )
        ),
    ),
    "strange-table": (
        (
            "integer-division",
            "zju3dv/LoFTR#41",
            lambda n, d: inter(
                np.outer(range(n), np.exp(np.arange(0, d, 2) * (-math.log(10000.0) / d // 2))), d
            ),
        ),
        (
            "another-exponent",
            "BrianPulfer/PapersReimplementations#9",
            lambda n, d: np.where(
                np.arange(d) % 2,
                np.cos(np.outer(range(n), 10000.0 ** (-2 * np.arange(d) / d))),
                np.sin(np.outer(range(n), 10000.0 ** (-2 * np.arange(d) / d))),
            ),
        ),
        (
            "first-exponent-not-zero",
            "c+1",
            lambda n, d: np.where(
                np.arange(d) % 2,
                np.cos(np.outer(range(n), 10000.0 ** (-(np.arange(d) + 1) / d))),
                np.sin(np.outer(range(n), 10000.0 ** (-(np.arange(d) + 1) / d))),
            ),
        ),
        (
            "another-exponent",
            "d//2",
            lambda n, d: np.where(
                np.arange(d) % 2,
                np.cos(np.outer(range(n), 10000.0 ** (-np.arange(d) / (d // 2)))),
                np.sin(np.outer(range(n), 10000.0 ** (-np.arange(d) / (d // 2)))),
            ),
        ),
        (
            "halves-concatenated",
            "sines of even columns first",
            lambda n, d: np.hstack([strange(n, d)[:, ::2], strange(n, d)[:, 1::2]]),
        ),
        ("first-exponent-not-zero", "as students type it", strange_1),
        ("last-column-at-base", "as students type it", strange_2),
        ("sine-cosine-swapped", "as students type it", strange_3),
        ("another-exponent", "as students type it", sg_half),
        ("pattern.where", "as students type it", sg_rev),
        (
            "integer-division",
            "as students type it",
            lambda n, d: np.where(
                np.arange(d) % 2,
                np.cos(np.outer(range(n), np.exp(np.arange(d) * (-math.log(10000.0) // d)))),
                np.sin(np.outer(range(n), np.exp(np.arange(d) * (-math.log(10000.0) // d)))),
            ),
        ),
    ),
    "shift-back": (
        ("wrong-sign", "wolph/numpy-stl#166 (transposed)", lambda b, d: sb(b, d).T),
        (
            "wrong-sign",
            "rustgd/cgmath#109",
            lambda b, d: np.block(
                [
                    [halves_back(b, d)[0], halves_back(b, d)[1]],
                    [-halves_back(b, d)[1], halves_back(b, d)[0]],
                ]
            ),
        ),
        (
            "pattern.repair-extra",
            "nrc-cnrc/EGSnrc#112 (one pair the other way)",
            lambda b, d: (lambda c, s: np.block([[c, -s], [s, c]]))(
                np.diag(np.cos(b * freqs_of(d))),
                np.diag(np.sin(b * freqs_of(d)) * np.where(np.arange(d // 2) == 1, -1, 1)),
            ),
        ),
        (
            "pattern.repair-sign",
            "angelsolaorbaiceta/Mechanics#1",
            lambda b, d: (lambda c, s: np.block([[c, -s], [s, -c]]))(*halves_back(b, d)),
        ),
        (
            "exponent-halved",
            "exponent k/d",
            lambda b, d: (
                lambda a: np.block(
                    [
                        [np.diag(np.cos(a)), -np.diag(np.sin(a))],
                        [np.diag(np.sin(a)), np.diag(np.cos(a))],
                    ]
                )
            )(b * 10000.0 ** (-np.arange(d // 2) / d)),
        ),
        (
            "neighbours-in-matrix",
            "dealii/dealii#7959",
            lambda b, d: (
                lambda m: (
                    [
                        m.__setitem__(
                            (slice(2 * k, 2 * k + 2), slice(2 * k, 2 * k + 2)),
                            [
                                [math.cos(b * w), -math.sin(b * w)],
                                [math.sin(b * w), math.cos(b * w)],
                            ],
                        )
                        for k, w in enumerate(freqs_of(d))
                    ]
                    and m
                )
            )(np.zeros((d, d))),
        ),
        ("wrong-sign", "as students type it", shift_loop),
        ("pattern.repair-extra", "as students type it", shift_power),
        ("exponent-halved", "as students type it", shift_i),
        ("wrong-sign", "as students type it", sh_inv),
        ("pattern.repair-extra", "as students type it", sh_row),
    ),
    "distance-by-offset": (
        (
            "distance-divided",
            "spotify/annoy#171 (sqrt(2-2cos) of mean)",
            lambda r, d: np.sqrt(np.maximum(2 - 2 * np.cos(np.outer(r, freqs_of(d))).mean(1), 0)),
        ),
        (
            "root-forgotten",
            "facebookresearch/poincare-embeddings#80",
            lambda r, d: np.maximum(dist2(r, d), 0),
        ),
        (
            "differences-cancel",
            "dselivanov/text2vec#324",
            lambda r, d: np.sqrt(
                np.abs((inter(np.outer(r, w_of(d)), d) - inter(np.zeros((1, d // 2)), d)).sum(1))
            ),
        ),
        (
            "one-minus-similarity",
            "OSU-SRLab/MANTIS#12",
            lambda r, d: 1 - np.cos(np.outer(r, freqs_of(d))).sum(1) / d,
        ),
        (
            "chords-added",
            "norm per pair then sum",
            lambda r, d: np.sqrt(2 - 2 * np.cos(np.outer(r, freqs_of(d)))).sum(1),
        ),
        (
            "wrong-axis",
            "norm(axis=0)",
            lambda r, d: norm(2 * np.sin(np.outer(r, freqs_of(d)) / 2), axis=0),
        ),
        ("", "as students type it", dist_table),
        ("root-forgotten", "as students type it", dist_loop),
        ("half-the-square", "as students type it", dist_one),
        ("pattern.factor", "as students type it", di_abs),
        ("distance-divided", "as students type it", di_cosd),
        (
            "differences-cancel",
            "as students type it",
            lambda r, d: [
                abs(sum(math.sin(x * w) + math.cos(x * w) - 1 for w in freqs_of(d))) for x in r
            ],
        ),
        (
            "differences-cancel",
            "as students type it",
            lambda r, d: [
                sum(math.sin(x * w) + math.cos(x * w) - 1 for w in freqs_of(d)) for x in r
            ],
        ),
        (
            "one-minus-similarity",
            "as students type it",
            lambda r, d: [2 - 2 * np.mean([math.cos(x * w) for w in freqs_of(d)]) for x in r],
        ),
    ),
    "offset-between": (
        ("longer-way-round", "pygame/pygame#4689", between(lambda a, o: o - a)),
        (
            "longer-way-round",
            "libgdx/gdx-ai#39",
            between(lambda a, o: math.fmod(o - a + math.pi, math.tau) - math.pi),
        ),
        (
            "half-turn-added",
            "TauLabs/TauLabs#465",
            between(lambda a, o: math.fmod(o - a + math.pi, math.tau) + math.pi),
        ),
        (
            "always-forward",
            "Croteam-official/Serious-Engine#49",
            between(lambda a, o: (o - a) % math.tau),
        ),
        (
            "direction-reversed",
            "a - o",
            between(lambda a, o: (a - o + math.pi) % math.tau - math.pi),
        ),
        (
            "direction-lost",
            "arccos of product",
            lambda a, o, b: round(
                math.acos(max(-1, min(1, a[-2] * o[-2] + a[-1] * o[-1]))) / slow(a, b)
            ),
        ),
        ("always-forward", "a public repository", off_if),
        ("pattern.repair-extra", "as students type it", off_int),
        ("half-turn-added", "as students type it", off_pi),
        ("frequency-of-another-hand", "as students type it", of_sum),
        ("fastest-hand-read", "as students type it", of_first),
        (
            "fastest-hand-read",
            "as students type it",
            lambda a, o, b: (
                ((math.atan2(o[0], o[1]) - math.atan2(a[0], a[1]) + math.pi) % math.tau - math.pi)
                / slow(a, b)
            ),
        ),
        (
            "half-turn-added",
            "as students type it",
            lambda a, o, b: (
                (math.fmod(hand(o) - hand(a) + math.pi, math.tau) + math.pi) / slow(a, b)
            ),
        ),
    ),
    "strange-products": (
        (
            "pattern.repair-extra",
            "io-papercode/pwa#1",
            lambda n, d: sines(n, d) @ sines(n, d).T / (1 - np.sum(sines(n, d) ** 2, 1)),
        ),
        (
            "cosines-alone",
            "cos columns",
            lambda n, d: sinusoidal_encoding(n, d)[:, 1::2] @ sinusoidal_encoding(n, d)[:, 1::2].T,
        ),
        (
            "half-the-right-products",
            "half",
            lambda n, d: sinusoidal_encoding(n, d) @ sinusoidal_encoding(n, d).T / 2,
        ),
        (
            "angles-multiplied",
            "sin of i times sin of j summed wrongly",
            lambda n, d: np.sin(np.multiply.outer(np.outer(range(n), range(n)), freqs_of(d))).sum(
                -1
            ),
        ),
        (
            "first-half-of-columns",
            "first half of columns",
            lambda n, d: (
                sinusoidal_encoding(n, d)[:, : d // 2] @ sinusoidal_encoding(n, d)[:, : d // 2].T
            ),
        ),
        ("products-divided", "as students type it", prod_norm),
        ("cosines-alone", "as students type it", prod_loop),
        ("sums-multiplied", "as students type it", prod_outer),
        ("pattern.repair-extra", "as students type it", sp_diff),
        ("half-the-right-products", "as students type it", sp_cosall),
    ),
    "first-return": (
        (
            "multiple-for-divisor",
            "JuliaLang/julia#33911",
            lambda m, s: math.tau / s / np.lcm.reduce(m),
        ),
        (
            "multiplied-by-multiple",
            "typst/typst#789 (product over gcd)",
            lambda m, s: math.tau / s * np.prod(m) / np.gcd.reduce(m),
        ),
        (
            "pattern.repair-extra",
            "RamanujanMachine/ramanujantools#14",
            lambda m, s: math.tau / (s * np.gcd.reduce(m[:-1])),
        ),
        (
            "two-hands-alone",
            "gcd of all but the first",
            lambda m, s: math.tau / (s * np.gcd.reduce(m[1:]) if len(m) > 1 else s * m[0]),
        ),
        ("slowest-decides", "longest period", lambda m, s: max(math.tau / (k * s) for k in m)),
        ("mean-decides", "mean", lambda m, s: math.tau / (np.mean(m) * s)),
        (
            "multiplied-by-multiple step-multiplied turn-forgotten",
            "as students type it",
            ret_lcm,
        ),
        ("gap-decides", "as students type it", ret_period),
        ("pattern.factor", "as students type it", ret_pi),
        ("step-multiplied", "as students type it", fr_freq),
        ("half-a-turn", "as students type it", fr_half),
        (
            "two-hands-alone",
            "as students type it",
            lambda m, s: (
                math.tau / (s * math.gcd(*map(int, m[:-1])))
                if len(m) > 1
                else math.tau / (s * m[0])
            ),
        ),
        (
            "multiple-for-divisor",
            "as students type it",
            lambda m, s: math.tau / (math.prod(map(int, m)) * s),
        ),
        (
            "multiplied-by-multiple",
            "as students type it",
            lambda m, s: math.tau * math.prod(map(int, m)) / s,
        ),
        ("multiplied-by-multiple", "as students type it", lambda m, s: math.tau * max(m) / s),
        ("mean-decides", "as students type it", lambda m, s: math.tau / (float(np.median(m)) * s)),
        ("mean-decides", "as students type it", lambda m, s: math.tau / (sum(m) * s)),
        (
            "mean-decides",
            "as students type it",
            lambda m, s: sum(math.tau / (k * s) for k in m) / len(m),
        ),
        (
            "gap-decides",
            "as students type it",
            lambda m, s: math.tau / (s * (max(m) - min(m) or m[0])),
        ),
    ),
    "most-similar-distance": (
        (
            "first-peak-for-highest",
            "corrscope/corrscope#418",
            lambda w, a, z: (
                a
                + next(
                    (
                        i
                        for i in range(1, len(cos_sum(w, a, z)) - 1)
                        if cos_sum(w, a, z)[i] >= cos_sum(w, a, z)[i - 1]
                        and cos_sum(w, a, z)[i] > cos_sum(w, a, z)[i + 1]
                    ),
                    0,
                )
            ),
        ),
        (
            "cosines-multiplied",
            "endolith/waveform-analysis#9 (product of spectra)",
            lambda w, a, z: a + int(np.cos(np.outer(np.arange(a, z + 1), w)).prod(1).argmax()),
        ),
        (
            "index-for-distance",
            "argmax without shortest",
            lambda w, a, z: int(cos_sum(w, a, z).argmax()),
        ),
        (
            "pattern.repair-extra",
            "librosa/librosa#1425 (reversed)",
            lambda w, a, z: a + int(cos_sum(w, a, z)[::-1].argmax()),
        ),
        (
            "last-left-out",
            "range(shortest, longest)",
            lambda w, a, z: max(range(a, z), key=lambda r: np.cos(r * w).sum()),
        ),
        (
            "first-similar-distance",
            "first above mean",
            lambda w, a, z: a + int((cos_sum(w, a, z) > cos_sum(w, a, z).mean()).argmax()),
        ),
        ("pattern.repair-extra", "as students type it", sim_while),
        ("first-peak-for-highest", "as students type it", sim_first_gt),
        ("sum-for-distance", "as students type it", sim_max),
        ("pattern.repair-number", "as students type it", ms_two),
        ("sign-of-sum-lost", "as students type it", ms_abs),
        ("first-similar-distance", "as students type it", above(lambda s: 0)),
        ("first-similar-distance", "as students type it", above(lambda s: max(s) / 2)),
        ("other-than-sum", "as students type it", over(np.min)),
        ("other-than-sum", "as students type it", over(lambda x: np.abs(x).sum())),
        ("other-than-sum", "as students type it", over(lambda x: (x * x).sum())),
        ("other-than-sum", "as students type it", over(np.median)),
        ("other-than-sum", "as students type it", over(np.max)),
        (
            "other-than-sum",
            "as students type it",
            lambda w, a, z: max(
                range(a, z + 1), key=lambda x: (float((w * np.cos(x * w)).sum()), -x)
            ),
        ),
    ),
    "base-for-quarter-turn": (
        ("whole-turn", "2 pi", lambda n, d: ((n - 1) / math.tau) ** (d / (d - 2))),
        ("positions-for-steps", "n", lambda n, d: (n / (math.pi / 2)) ** (d / (d - 2))),
        ("longest-wave-of-base", "2n/pi", lambda n, d: 2 * (n - 1) / math.pi),
        ("angle-multiplied", "(n-1)*pi/2", lambda n, d: ((n - 1) * math.pi / 2) ** (d / (d - 2))),
        (
            "pattern.repair-extra",
            "d/(d-1)",
            lambda n, d: ((n - 1) / (math.pi / 2)) ** ((d - 1) / (d - 2)),
        ),
        (
            "whole-base",
            "range over integers",
            lambda n, d: next(
                b for b in range(1, 10**7) if (n - 1) * b ** (2 / d - 1) <= math.pi / 2
            ),
        ),
        ("pattern.repair-extra", "as students type it", base_half),
        ("exponent-inverted", "as students type it", base_log),
        ("whole-turn", "as students type it", base_pos),
        ("pattern.repair-hard-coded", "as students type it", bq_d2),
        ("pattern.repair-number", "as students type it", bq_n2),
    ),
    "their-frequencies": (
        (
            "integer-division",
            "zju3dv/LoFTR#41",
            lambda d: np.exp(np.arange(0, d, 2) * (-math.log(10000.0) / d // 2)),
        ),
        ("even-steps", "aharley/pips#30", lambda d: np.arange(0, d, 2) * (10000.0 / d)),
        (
            "the-right-frequencies",
            "np.logspace(0,-4)",
            lambda d: np.logspace(0, -4, d // 2, endpoint=False),
        ),
        (
            "divided-by-other-columns",
            "2k/(d-1)",
            lambda d: 10000.0 ** (-2 * np.arange(d // 2) / (d - 1)),
        ),
        (
            "last-hand-other",
            "wavelengths 2 pi … 10000",
            lambda d: math.tau / np.geomspace(math.tau, 10000.0, d // 2),
        ),
        ("divided-by-other-columns", "as students type it", fr_d),
        ("subtracted-from-quotient", "as students type it", fr_loop),
        ("equal-steps-between", "as students type it", fr_lin),
        ("pattern.repair-extra", "as students type it", tf_sq),
        ("pattern.where", "as students type it", tf_last),
        (
            "subtracted-from-quotient",
            "as students type it",
            lambda d: [10000 ** (1 - k / (d // 2 - 1)) for k in range(d // 2)],
        ),
        (
            "integer-division",
            "as students type it",
            lambda d: [10000.0 ** (-k // (d // 2 - 1)) for k in range(d // 2)],
        ),
        ("even-steps", "as students type it", lambda d: [1 / (k + 1) for k in range(d // 2)]),
    ),
    "first-lost-position": (
        ("pattern.always-the-same", "huggingface/hub-docs#1425 (65535)", lambda n: 65536),
        ("still-there", "JuliaLang/julia#29301", lambda n: 2**n),
        ("one-digit-fewer", "OpenXiangShan/YunSuan#182 (digits - 1)", lambda n: 2 ** (n - 1) + 1),
        ("pattern.repair-hard-coded", "RobTillaart/float16#10", lambda n: 2**n + 2 ** (n - 1)),
        ("digits-not-in-exponent", "2*n+1", lambda n: 2 * n + 1),
        ("sign-takes-a-digit", "as students type it", lost_minus),
        ("still-there", "as students type it", lost_float),
        ("decimal-digits", "as students type it", lost_ten),
        ("pattern.too-large", "as students type it", fl_two),
        ("digits-not-in-exponent", "as students type it", lambda n: n * n),
        ("digits-not-in-exponent", "as students type it", lambda n: n + n),
    ),
    "position-from-noisy-row": (
        (
            "pattern.repair-extra",
            "cosine similarity",
            lambda r, n, b: (
                int(
                    np.argmax(
                        rowsp(n, len(r), b) @ r / norm(rowsp(n, len(r), b), axis=1) / norm(r)
                        + 0 * 1
                    )
                )
                if False
                else int(np.argmax(rowsp(n, len(r), b) @ np.sign(r)))
            ),
        ),
        ("not-in-a-straight-line", "annoviko/pyclustering", nearest(lambda t, r: abs(t - r).sum())),
        ("not-in-a-straight-line", "max", nearest(lambda t, r: abs(t - r).max())),
        (
            "base-ignored",
            "base 10000",
            lambda r, n, b: int(((rowsp(n, len(r)) - r) ** 2).sum(1).argmin()),
        ),
        (
            "columns-weighted",
            "slow hands weigh more",
            lambda r, n, b: int(
                ((rowsp(n, len(r), b) - r) ** 2 * np.arange(1, len(r) + 1)).sum(1).argmin()
            ),
        ),
        ("signs-cancel", "sum of differences", nearest(lambda t, r: (t - r).sum())),
        ("near-enough-taken", "as students type it", noisy_first),
        ("half-of-the-product", "as students type it", noisy_dot),
        ("last-position-left-out", "as students type it", noisy_n1),
        ("farthest-for-nearest", "as students type it", nr_last),
        (
            "not-in-a-straight-line",
            "as students type it",
            lambda r, n, b: min(
                range(n), key=lambda i: np.median(np.abs(rowsp(n, len(r), b)[i] - r))
            ),
        ),
        (
            "not-in-a-straight-line",
            "as students type it",
            lambda r, n, b: min(
                range(n), key=lambda i: sum(math.sqrt(abs(x)) for x in rowsp(n, len(r), b)[i] - r)
            ),
        ),
        (
            "not-in-a-straight-line",
            "as students type it",
            lambda r, n, b: min(
                range(n), key=lambda i: sum(x**4 for x in rowsp(n, len(r), b)[i] - r)
            ),
        ),
        (
            "signs-cancel",
            "as students type it",
            lambda r, n, b: max(range(n), key=lambda i: sum(rowsp(n, len(r), b)[i] - r)),
        ),
        (
            "signs-cancel",
            "as students type it",
            lambda r, n, b: min(
                range(n), key=lambda i: abs(np.mean(rowsp(n, len(r), b)[i]) - np.mean(r))
            ),
        ),
        ("columns-weighted", "as students type it", weighted(lambda c, d, b: d - c)),
        ("columns-weighted", "as students type it", weighted(lambda c, d, b: b ** (-c / d))),
        ("half-of-columns", "as students type it", kept(lambda d: slice(0, d, 2))),
        ("half-of-columns", "as students type it", kept(lambda d: slice(1, d, 2))),
        ("half-of-columns", "as students type it", kept(lambda d: slice(0, d // 2))),
        ("half-of-columns", "as students type it", kept(lambda d: slice(d // 2, d))),
        (
            "compared-by-correlation",
            "as students type it",
            lambda r, n, b: int(
                np.argmax(np.nan_to_num([np.corrcoef(r, t)[1, 0] for t in rowsp(n, len(r), b)]))
            ),
        ),
        ("near-enough-taken", "as students type it", norms_near(0.5)),
        ("near-enough-taken", "as students type it", norms_near(2)),
        (
            "half-of-the-product",
            "as students type it",
            lambda r, n, b: max(range(n), key=lambda i: r[1::2] @ rowsp(n, len(r), b)[i][1::2]),
        ),
    ),
    "positional-encoding": (
        (
            "row-of-the-sentence",
            "tanjimin/C.Origami#42 (x.size(0))",
            type(
                "P",
                (Base,),
                {
                    "__call__": lambda s, x: (
                        (x + s.pe[: x.shape[0]][:, None] if x.ndim == 3 else x + s.pe[: len(x)])
                        if x.shape[-2] <= len(s.pe) and x.shape[0] <= len(s.pe)
                        else (_ for _ in ()).throw(ValueError())
                    )
                },
            ),
        ),
        ("concatenated-for-added", "concatenate instead of add", Cat),
        ("words-left-out", "returns the table", PeOnly),
        ("rows-scaled", "scale on the wrong operand", ScaledPe),
        ("does-not-raise", "truncation instead of error", Trunc),
        ("does-not-raise", "modulo max_len", Wrap),
        ("missing-batch-axis", "as students type it", PeShape0),
        ("does-not-raise", "as students type it", PeNoRaise),
        ("cosine-own-frequency", "as students type it", PeOnes),
        ("one-row-for-all", "as students type it", PeRow0),
        ("words-scaled", "as students type it", PeDouble),
        ("", "as students type it", PeHalf),
        ("pattern.repair-extra", "as students type it", PeInt),
        ("rows-subtracted", "as students type it", pe(lambda s, x: x - s.pe[: x.shape[-2]])),
        ("last-row-first", "as students type it", pe(lambda s, x: x + s.pe[x.shape[-2] - 1 :: -1])),
        ("halves-concatenated", "as students type it", table_of(halves_at)),
        (
            "sine-cosine-swapped",
            "as students type it",
            table_of(lambda i, c, d: wave(i, c, d, (c - c % 2) / d, c % 2 == 0)),
        ),
        (
            "exponent-doubled",
            "as students type it",
            table_of(lambda i, c, d: wave(i, c, d, 2 * (c - c % 2) / d, c % 2)),
        ),
        (
            "exponent-halved",
            "as students type it",
            table_of(lambda i, c, d: wave(i, c, d, (c - c % 2) / 2 / d, c % 2)),
        ),
        (
            "column-for-pair",
            "as students type it",
            table_of(lambda i, c, d: wave(i, c, d, 2 * c / d, c % 2)),
        ),
    ),
    "look-forward-weights": (
        (
            "still-looks-back",
            "matrix_power(back, -steps).T",
            lambda k, s: np.linalg.matrix_power(np.linalg.inv(k), s).T,
        ),
        ("one-step-only", "back.T", lambda k, s: k.T),
        ("entries-to-the-power", "back.T ** steps", lambda k, s: k.T**s),
        (
            "steps-off-by-one",
            "loop starts with inverse",
            lambda k, s: np.linalg.multi_dot([k.T] * (s + 1)) if s >= 1 else k.T,
        ),
        ("scores-upside-down", "-matrix_power", lambda k, s: -np.linalg.matrix_power(k, s)),
        (
            "pattern.repair-extra",
            "k.T @ k ...",
            lambda k, s: np.linalg.matrix_power(k.T @ k, s),
        ),
        ("one-step-only", "as students type it", look_inv),
        ("entries-to-the-power", "as students type it", look_loop),
        ("steps-off-by-one", "as students type it", look_pow),
        ("pattern.repair-extra", "as students type it", lf_half),
    ),
    "share-looking-at": (
        (
            "all-queries-counted",
            "divide by len",
            lambda x, r: sum(x[i].argmax() == i + r for i in range(len(x))) / len(x),
        ),
        (
            "queries-keys-swapped",
            "argmax(axis=0)",
            lambda x, r: np.mean(
                [x[:, i].argmax() == i + r for i in range(len(x)) if 0 <= i + r < len(x)]
            ),
        ),
        (
            "weights-averaged",
            "TransformerLens#255: mean weight",
            lambda x, r: softmax(x).diagonal(r).mean(),
        ),
        (
            "begins-again-at-the-start",
            "scores[i, i+r] negative index",
            lambda x, r: np.mean([x[i, (i + r) % len(x)] == x[i].max() for i in range(len(x))]),
        ),
        (
            "offset-off-by-one",
            "ZhangqiJiang07/middle_layers#2 (off by one)",
            lambda x, r: np.mean(
                [x[i].argmax() == i + r - 1 for i in range(len(x)) if 0 <= i + r < len(x)]
            ),
        ),
        ("threshold-for-largest", "score > 0", lambda x, r: (x.diagonal(r) > 0).mean()),
        ("distance-for-offset all-queries-counted", "as students type it", look_abs),
        ("at-least-for-exactly", "as students type it", look_ge),
        ("raised", "as students type it", look_len),
        ("offset-turned-round", "as students type it", sl_neg),
        (
            "offset-off-by-one",
            "as students type it",
            lambda x, r: sum(x[i].argmax() == i + r + 1 for i in able(x, r)) / len(able(x, r)),
        ),
        (
            "threshold-for-largest",
            "as students type it",
            lambda x, r: sum(x[i, i + r] > 0.5 for i in able(x, r)) / len(able(x, r)),
        ),
        (
            "threshold-for-largest",
            "as students type it",
            lambda x, r: sum(x[i, i + r] > np.mean(x) for i in able(x, r)) / len(able(x, r)),
        ),
        (
            "among-the-two-largest",
            "as students type it",
            lambda x, r: (
                sum(i + r in np.argsort(-x[i], kind="stable")[:2] for i in able(x, r))
                / len(able(x, r))
            ),
        ),
        (
            "queries-keys-swapped all-queries-counted",
            "as students type it",
            lambda x, r: sum(x[:, j].argmax() == j + r for j in range(len(x))) / len(x),
        ),
        (
            "at-least-for-exactly",
            "as students type it",
            lambda x, r: sum(x[i].argmax() <= i + r for i in able(x, r)) / len(able(x, r)),
        ),
        (
            "at-least-for-exactly",
            "as students type it",
            lambda x, r: sum(x[i].argmax() > i + r for i in able(x, r)) / len(able(x, r)),
        ),
    ),
    "share-before": (
        ("queries-keys-swapped", "diagonal(1)", lambda a, f: a.diagonal(1)[f - 1 :].mean()),
        (
            "one-row-late",
            "diagonal(-1)[first:]",
            lambda a, f: a.diagonal(-1)[f:].mean() if f < len(a) - 1 else 0.0,
        ),
        ("first-row-ignored", "whole diagonal", lambda a, f: a.diagonal(-1).mean()),
        ("looks-at-itself", "diagonal", lambda a, f: a.diagonal()[f:].mean()),
        ("divided-by-all-rows", "sum / len", lambda a, f: a.diagonal(-1)[f - 1 :].sum() / len(a)),
        (
            "rows-counted-for-weights",
            "share of argmax",
            lambda a, f: np.mean([a[i].argmax() == i - 1 for i in range(f, len(a))]),
        ),
        ("rows-miscounted", "as students type it", before_loop),
        ("last-row-left-out", "as students type it", before_range),
        ("offset-first-for-one", "a public repository", before_f),
        ("queries-keys-swapped", "as students type it", before_col),
        ("", "as students type it", sb_first),
        (
            "other-than-mean-weight",
            "as students type it",
            lambda a, f: min(a[i, i - 1] for i in range(f, len(a))),
        ),
        (
            "other-than-mean-weight",
            "as students type it",
            lambda a, f: math.sqrt(np.mean([a[i, i - 1] ** 2 for i in range(f, len(a))])),
        ),
        ("single-row", "as students type it", lambda a, f: a[len(a) - 1][len(a) - 2]),
        ("single-row", "as students type it", lambda a, f: a[f][f - 1]),
        (
            "rows-miscounted",
            "as students type it",
            lambda a, f: sum(a[i, i - 1] for i in range(f, len(a))) / max(len(a) - f - 1, 1),
        ),
    ),
    "query-looking-back": (
        ("turned-forwards", "rotate forward", lambda k, s, w: np.array(turn(k[0], k[1], s * w))),
        (
            "both-signs-alike",
            "scratchapixel#19",
            lambda k, s, w: np.array(
                [
                    k[0] * np.cos(s * w) - k[1] * np.sin(s * w),
                    -k[0] * np.sin(s * w) + k[1] * np.cos(s * w),
                ]
            ),
        ),
        (
            "one-component-alone",
            "hpcaitech/ColossalAI#6429",
            lambda k, s, w: np.array(
                [
                    k[0] * np.cos(s * w) + k[1] * np.sin(s * w),
                    k[0] * np.cos(s * w) + k[1] * np.sin(s * w),
                ]
            ),
        ),
        (
            "pattern.repair-order",
            "components swapped",
            lambda k, s, w: np.array(turn(k[1], k[0], -s * w)),
        ),
        (
            "one-component-alone",
            "complex, real part only",
            lambda k, s, w: np.array([((k[0] + 1j * k[1]) * cmath.exp(-1j * s * w)).real, 0]),
        ),
        ("angle-subtracted-from-numbers", "k + angle", lambda k, s, w: k - s * w),
        ("degrees", "as students type it", q_deg),
        ("direction-of-key-ignored", "as students type it", q_len),
        ("pattern.repair-order", "as students type it", q_swap),
        ("pattern.repair-extra", "as students type it", qb_sqrt),
        ("pattern.repair-extra", "as students type it", qb_norm),
        (
            "angle-subtracted-from-numbers",
            "as students type it",
            lambda k, s, w: [k[0] + s * w, k[1] + s * w],
        ),
        (
            "direction-of-key-ignored",
            "as students type it",
            lambda k, s, w: [math.hypot(*k) * math.cos(s * w), math.hypot(*k) * math.sin(s * w)],
        ),
    ),
    "their-scores": (
        (
            "the-right-scores",
            "i - j",
            lambda q, k, n: np.array(turn(*q, np.arange(n))).T @ np.array(turn(*k, np.arange(n))),
        ),
        (
            "key-not-turned",
            "only query turned",
            lambda q, k, n: np.array(turn(*q, np.arange(n))).T @ np.outer(k, np.ones(n)),
        ),
        ("both-the-other-way", "k, q exchanged", lambda q, k, n: scores(k, q, n)),
        ("pattern.opposite-sign", "minus", lambda q, k, n: -scores(q, k, n)),
        (
            "norms-without-angles",
            "cos(|i-j|)",
            lambda q, k, n: np.dot(q, k) * np.cos(np.subtract.outer(np.arange(n), np.arange(n))),
        ),
        ("query-not-turned", "as students type it", ts_loop),
        ("key-not-turned", "as students type it", ts_one),
        ("half-angles", "as students type it", ts_half),
        ("", "as students type it", ts_prod),
        ("neither-turned", "as students type it", ts_deg2),
        (
            "norms-without-angles",
            "as students type it",
            lambda q, k, n: [
                [(q[0] * k[0] + q[1] * k[1]) * math.cos(i + j) for j in range(n)] for i in range(n)
            ],
        ),
        (
            "one-side-from-one",
            "as students type it",
            lambda q, k, n: [
                [float(np.dot(turn(*q, i), turn(*k, -(j + 1)))) for j in range(n)] for i in range(n)
            ],
        ),
        (
            "one-side-from-one",
            "as students type it",
            lambda q, k, n: [
                [float(np.dot(turn(*q, i), turn(*k, 1 - j))) for j in range(n)] for i in range(n)
            ],
        ),
        (
            "half-angles",
            "as students type it",
            lambda q, k, n: [
                [float(np.dot(turn(*q, i / 2), turn(*k, j / 2))) for j in range(n)]
                for i in range(n)
            ],
        ),
    ),
    "move-keys": (
        ("one-step-alone", "ggml-org/llama.cpp#3825", lambda v, s: rope_pairs(v, np.sign(s))),
        ("keys-moved-back", "K-shift delta sign", lambda v, s: rope_pairs(v, -s)),
        ("halves-for-neighbours", "NVIDIA-NeMo/Speech#6923", lambda v, s: rope_halves(v, s)),
        (
            "layouts-mixed",
            "facebookresearch/xformers#779",
            lambda v, s: (lambda a, p: v * np.cos(a) + p * np.sin(a))(
                s * np.tile(freqs_of(v.shape[1]), 2),
                np.stack([-v[:, 1::2], v[:, ::2]], -1).reshape(v.shape),
            ),
        ),
        (
            "pattern.repair-extra",
            "hpcaitech/ColossalAI#6429 (second from first)",
            lambda v, s: (
                lambda o: [o.__setitem__((slice(None), slice(1, None, 2)), o[:, ::2].copy())] and o
            )(rope_pairs(v, s)),
        ),
        (
            "pattern.where",
            "Tencent/ncnn#6833 (first half only)",
            lambda v, s: np.hstack(
                [rope_pairs(v, s)[:, : v.shape[1] // 2], v[:, v.shape[1] // 2 :]]
            ),
        ),
        ("exponent-halved", "as students type it", mk_float),
        ("turned-from-the-start", "as students type it", mk_row),
        ("first-key-alone", "as students type it", mk_first),
        ("pattern.repair-sign", "as students type it", mk_sin),
        ("pattern.repair-extra", "as students type it", mk_pi),
        (
            "turned-from-the-start",
            "as students type it",
            lambda v, s: rope_pairs(v, np.arange(len(v))),
        ),
        (
            "turned-from-the-start",
            "as students type it",
            lambda v, s: rope_pairs(v, s * np.arange(len(v))),
        ),
        ("one-step-alone", "as students type it", lambda v, s: rope_pairs(v, 1)),
        ("sine-cosine-layouts-mixed", "as students type it", two_layouts(rep2, til2)),
        ("sine-cosine-layouts-mixed", "as students type it", two_layouts(til2, rep2)),
        (
            "partners-left-out",
            "as students type it",
            lambda v, s: v * np.cos(s * np.repeat(freqs_of(v.shape[1]), 2)),
        ),
        (
            "hands-reversed",
            "as students type it",
            lambda v, s: rope_pairs(v, s, freqs=lambda d: freqs_of(d)[::-1]),
        ),
    ),
    "rotate-part": (
        (
            "frequencies-of-all",
            "pie-project/pie#603 (frequencies of all)",
            lambda v, p, n: np.hstack(
                [
                    rope_any(
                        v[:, :n],
                        p,
                        slice(0, n // 2),
                        slice(n // 2, n),
                        freqs_of(v.shape[1])[: n // 2],
                    ),
                    v[:, n:],
                ]
            ),
        ),
        (
            "all-columns-turned",
            "vllm-project/vllm#43770 (all turned)",
            lambda v, p, n: rope_halves(v, p),
        ),
        (
            "neighbours-for-halves",
            "apple/coreai-models#66",
            lambda v, p, n: np.hstack([rope_pairs(v[:, :n], p), v[:, n:]]),
        ),
        (
            "partner-in-other-half",
            "labscommunity/cascadia#69 (zero-padded inv_freq, pairs over all)",
            lambda v, p, n: rope_any(
                v,
                p,
                slice(0, v.shape[1] // 2),
                slice(v.shape[1] // 2, None),
                np.r_[freqs_of(n), np.zeros(v.shape[1] // 2)][: v.shape[1] // 2],
            ),
        ),
        (
            "last-columns-turned",
            "turns the last columns",
            lambda v, p, n: np.hstack([v[:, :-n], rope_halves(v[:, -n:], p)]),
        ),
        ("rest-dropped", "rest dropped", lambda v, p, n: rope_halves(v[:, :n], p)),
        ("positions-halved", "as students type it", rp_n2),
        ("last-columns-turned", "as students type it", rp_all),
        ("added-to-the-original", "as students type it", rp_sum),
        ("", "as students type it", rp_half),
        ("pattern.repair-extra", "as students type it", rp_perm),
        (
            "last-columns-turned neighbours-for-halves",
            "as students type it",
            lambda v, p, n: np.hstack(
                [v[:, : v.shape[1] - n], rope_pairs(v[:, v.shape[1] - n :], p)]
            ),
        ),
        (
            "all-columns-turned neighbours-for-halves",
            "as students type it",
            lambda v, p, n: rope_pairs(v, p),
        ),
        (
            "frequencies-of-all neighbours-for-halves",
            "as students type it",
            lambda v, p, n: np.hstack(
                [rope_pairs(v[:, :n], p, freqs=lambda d: freqs_of(v.shape[1])[: d // 2]), v[:, n:]]
            ),
        ),
        (
            "neighbours-for-halves turned-backwards",
            "as students type it",
            lambda v, p, n: np.hstack([rope_pairs(v[:, :n], -p), v[:, n:]]),
        ),
        (
            "hands-reversed",
            "as students type it",
            lambda v, p, n: np.hstack(
                [
                    rope_any(v[:, :n], p, slice(0, n // 2), slice(n // 2, n), freqs_of(n)[::-1]),
                    v[:, n:],
                ]
            ),
        ),
        (
            "positions-halved",
            "as students type it",
            lambda v, p, n: np.hstack([rope_halves(v[:, :n], p / 2), v[:, n:]]),
        ),
    ),
    "surprise-along": (
        (
            "pattern.repair-bound",
            "maxisi/ringdown#160",
            lambda b, n, w: (
                np.array([b[i : i + w].mean() for i in range(len(b) - w)]) / b[: n - 1].mean()
            ),
        ),
        ("one-bit-too-many", "all n", lambda b, n, w: means(b, w) / b[:n].mean()),
        (
            "pattern.repair-extra",
            "IBM/pytorch-seq2seq#144 (normalised twice)",
            lambda b, n, w: means(b, w) / w / b[: n - 1].mean(),
        ),
        (
            "pattern.repair-function",
            "magenta/magenta#897 (sum instead of mean)",
            lambda b, n, w: means(b, w) / b[: n - 1].sum(),
        ),
        (
            "stretches-past-the-ends",
            "heartrate_analysis#85 (mode same)",
            lambda b, n, w: (
                np.convolve(b, np.ones(w) / w, "same")[: max(len(b), w)] / b[: n - 1].mean()
            ),
        ),
        (
            "pattern.repair-extra",
            "difference of logs",
            lambda b, n, w: np.log2(means(b, w) / b[: n - 1].mean()),
        ),
        ("one-bit-too-many", "as students type it", su_zip),
        ("pattern.repair-bound", "a public repository", su_last),
        ("pattern.shape-in-arguments", "a public repository", su_all),
        ("pattern.factor-by-call", "as students type it", su_median),
        ("difference-for-quotient", "as students type it", su_std),
        ("other-than-mean", "as students type it", su_geo),
    ),
    "slopes-for-any-heads": (
        (
            "heads-from-zero",
            "paiml/aprender: start 1",
            lambda n: slopes_right(n) * 2 ** (8 / 2 ** math.floor(math.log2(n))),
        ),
        (
            "formula-for-all",
            "danieldk review (uniform)",
            lambda n: (2 ** (-8 / n)) ** np.arange(1, n + 1),
        ),
        ("others-of-larger-row", "even ones", press_like(lambda n, p: row_slopes(2 * p)[1::2])),
        (
            "missing-heads-filled",
            "lucidrains/x-transformers#85 (zeros for the rest)",
            press_like(lambda n, p: np.zeros(n)),
        ),
        (
            "larger-row-only",
            "ceil power cut",
            lambda n: row_slopes(2 ** math.ceil(math.log2(n)))[:n],
        ),
        ("pattern.repair-extra", "sorted", lambda n: np.sort(slopes_right(n))),
        ("heads-from-zero", "a public repository", sl_zero),
        ("formula-for-all", "a public repository", sl_ratio),
        ("", "a public repository", sl_inter),
        ("slopes-negative", "as students type it", al_neg),
        ("pattern.reciprocal", "as students type it", al_rat),
        (
            "others-of-larger-row",
            "as students type it",
            slopes_and(lambda n, p: row_slopes(p)[: n - p]),
        ),
        (
            "missing-heads-filled",
            "as students type it",
            slopes_and(lambda n, p: [1 / 256] * (n - p)),
        ),
    ),
    "bucket-of-offset": (
        ("sides-swapped", "lucidrains/x-transformers#10 (n < 0 side)", B(side=lambda r: r < 0)),
        ("past-unseen", "guillaume-be/rust-bert#166", B(dist=lambda r: max(r, 0))),
        ("one-far-bucket", "huggingface/candle#727", B(rnd=lambda x: 0)),
        ("not-halved", "num_buckets not halved", B(half=lambda n: n)),
        (
            "max-distance-off-by-one",
            "log(max/ (max_exact)) with max_distance - 1",
            B(denom=lambda far, m: math.log((far - 1) / m)),
        ),
        ("logarithms-mixed", "log2 over ln", B(log=math.log2)),
        ("one-far-bucket-fewer rounded-to-nearest", "a public repository", bk_ceil),
        ("always-both-ways", "a public repository", bk_paddle),
        ("one-distance-per-bucket", "as students type it", bk_min),
        ("pattern.repair-extra", "as students type it", bu_log),
        ("", "as students type it", bu_q),
        ("logarithms-mixed", "as students type it", B(log=lambda x: math.log(x) * math.log(2))),
        ("logarithms-mixed", "as students type it", B(log=math.log10)),
        ("logarithms-mixed", "as students type it", B(log=lambda x: math.log(x) * math.log(10))),
        ("one-far-bucket-fewer", "as students type it", B(span=lambda n, m: n - m - 1)),
    ),
    "broken-rope": (
        ("right-in-halves", "right layout", lambda v, p: rope_halves(v, p)),
        ("right-in-neighbours", "right layout", lambda v, p: rope_pairs(v, p)),
        (
            "sine-cosine-layouts-mixed",
            "sin from halves, cos from pairs",
            lambda v, p: (lambda c, s, q: v * c + q * s)(
                np.cos(np.outer(p, np.repeat(freqs_of(v.shape[1]), 2))),
                np.sin(np.outer(p, np.tile(freqs_of(v.shape[1]), 2))),
                np.stack([-v[:, 1::2], v[:, ::2]], -1).reshape(v.shape),
            ),
        ),
        (
            "sine-cosine-layouts-mixed",
            "cos from halves, sin from pairs",
            lambda v, p: (lambda c, s, q: v * c + q * s)(
                np.cos(np.outer(p, np.tile(freqs_of(v.shape[1]), 2))),
                np.sin(np.outer(p, np.repeat(freqs_of(v.shape[1]), 2))),
                np.stack([-v[:, 1::2], v[:, ::2]], -1).reshape(v.shape),
            ),
        ),
        (
            "turned-backwards",
            "rotate_half with +x2, -x1",
            lambda v, p: (lambda a, q: v * np.cos(a) + q * np.sin(a))(
                np.outer(p, np.tile(freqs_of(v.shape[1]), 2)),
                np.stack([v[:, 1::2], -v[:, ::2]], -1).reshape(v.shape),
            ),
        ),
        ("partners-left-out", "as students type it", br_a),
        ("turned-backwards", "as students type it", br_c),
        ("right-in-neighbours hands-reversed", "as students type it", br_d),
        ("", "as students type it", br_abs),
        ("", "as students type it", br_two),
        (
            "hands-reversed",
            "as students type it",
            lambda v, p: (lambda a, q: v * np.cos(a) + q * np.sin(a))(
                np.outer(p, np.tile(freqs_of(v.shape[1])[::-1], 2)),
                np.stack([-v[:, 1::2], v[:, ::2]], -1).reshape(v.shape),
            ),
        ),
    ),
}
"""The finding for each answer, the source of the answer, and the answer."""

WRONG = {id: tuple((found, answer) for found, _, answer in each) for id, each in FOUND.items()}
