"""Blocks of real models, each a few statements that belong together: part of a Generator."""
from program import FLOATS, compute_type


class Blocks:
    def keep(self, x):
        """What will be an output, whatever else reads it."""
        if x is not None and len(self.kept) < 4:
            self.kept.append(x)

    def read_elsewhere(self, x):
        """Something beside what is made of x next."""
        way = self.random.choice(("output", "output", "relu({0})", "tanh({0})", "0.5 * {0}",
                                  "sum({0})"))
        if way == "output":
            self.keep(x)
        elif way == "sum({0})":
            self.keep(self.add(way, [x], compute_type(x.dtype), x.shape[:-1],
                               x.bound * self.number(x.shape[-1])))
        elif way == "relu({0})" or x.dtype in FLOATS:
            self.keep(self.same(way, x, x.bound, dtype=x.dtype if "relu" in way else None))

    # ---- products ----------------------------------------------------------------------------

    def gathered(self):
        """Rows of a table, in front of a product or behind it."""
        k = self.size(1, 5, 8, 16, 33)
        n, rows = self.size(3, 8, 17, 40), self.size(1, 2, 16, 33)
        dtype = self.random.choice(("f32", "bf16", "f16"))
        table = self.matrix(dtype, [n, k])
        index = self.input(self.random.choice(("i32", "i64")), [rows])
        x = table and self.move("take({0}, clamp({1}, 0, {s0}), axis = 0)", table, [rows, k],
                                [n - 1], [index])
        if x is None:
            return None
        if self.chance(0.6):
            return self.times(x, self.size(1, 8, 17, 40))
        left = self.matrix(dtype, [self.size(1, 7, 33), k])
        return left and self.add("{0} @ {1}.T", [left, x], "f32", [left.shape[0], rows],
                                 self.number(k))

    def one_hot(self):
        """The rows of a matrix that numbers name, as a product or a sum; perhaps both."""
        index = self.input(self.random.choice(("i32", "i64")), [self.size(1, 5, 16, 33)])
        n = self.size(3, 8, 17, 40)
        numbers = "iota({s0})" if index.dtype == "i32" else "(iota({s0}) as i64)"
        hot = self.add("{0}[:, None] == " + numbers, [index], "bool", [index.shape[0], n], 1,
                       sizes=[n])
        x = hot and self.same("{0} as " + self.random.choice(("f32", "bf16")), hot, 1, True, "f32")
        if x is None:
            return None
        x.dtype = self.program.statements[-1].text.split()[-1]
        if self.chance(0.3):
            self.keep(self.add("sum({0}, axis = 0)", [hot], "i32", [n], self.number(n) * 40))
        return self.times(x, self.size(1, 8, 17))

    def pieces(self):
        """A product whose parts meet again: gates, rotations, a concatenation."""
        whole = self.product()
        if whole is None or whole.dtype not in FLOATS or self.number(whole.shape[-1]) % 2:
            return None
        shape = (*whole.shape[:-1], whole.shape[-1] / 2)
        a, b = self.split(whole, len(shape) - 1, 2)
        way = self.random.choice(("silu({0}) * {1}", "tanh({0}) + {1}",
                                  "concat(-{1}, {0}, axis = -1)",
                                  "concat({0}, sigmoid({1}), axis = -1)",
                                  "concat({1} * {0}, {0}, axis = -1)"))
        joined = "concat" in way
        bound = max(a.bound * b.bound, a.bound + b.bound, 1)
        return self.add(way, [a, b], a.dtype, whole.shape if joined else shape, bound)

    def contraction(self):
        """An einsum of two operands: each axis of the left one is summed, matched or kept."""
        x = self.tame(self.pick(lambda v: 1 <= len(v.shape) <= 3 and v.dtype != "bool"), 20)
        if x is None:
            return None
        sizes = dict(zip("abc", x.shape))
        right, out, summed = [], [], []
        for label in sizes:
            way = self.random.choice(("sum", "match", "keep", "drop"))
            right += [label] * (way in ("sum", "match"))
            out += [label] * (way in ("match", "keep"))
            summed += [label] * (way in ("sum", "drop"))
        if self.chance(0.7) or not right:
            sizes["k"] = self.size(1, 3, 8, 17)
            right.append("k")
            out.append("k")
        self.random.shuffle(right)
        self.random.shuffle(out)
        if not self.fits([sizes[c] for c in right]):
            return None
        y = self.beside(x, [sizes[c] for c in right])
        spec = f"{'abc'[:len(x.shape)]},{''.join(right)}->{''.join(out)}"
        bound = x.bound * y.bound
        for label in summed:
            bound *= self.number(sizes[label])
        return self.add(f"einsum(\"{spec}\", {{0}}, {{1}})", [x, y], self.joined(x, y),
                        [sizes[c] for c in out], bound)

    # ---- masks ----------------------------------------------------------------------------------

    def mask(self):
        """Conditions on where an element stands, which may have several readers."""
        x = self.floats(rank=1, bound=1e4)
        if x is None:
            return None
        last = x.shape[-1]
        text, sizes = self.random.choice((("iota({s0}) < {s1}", 1), ("iota({s0}) % 3 != 1", 1),
                                          ("iota({s0}) * 2 >= {s1}", 1),
                                          ("iota({s0})[:, None] >= iota({s1})", 2),
                                          ("abs(iota({s0})[:, None] - iota({s1})) <= 2", 2)))
        if sizes > len(x.shape):
            return None
        shape = x.shape[-sizes:]
        given = [shape[0], last - 2 if sizes == 1 and self.number(last) > 2 else last]
        condition = self.add(text, [], "bool", shape, 1, True, given)
        for fill in self.random.sample(("0", "-1e4", "1"), self.random.choice((1, 2))):
            made = self.same(f"where({{1}}, {{0}}, {fill})", x, max(x.bound, 1e4), True, x.dtype
                             if fill != "-1e4" else "f64" if x.dtype == "f64" else "f32",
                             [condition])
            if made and self.chance(0.5):
                self.read_elsewhere(made)
        return made

    # ---- several statements in a row --------------------------------------------------------------

    def pipeline(self):
        """Each statement reads the one before."""
        self.focus = self.product() if self.chance(0.5) else self.floats(rank=1, bound=100)
        for _ in range(self.random.randint(2, 5)):
            way = self.random.choice(("running", "running", "reduction", "normalise", "binary",
                                      "view", "unary", "pieces_of", "contraction"))
            self.focus = getattr(self, way)() or self.focus
        self.focus = None

    def pieces_of(self):
        """The parts of a value, joined in another order."""
        x = self.pick(lambda v: v.shape and v.dtype != "bool")
        if x is None:
            return None
        at = self.random.randrange(len(x.shape))
        if self.number(x.shape[at]) % 2:
            return None
        a, b = self.split(x, at, 2)
        return self.move(f"concat({{1}}, {{0}}, axis = {at})", a, x.shape, others=[b])

    def mixed(self):
        """From one class of types to another and back."""
        x = self.pick(lambda v: v.exact and v.bound < 1e6)
        if x is None:
            return None
        if x.dtype == "bool":
            to = self.random.choice(("i64", "f64", "u8", "f32"))
            return self.same(f"({{0}} as {to}) * 2 - 1", x, 2, True,
                             {"u8": "i32"}.get(to, to))
        to = self.random.choice(("f64", "i64", "f64", "i32"))
        y = self.same(f"{{0}} as {to}", x, x.bound, True, to)
        if y is None:
            return None
        text, dtype, bound = self.random.choice((
            ("{0} * 3 - 1", to, 3 * x.bound + 1), ("{0} > 1", "bool", 1),
            ("where({0} >= 2, {0}, 1 - {0})", to, x.bound + 1), ("{0} / 2", to, x.bound),
            ("({0} as f64) / 7 + {0}" if to == "f64" else "({0} as f64) / 7", "f64",
             2 * x.bound)))
        return self.same(text, y, bound, dtype != "f64", dtype)

    def two_attentions(self):
        """Under one mask, or the second on the result of the first."""
        first = self.attention()
        if first and self.chance(0.5):
            self.focus = self.tame(first, 4)
        self.attention()
        self.focus = None
