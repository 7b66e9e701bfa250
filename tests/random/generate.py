#!/usr/bin/env python3
"""Prints a random program that is valid by construction, with its dims in the first line.

    python3 tests/random/generate.py SEED

It tracks shapes, types, magnitudes and exactness while the program grows, so that every operator gets
valid operands: values do not overflow, and where one unit in the last place would change the result
completely (comparisons, argmax, floor, conversion to integers), every correct compiler computes the
operand to the same bits.
"""
import random
import sys

from attention import Attention
from blocks import Blocks
from idioms import Idioms
from outline import outline
from products import Products
from program import (FLOATS, INTEGERS, NARROW, Program, Statement, Value, compute_type, join)
from sizes import Size
from systems import Systems

SIZES = (1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 130)
ELEMENTS = 1 << 14  # of one tensor
BOUNDS = {"i8": 128, "u8": 255, "i32": 2**31, "i64": 2**63}
LITERALS = ("0.5", "2", "-1", "0.25", "3", "1.5")  # exact in every float type


class Generator(Products, Attention, Blocks, Idioms, Systems):
    def __init__(self, seed):
        self.random = random.Random(seed)
        names = "ABC"[:self.random.choice((1, 2, 2, 3))]
        self.program = Program({name: self.random.choice(SIZES) for name in names})
        self.count = 0
        self.elements = ELEMENTS
        self.focus = None  # a value that is picked wherever it can be
        self.kept = []  # values that will be outputs
        self.masks = []  # conditions of attentions, by name
        self.autocast = self.random.choice(("bf16", "f16")) if self.chance(0.08) else None

    # ---- picking ---------------------------------------------------------------------------

    def chance(self, p):
        return self.random.random() < p

    def values(self, want):
        return [v for v in self.program.values() if want(v)]

    def pick(self, want):
        """An earlier value, late ones more often; None when there is none."""
        if self.focus and want(self.focus) and self.chance(0.8):
            return self.focus
        fitting = self.values(want)
        if not fitting:
            return None
        return self.random.choice(fitting[-3:] if self.chance(0.7) else fitting)

    def number(self, size):
        return int(size.value(self.program.dims))

    def fits(self, shape):
        numbers = [s.value(self.program.dims) for s in shape]
        total = 1
        for n in numbers:
            total *= n
        return (len(shape) <= 5 and total <= self.elements and
                all(n >= 1 and n.denominator == 1 for n in numbers))

    # ---- growing ---------------------------------------------------------------------------

    def name(self):
        self.count += 1
        return f"t{self.count}"

    def input(self, dtype, shape):
        bound = {"i8": 8, "bool": 1}.get(dtype, 9 if dtype in INTEGERS else 1)
        value = Value(f"x{len(self.program.inputs)}", dtype, tuple(shape), bound)
        self.program.inputs.append(value)
        return value

    def add(self, text, operands, dtype, shape, bound, exact=False, sizes=()):
        """One more statement; exact: the operator does not round. None when it grows too large."""
        if not self.fits(shape):
            return None
        integer = dtype not in FLOATS
        if integer:
            exact = True
            bound = BOUNDS.get(dtype, 1) if bound > BOUNDS.get(dtype, 1) else bound
        exact = exact and all(v.exact for v in operands)
        cast = self.autocast and ("@" in text or "einsum" in text) and not integer
        dtype = "f32" if cast else dtype
        value = Value(self.name(), dtype, tuple(shape), float(bound), exact,
                      not integer and any(v.rough or cast and not v.exact for v in operands))
        self.program.statements.append(
            Statement(text, list(operands), [value], tuple(sizes), self.chance(0.4)))
        return value

    def same(self, text, x, bound, exact=False, dtype=None, others=(), sizes=()):
        """A statement whose result has the shape of x."""
        return self.add(text, [x, *others], dtype or compute_type(x.dtype), x.shape, bound, exact,
                        sizes)

    def tame(self, x, bound):
        """x, or x made small."""
        if x is None or x.bound <= bound:
            return x
        if x.dtype in INTEGERS:
            return self.same("{0} % 4", x, 3)
        if x.exact or self.chance(0.3):
            return self.same("clamp({0}, -1, 1)", x, 1, True, x.dtype)
        return self.same(self.random.choice(("tanh({0})", "sigmoid({0})", "sin({0})")),
                         self.tame(x, 1e4) if x.bound > 1e4 else x, 1)

    def floats(self, rank=0, bound=1e6):
        """An earlier float tensor, magnitudes up to the bound."""
        return self.tame(self.pick(lambda v: v.dtype in FLOATS and len(v.shape) >= rank), bound)

    def partner(self, x, want=lambda v: True, bound=1e6):
        """A value that x broadcasts with to its own shape; perhaps a new input."""
        def broadcasts(v):
            return (len(v.shape) <= len(x.shape) and want(v) and join(x.dtype, v.dtype) and
                    all(a == b or a == 1 for a, b in zip(v.shape[::-1], x.shape[::-1])))
        found = self.pick(broadcasts)
        if found is None or self.chance(0.25):
            shape = [Size(1) if self.chance(0.2) else s for s in x.shape]
            shape = shape[self.random.randrange(len(shape) + 1) if self.chance(0.3) else 0:]
            dtype = self.random.choice([x.dtype, x.dtype, "f32", "bf16"]) \
                if x.dtype in FLOATS else x.dtype
            found = self.input(dtype, shape)
            if not want(found):
                found = self.input(x.dtype, x.shape)
        return self.tame(found, bound)

    def axes(self, x, several=True):
        """Some axes of x, as the language writes them and as numbers."""
        rank = len(x.shape)
        if x is self.focus and self.chance(0.7):
            return "-1", [rank - 1]
        count = self.random.randint(1, rank) if several and self.chance(0.4) else 1
        axes = sorted(self.random.sample(range(rank), count))
        if count > 1:
            return f"[{', '.join(str(a) for a in axes)}]", axes
        return str(axes[0] - rank if self.chance(0.5) else axes[0]), axes

    def size(self, *numbers):
        """One of the numbers, or a dim that is no larger than they are."""
        dims = [name for name, n in self.program.dims.items() if n <= max(numbers)]
        return Size(self.random.choice(dims if dims and self.chance(0.4) else numbers))

    def narrow(self, x, dtype):
        """x as a type, by name."""
        value = self.same(f"{{0}} as {dtype}", x, x.bound, dtype=dtype)
        value.rough = dtype in NARROW and not x.exact
        return value

    def extent(self, x, axes):
        n = 1
        for a in axes:
            n *= self.number(x.shape[a])
        return n

    # ---- statements: element by element ---------------------------------------------------------

    def unary(self):
        x = self.floats(bound=1e4)
        if x is None:
            return None
        text, bound = self.random.choice((
            ("tanh({0})", 1), ("sigmoid({0})", 1), ("sin({0})", 1), ("cos({0})", 1),
            ("erf({0})", 1), ("gelu({0})", x.bound), ("gelu_tanh({0})", x.bound),
            ("silu({0})", x.bound), ("softplus({0})", x.bound + 1),
            ("log(abs({0}) + 0.5)", 10), ("log2(abs({0}) + 0.5)", 15), ("log1p(abs({0}))", 10),
            ("tan(sin({0}))", 1.6), ("asin(0.9 * sin({0}))", 1.2), ("acos(0.9 * cos({0}))", 2.8),
            ("atan({0})", 1.6), ("log10(abs({0}) + 0.5)", 4), ("cbrt(abs({0}) + 0.5)", 22),
            ("sqrt(abs({0}))", x.bound**0.5 + 1), ("rsqrt(abs({0}) + 0.25)", 2),
            ("{0} ** 2", x.bound**2), ("{0} ** 3", x.bound**3), ("1 - {0}", 1 + x.bound),
            ("{0} / 3", x.bound), ("0.1 * {0}", x.bound)))
        return self.same(text, x, bound)

    def exponential(self):
        x = self.floats(bound=4)
        text, base = self.random.choice((("exp({0})", 2.72), ("exp2({0})", 2), ("exp(-{0})", 2.72),
                                         ("expm1({0})", 2.72), ("sinh({0})", 2.72),
                                         ("cosh({0})", 2.72)))
        return x and self.same(text, x, base**x.bound)

    def selecting(self):
        """Operators that do not round: narrow types stay."""
        x = self.floats()
        if x is None:
            return None
        text = self.random.choice(("relu({0})", "-{0}", "abs({0})", "clamp({0}, -0.5, 0.25)",
                                   "max({0}, 0.25)", "min({0}, 0.5)"))
        return self.same(text, x, x.bound + 1, True, x.dtype)

    def stepping(self):
        x = self.pick(lambda v: v.dtype in FLOATS and v.exact)
        text = self.random.choice(("floor({0})", "ceil({0})", "round({0})", "sign({0})"))
        return x and self.same(text, x, x.bound + 1, True, x.dtype)

    def binary(self):
        x = self.floats(bound=1e3)
        y = x and self.partner(x, bound=1e3)
        if y is None:
            return None
        dtype = compute_type(join(x.dtype, y.dtype))
        text, bound = self.random.choice((
            ("{0} + {1}", x.bound + y.bound), ("{0} - {1}", x.bound + y.bound),
            ("{1} - {0}", x.bound + y.bound), ("{0} * {1}", x.bound * y.bound),
            ("{0} * {1}", x.bound * y.bound), ("{0} / (abs({1}) + 0.5)", 2 * x.bound),
            ("{1} / (abs({0}) + 1)", y.bound), ("min({0}, {1})", 0), ("max({0}, {1})", 0),
            ("(abs({0}) + 0.5) ** tanh({1})", 2 * x.bound + 2), ("atan2({0}, abs({1}) + 0.5)", 1.6),
            ("{0} % (abs({1}) + 0.5)", x.bound)))
        selects = not bound
        if "%" in text and not (x.exact and y.exact):
            return None
        if selects:
            bound, dtype = max(x.bound, y.bound), join(x.dtype, y.dtype)
        return self.same(text, x, bound, selects, dtype, [y])

    def literal(self):
        x = self.floats(bound=1e4)
        literal = self.random.choice(LITERALS)
        text = self.random.choice(("{{0}} * {}", "{{0}} + {}", "{} - {{0}}", "{{0}} / {}"))
        return x and self.same(text.format(literal), x, 4 * x.bound + 4)

    def dim(self):
        x = self.floats(rank=1, bound=100)
        if x is None:
            return None
        s = self.random.choice(x.shape)
        n = self.number(s)
        text, bound = self.random.choice((("{0} * ({s0})", x.bound * n), ("{0} / ({s0})", x.bound),
                                          ("{0} * rsqrt({s0})", x.bound),
                                          ("({s0}) - {0}", x.bound + n)))
        return self.same(text, x, bound, sizes=[s])

    def integers(self):
        x = self.pick(lambda v: v.dtype in INTEGERS)
        if x is None:
            return None
        y = self.partner(x)
        joined = join(x.dtype, y.dtype)
        text = self.random.choice(("{0} + {1}", "{0} - {1}", "{0} * {1}", "{0} / {1}", "{0} % {1}",
                                   "min({0}, {1})", "max({0}, {1})", "-{0} + {1}",
                                   "abs({0}) - {1}", "clamp({0}, 0, 5) + {1}",
                                   "{0} * {0} - 3 * {1}"))
        selects = text.startswith("m")
        return self.same(text, x, 2**70, dtype=joined if selects else compute_type(joined),
                         others=[y])

    def compare(self):
        x = self.pick(lambda v: v.exact and v.dtype != "bool")
        if x is None:
            return None
        op = self.random.choice(("<", "<=", "==", "!=", ">", ">="))
        if self.chance(0.4):
            literal = self.random.choice(("0", "1", "2"))
            return self.same(f"{{0}} {op} {literal}", x, 1, dtype="bool")
        y = self.partner(x, lambda v: v.exact)
        return self.same(f"{{0}} {op} {{1}}", x, 1, dtype="bool", others=[y])

    def logic(self):
        x = self.pick(lambda v: v.dtype == "bool")
        if x is None:
            return None
        y = self.partner(x)
        text = self.random.choice(("{0} && {1}", "{0} || {1}", "!{0}", "!{0} && {1}"))
        return self.same(text, x, 1, dtype="bool", others=[y] if "{1}" in text else [])

    def is_nan(self):
        x = self.pick(lambda v: v.dtype in FLOATS and v.exact)
        return x and self.same("isnan({0})", x, 1, dtype="bool")

    def where(self):
        x = self.pick(lambda v: v.dtype != "bool")
        if x is None:
            return None
        conditions = self.values(
            lambda v: v.dtype == "bool" and len(v.shape) <= len(x.shape) and
            all(a == b or a == 1 for a, b in zip(v.shape[::-1], x.shape[::-1])))
        condition = self.random.choice(conditions) if conditions else self.input("bool", x.shape)
        if self.chance(0.4):
            text = self.random.choice(("where({1}, {0}, 0)", "where({1}, 1, {0})"))
            return self.same(text, x, x.bound + 1, True, x.dtype, [condition])
        y = self.partner(x)
        text = self.random.choice(("where({1}, {0}, {2})", "where({1}, {2}, {0})"))
        return self.same(text, x, max(x.bound, y.bound), True, join(x.dtype, y.dtype),
                         [condition, y])

    def cast(self):
        x = self.pick(lambda v: True)
        if x is None:
            return None
        floats = x.dtype in FLOATS
        to = self.random.choice(NARROW + ("f32", "bf16", "f64") if floats and not x.exact else
                                FLOATS + INTEGERS + ("bool",))
        if to == x.dtype:
            return None
        if to in NARROW and x.bound > 100:
            x = self.tame(x, 1)
        if x is None:
            return None
        value = self.same(f"{{0}} as {to}", x, x.bound * 1.25, x.bound < 2**24 or to == "f64", to)
        if value and to in NARROW and not x.exact:
            value.rough = True
        return value

    # ---- statements: moving elements ------------------------------------------------------------

    def view(self):
        x = self.pick(lambda v: v.shape)
        if x is None:
            return None
        move = self.random.choice((self.merge, self.unmerge, self.permute, self.slice, self.slice,
                                   self.drop, self.new_axis, self.pad, self.concat, self.spread,
                                   self.take, self.halves, self.flip))
        return move(x)

    def move(self, text, x, shape, sizes=(), others=(), bound=None):
        return self.add(text, [x, *others], x.dtype, shape, bound or x.bound, True, sizes)

    def reshape(self, x, shape):
        places = [f"{{s{i}}}" for i in range(len(shape))]
        if self.chance(0.3):  # one size is for the compiler to find
            places[self.random.randrange(len(places))] = "-1"
        return self.move(f"reshape({{0}}, {', '.join(places)})", x, shape, shape)

    def merge(self, x):
        if len(x.shape) < 2:
            return None
        at = self.random.randrange(len(x.shape) - 1)
        return self.reshape(x, (*x.shape[:at], x.shape[at] * x.shape[at + 1], *x.shape[at + 2:]))

    def unmerge(self, x):
        at = self.random.randrange(len(x.shape))
        n = self.number(x.shape[at])
        factor = self.random.choice([f for f in (1, 2, 3, 5, 8) if n % f == 0])
        parts = [Size(factor), x.shape[at] / factor]
        self.random.shuffle(parts)
        return self.reshape(x, (*x.shape[:at], *parts, *x.shape[at + 1:]))

    def permute(self, x):
        rank = len(x.shape)
        if rank < 2:
            return None
        if self.chance(0.4):
            return self.move("{0}.T", x, (*x.shape[:-2], x.shape[-1], x.shape[-2]))
        order = self.random.sample(range(rank), rank)
        return self.move(f"permute({{0}}, {', '.join(map(str, order))})", x,
                         [x.shape[i] for i in order])

    def at_axis(self, x, at, index):
        """x[.., index, ..], spelt in one of the ways there are."""
        rank = len(x.shape)
        if at == rank - 1 and rank > 1 and self.chance(0.5):
            return f"{{0}}[..., {index}]"
        return f"{{0}}[{', '.join([':'] * at + [index])}]"

    def slice(self, x):
        at = self.random.randrange(len(x.shape))
        n = x.shape[at]
        index, extent = self.random.choice((
            ("1:", n - 1), (":-1", n - 1), ("2:-1", n - 3), (":3", Size(3)), ("-2:", Size(2)),
            ("1:4", Size(3)), (":1", Size(1)), (":", n)))
        if self.number(n) < {":3": 3, "1:4": 4, "-2:": 2}.get(index, 1):
            return None
        return self.move(self.at_axis(x, at, index), x, (*x.shape[:at], extent, *x.shape[at + 1:]))

    def drop(self, x):
        at = self.random.randrange(len(x.shape))
        index = self.random.choice(("0", "-1", "1" if self.number(x.shape[at]) > 1 else "0"))
        return self.move(self.at_axis(x, at, index), x, x.shape[:at] + x.shape[at + 1:])

    def new_axis(self, x):
        at = self.random.randrange(len(x.shape) + 1)
        index = ", ".join([":"] * at + ["None"]) if at < len(x.shape) else "..., None"
        return self.move(f"{{0}}[{index}]", x, (*x.shape[:at], Size(1), *x.shape[at:]))

    def pad(self, x):
        at, before, after = (self.random.randrange(n) for n in (len(x.shape), 3, 3))
        value = self.random.choice(("", ", 1", ", value = 2")) if x.dtype != "bool" else ""
        if x.dtype == "bool":
            value = ", value = false"
        return self.move(f"pad({{0}}, {at}, {before}, {after}{value})", x,
                         (*x.shape[:at], x.shape[at] + (before + after), *x.shape[at + 1:]),
                         bound=max(x.bound, 2))

    def concat(self, x):
        at = self.random.randrange(len(x.shape))
        others = self.values(lambda v: v.dtype == x.dtype and len(v.shape) == len(x.shape) and
                             all(a == b for i, (a, b) in enumerate(zip(v.shape, x.shape))
                                 if i != at))
        y = self.random.choice(others)
        shape = (*x.shape[:at], x.shape[at] + y.shape[at], *x.shape[at + 1:])
        value = self.move(f"concat({{0}}, {{1}}, axis = {at})", x, shape, others=[y],
                          bound=max(x.bound, y.bound))
        return value

    def spread(self, x):
        shape = [s if s != 1 else self.random.choice((Size(1), Size(3), Size("A")))
                 for s in x.shape]
        if self.chance(0.5):
            shape.insert(0, self.random.choice((Size(2), Size(5), Size("A"))))
        places = ", ".join(f"{{s{i}}}" for i in range(len(shape)))
        return self.move(f"broadcast({{0}}, {places})", x, shape, shape)

    def flip(self, x):
        axis, _ = self.axes(x)
        return self.move(f"flip({{0}}, axis = {axis})", x, x.shape)

    def take(self, x):
        at = self.random.randrange(len(x.shape))
        indices = self.pick(lambda v: v.dtype in ("i32", "i64") and len(v.shape) <= 2)
        if indices is None or self.chance(0.5):
            indices = self.input(self.random.choice(("i32", "i64")),
                                 [Size(self.random.choice((1, 3, 8))) for _ in range(
                                     self.random.choice((0, 1, 1, 2)))])
        return self.move(f"take({{0}}, clamp({{1}}, 0, {{s0}}), axis = {at})", x,
                         (*x.shape[:at], *indices.shape, *x.shape[at + 1:]), [x.shape[at] - 1],
                         [indices])

    def scatter(self):
        x = self.pick(lambda v: v.shape and v.dtype != "bool")
        x = x and self.tame(x, 100)
        if x is None:
            return None
        at = self.random.randrange(len(x.shape))
        base = self.input(self.random.choice((x.dtype, "f32" if x.dtype in FLOATS else "i32")),
                          (*x.shape[:at], Size(self.random.choice((1, 3, 8))), *x.shape[at + 1:]))
        indices = self.input(self.random.choice(("i32", "i64")), x.shape[at:at + 1])
        how = self.random.choice(("add", "add", "max", "min", "set"))
        dtype = join(x.dtype, base.dtype)
        dtype = compute_type(dtype) if how == "add" else dtype
        bound = x.bound * self.number(x.shape[at]) + base.bound if how == "add" else \
            max(x.bound, base.bound)
        return self.add(f"scatter({{0}}, clamp({{1}}, 0, {{s0}}), {{2}}, axis = {at}, with = {how})",
                        [base, indices, x], dtype, base.shape, bound, how != "add",
                        [base.shape[at] - 1])

    def halves(self, x):
        """A split has several results."""
        at = self.random.randrange(len(x.shape))
        parts = self.random.choice((2, 3))
        if self.number(x.shape[at]) % parts:
            return None
        return self.split(x, at, parts)[0]

    def split(self, x, at, parts):
        shape = (*x.shape[:at], x.shape[at] / parts, *x.shape[at + 1:])
        values = [Value(self.name(), x.dtype, shape, x.bound, x.exact, x.rough)
                  for _ in range(parts)]
        self.program.statements.append(
            Statement(f"split({{0}}, {parts}, axis = {at})", [x], values))
        return values

    def leaf(self):
        x = self.pick(lambda v: v.shape)
        s = x.shape[-1] if x else Size("A")
        if self.chance(0.5):
            return self.add("iota({s0})", [], "i32", [s], self.number(s), True, [s])
        return self.add("full(0.5, {s0}, 2)", [], "f32", [s, Size(2)], 1, True, [s])

    def random_numbers(self):
        seed = self.random.choice(("3", "-1", "5000000000", "{0}"))
        shape = [self.random.choice((Size(1), Size(2), Size(5), *map(Size, self.program.dims)))
                 for _ in range(self.random.choice((1, 2, 2, 3)))]
        if not self.fits(shape):
            return None
        sources = [self.input(self.random.choice(("i32", "i64")), [])] if seed == "{0}" else []
        places = ", ".join(f"{{s{i}}}" for i in range(len(shape)))
        name, dtype, bound, exact = self.random.choice((
            ("random_uniform", "f32", 1, True), ("random_normal", "f32", 6, False),
            ("random_bits", "i32", 2**31, True)))
        return self.add(f"{name}({seed}, {places})", sources, dtype, shape, bound, exact, shape)

    def dropout(self):
        x = self.floats(bound=1e4)
        if x is None:
            return None
        p = self.random.choice(("0", "0.25", "0.5", "1"))
        return self.same(f"dropout({{0}}, {p}, 7)", x, 2 * x.bound)

    # ---- statements: along axes -----------------------------------------------------------------

    def reduced(self, x, axes, keep):
        return [Size(1) if i in axes else s for i, s in enumerate(x.shape)
                if keep or i not in axes]

    def reduction(self):
        x = self.floats(rank=1, bound=100)
        if x is None:
            return None
        ops = ["sum", "sum", "mean", "max", "min", "var", "logsumexp"]
        op = self.random.choice(ops + ["prod"])
        axis, axes = self.axes(x)
        n = self.extent(x, axes)
        if op == "prod" and (n > 8 or x.bound > 4) or op == "var" and x.rough:
            return None
        bound = {"sum": x.bound * n, "prod": x.bound**min(n, 8), "var": x.bound**2,
                 "logsumexp": x.bound + 10}.get(op, x.bound)
        keep = self.chance(0.5)
        selects = op in ("max", "min")
        text = f"{op}({{0}}, axis = {axis}{', keep = true' if keep else ''})"
        return self.add(text, [x], x.dtype if selects else compute_type(x.dtype),
                        self.reduced(x, axes, keep), bound, selects)

    def reduced_again(self):
        """What is one number for each row, along the row once more."""
        x = self.floats(rank=1, bound=100)
        if x is None:
            return None
        axis, axes = self.axes(x)
        n = self.extent(x, axes)
        first, then = self.random.choice((("max", "min"), ("min", "sum"), ("mean", "max"),
                                          ("sum", "logsumexp")))
        places = ", ".join(f"{{s{i}}}" for i in range(len(x.shape)))
        text = f"{then}(broadcast({first}({{0}}, axis = {axis}, keep = true), {places}), axis = {axis})"
        return self.add(text, [x], x.dtype if first == "max" else compute_type(x.dtype),
                        self.reduced(x, axes, False), x.bound * n + 10, sizes=x.shape)

    def long_reduction(self):
        """Of few rows, so long that the compiler takes them in pieces."""
        x, y = (self.input(self.random.choice(("f32", "bf16", "f64")), [Size(n)])
                for n in self.random.choice(((288, 256), (320, 257), (4, 18432), (400, 200))))
        text = self.random.choice(("sum({0}[:, None] * {1}, axis = [0, 1])",
                                   "max({0}[:, None] - {1}, axis = [0, 1], keep = true)",
                                   "mean(exp({0}[:, None]) * {1}, axis = [-2, -1])",
                                   "logsumexp({0}[:, None] + {1}, axis = [0, 1])",
                                   "min({0}[:, None] + {1}, axis = [0, 1])"))
        keep = "keep" in text
        return self.add(text, [x, y], compute_type(join(x.dtype, y.dtype)),
                        [Size(1)] * 2 if keep else [], 2**17)

    def exact_reduction(self):
        """Of integers and bools."""
        x = self.pick(lambda v: v.dtype not in FLOATS and v.shape)
        if x is None:
            return None
        axis, axes = self.axes(x)
        op = self.random.choice(("any", "all", "sum") if x.dtype == "bool" else
                                ("sum", "max", "min", "sum", "prod"))
        dtype = x.dtype if op in ("any", "all", "max", "min") else compute_type(x.dtype)
        bound = 1 if dtype == "bool" else x.bound * self.extent(x, axes) if op == "sum" else 2**70
        keep = self.chance(0.5)
        return self.add(f"{op}({{0}}, axis = {axis}, keep = {str(keep).lower()})", [x], dtype,
                        self.reduced(x, axes, keep), bound)

    def arg_max(self):
        x = self.pick(lambda v: v.exact and v.dtype != "bool" and v.shape)
        if x is None:
            return None
        axis, axes = self.axes(x, several=False)
        return self.add(f"argmax({{0}}, axis = {axis})", [x], "i32", self.reduced(x, axes, False),
                        self.extent(x, axes))

    def running(self):
        x = self.pick(lambda v: v.shape and v.dtype != "bool")
        op = self.random.choice(("cumsum", "cumprod", "cummax", "cummin"))
        if op in ("cumsum", "cumprod"):
            x = self.tame(x, 10)
        if x is None:
            return None
        axis, axes = self.axes(x, several=False)
        reverse = ", reverse = true" if self.chance(0.4) else ""
        if op in ("cummax", "cummin"):
            return self.add(f"{op}({{0}}, axis = {axis}{reverse})", [x], x.dtype, x.shape, x.bound, True)
        if op == "cumprod":
            return self.same(f"cumprod({{0}}, axis = {axis}{reverse})", x, 2**70)
        return self.same(f"cumsum({{0}}, axis = {axis}{reverse})", x, x.bound * self.extent(x, axes))

    def normalise(self):
        x = self.floats(rank=1, bound=50)
        if x is None:
            return None
        axis, axes = self.axes(x)
        op = self.random.choice(("softmax", "softmax", "log_softmax", "layer_norm", "rms_norm",
                                 "minus max", "over sum"))
        if op in ("softmax", "log_softmax"):
            return self.same(f"{op}({{0}}, axis = {axis})", x, 1 if op == "softmax" else 200)
        if op == "minus max":
            return self.same(f"{{0}} - max({{0}}, axis = {axis}, keep = true)", x, 2 * x.bound)
        if op == "over sum":
            return self.same(f"{{0}} / (sum(abs({{0}}), axis = {axis}, keep = true) + 0.5)", x, 1)
        if x.rough:
            return None
        narrow = self.chance(0.5) and x.dtype != "f64"
        gain, bias = (self.input("bf16" if narrow else x.dtype, x.shape[-1:]) for _ in "gb")
        dtype = join(x.dtype, gain.dtype)
        bound = self.number(x.shape[-1])**0.5 + 1
        if op == "rms_norm":
            self.program.inputs.pop()
            return self.same("rms_norm({0}, {1})", x, bound, others=[gain],
                             dtype=compute_type(dtype))
        return self.same("layer_norm({0}, {1}, {2}, eps = 0.01)", x, bound, others=[gain, bias],
                         dtype=compute_type(dtype))

    def picked(self):
        """One element of each row."""
        x = self.floats(rank=1, bound=100)
        if x is None:
            return None
        index = self.input(self.random.choice(("i32", "i64")), x.shape[:-1])
        text = self.random.choice(("sum(where(iota({s0}) == {1}[..., None], {0}, 0))",
                                   "sum(where({1}[..., None] == iota({s0}), {0}, 0))",
                                   "sum(where(iota({s0}) != {1}[..., None], 0, {0}))"))
        if index.dtype == "i64":
            text = text.replace("iota({s0})", "(iota({s0}) as i64)")
        return self.add(text, [x, index], compute_type(x.dtype), x.shape[:-1], x.bound,
                        sizes=x.shape[-1:])

    def loss(self):
        x = self.floats(rank=1, bound=50)
        if x is None:
            return None
        labels = self.input("i32", x.shape[:-1])
        return self.add("cross_entropy({0}, clamp({1}, 0, {s0}))", [x, labels],
                        compute_type(x.dtype), x.shape[:-1], x.bound * 2 + 10,
                        sizes=[x.shape[-1] - 1])

    # ---- programs -------------------------------------------------------------------------------

    STATEMENTS = (("unary", 10), ("exponential", 3), ("selecting", 4), ("stepping", 2),
                  ("binary", 12), ("literal", 3), ("dim", 2), ("integers", 4), ("compare", 4),
                  ("logic", 2), ("is_nan", 1), ("where", 5), ("cast", 6), ("view", 14),
                  ("leaf", 2), ("random_numbers", 2), ("scatter", 2), ("dropout", 1),
                  ("reduction", 9), ("reduced_again", 0.5), ("long_reduction", 1), ("exact_reduction", 4),
                  ("arg_max", 2), ("running", 3), ("normalise", 6), ("loss", 1), ("picked", 1),
                  ("product", 5), ("layers", 2), ("rows_of_product", 5), ("added_products", 3),
                  ("dequantised", 2), ("attention", 4), ("vocabulary", 2), ("gathered", 2),
                  ("one_hot", 1), ("pieces", 2), ("contraction", 3), ("mask", 2), ("pipeline", 3),
                  ("mixed", 3), ("two_attentions", 1), ("butterflies", 1.5), ("segments", 1.5),
                  ("heads", 2), ("gathered_attention", 2), ("scaled_blocks", 1), ("long_rows", 0.3),
                  ("row_groups", 2),
                  ("tiny_system", 1.5))

    def first_inputs(self):
        for _ in range(self.random.choice((1, 2, 3))):
            rank = self.random.choice((1, 2, 2, 3, 4))
            while True:
                shape = [Size(self.random.choice(list(self.program.dims) * 2 + [2, 3]))
                         for _ in range(rank)]
                if self.fits(shape):
                    break
                rank = max(1, rank - 1)
            self.input(self.random.choice(("f32",) * 5 + ("bf16",) * 3 +
                                          ("f16", "f64", "i32", "i8", "u8", "i64", "f8e4m3",
                                           "f8e5m2", "bool")), shape)

    def outputs(self):
        """Some of what nothing reads, and now and then something that is read too."""
        program = self.program
        ends = [v for s in program.statements for v in s.results if not program.readers(v)]
        self.random.shuffle(ends)
        chosen = list(dict.fromkeys(self.kept + ends[:self.random.choice((1, 2, 3, 5, 8))]))
        extra = self.pick(lambda v: v not in program.inputs and v not in chosen)
        if extra and self.chance(0.3):
            chosen.append(extra)
        for i, v in enumerate(chosen):
            dtype = v.dtype
            if v.rough and dtype not in NARROW:  # see Value.rough
                dtype = "bf16"
            elif dtype in ("f32", "f64") and self.chance(0.25) and v.bound < 1e4:
                dtype = self.random.choice(("bf16", "f16", "f32"))
            program.outputs.append((f"y{i}", v, dtype))

    def attributes(self):
        """How products are computed: infinities in sums of bf16 numbers are NaN."""
        ways = ["@strict", "@precision(tf32)"]
        if "-inf" not in str(self.program):
            ways += ["@precision(tf32x3)", "@precision(bf16x3)", "@precision(bf16x6)"]
        attributes = [self.random.choice(ways)] if self.chance(0.15) else []
        attributes += [f"@autocast({self.autocast})"] if self.autocast else []
        self.program.attribute = "\n".join(attributes)

    def asserts(self):
        """Some of what is true of the dims, for the compiler to rely on."""
        for name, n in self.program.dims.items():
            facts = [("<=", n + self.random.choice((0, 1, 100))), (">=", max(1, n - 3)),
                     ("!=", n + 1)]
            facts += [("%", factor) for factor in (2, 4, 8, 16, n) if n % factor == 0]
            if self.chance(0.4):
                self.program.asserts.append((name, *self.random.choice(facts)))

    def constants(self):
        """Some inputs of some programs: often those that come late, which are the weights."""
        if self.chance(0.4):
            for i, value in enumerate(self.program.inputs):
                value.constant = self.chance(0.3 if i == 0 else 0.7)

    def letters(self):
        """In some programs inputs and outputs have letters for names, as variables of kernels have."""
        if self.chance(0.3):
            program = self.program
            letters = [c for c in "abcdefghijklmnopqrstuvwxyz" if self.chance(0.7)]
            self.random.shuffle(letters)
            for value in program.inputs[:len(letters) // 2]:
                value.name = letters.pop()
            program.outputs = [(letters.pop() if letters else name, v, dtype)
                               for name, v, dtype in program.outputs]

    def consumed(self):
        """Some inputs of some programs, which temporaries then overwrite."""
        if self.chance(0.4):
            for value in self.program.inputs:
                value.consumed = not value.constant and self.chance(0.6)

    def generate(self):
        self.first_inputs()
        names, weights = zip(*self.STATEMENTS)
        wanted = self.random.choice((3, 5, 8, 12, 20, 30))
        while len(self.program.statements) < wanted:
            getattr(self, self.random.choices(names, weights)[0])()
        self.outputs()
        self.program.prune()
        self.program.dims = self.program.used_dims()
        self.attributes()
        self.constants()
        if self.chance(0.2):
            self.asserts()
        if self.chance(0.3):
            outline(self.program, self.random)
        self.program.reads_outputs = self.chance(0.3)
        self.consumed()
        self.letters()
        return self.program


def generate(seed):
    return Generator(seed).generate()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(generate(int(sys.argv[1])), end="")
