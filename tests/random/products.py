"""Products of matrices in all layouts, and what models make of them: sums of products, weights that
are dequantised, losses of a vocabulary. Part of a Generator."""
from program import FLOATS, NARROW, compute_type, join
from sizes import Size

COLUMNS = (1, 3, 8, 15, 16, 17, 40, 64, 70, 128, 129, 257)
LEFT = ((3, 1024), (5, 1152), (17, 576), (1, 4096), (16, 1000))  # few rows, and long ones


class Products:
    # ---- operands -------------------------------------------------------------------------------

    def matrix(self, dtype, shape):
        """A new input, if it is not too large, or the transpose of one."""
        if not self.fits(shape):
            return None
        if self.chance(0.3):
            return self.move("{0}.T", self.input(dtype, [*shape[:-2], shape[-1], shape[-2]]), shape)
        return self.input(dtype, shape)

    def joined(self, x, y):
        """In which a product of the two, or their sum, is."""
        joined = join(x.dtype, y.dtype)
        return joined and compute_type(joined)

    def operand(self, want=lambda v: True):
        """What a product may have on its left: often as it is stored, now and then transposed."""
        if self.chance(0.15):
            return self.input(self.random.choice(("f32", "bf16", "f16")),
                              map(Size, self.random.choice(LEFT)))
        x = self.pick(lambda v: 2 <= len(v.shape) <= 4 and v.dtype != "bool" and want(v))
        x = self.tame(x, 20)
        if x and self.chance(0.2):
            x = self.move("{0}.T", x, (*x.shape[:-2], x.shape[-1], x.shape[-2]))
        return x

    def beside(self, x, shape):
        """An earlier value of a shape that x can be multiplied with, or an input."""
        y = self.pick(lambda v: list(v.shape) == shape and v.dtype != "bool" and self.joined(x, v))
        if y is None or self.chance(0.3):
            dtypes = ("f32", "bf16", "f16") if x.dtype in FLOATS else ("i8", "u8", "i32")
            y = self.input(self.random.choice(dtypes) if self.chance(0.2) else x.dtype, shape)
        return self.tame(y, 20)

    def batch_beside(self, batch):
        """Of a right operand: none, that of the left one, or one that they broadcast to."""
        if self.chance(0.6) or not batch:
            return [Size(2)] if not batch and self.chance(0.1) else []
        return [self.random.choice((Size(1), Size(3))) if s == 1 else
                Size(1) if self.chance(0.2) else s for s in batch]

    # ---- one product ----------------------------------------------------------------------------

    def times(self, x, n):
        """x times a matrix of n columns, or one for each of a batch."""
        *batch, m, k = x.shape
        around = self.batch_beside(batch)
        if not self.fits([*around, k, n]):
            return None
        if around in ([], batch) and self.chance(0.3):
            return self.einsum(x, n, around)
        text, shape = self.random.choice((("{0} @ {1}", [*around, k, n]),
                                          ("{0} @ {1}.T", [*around, n, k])))
        y = self.beside(x, shape)
        wide = [s if s != 1 else t for s, t in zip(batch, around)] if batch and around else \
            batch or around
        return self.add(text, [x, y], self.joined(x, y), [*wide, m, n],
                        x.bound * y.bound * self.number(k))

    def einsum(self, x, n, around):
        """The same, with the axes of the right operand and of the result in any order."""
        labels = "ab"[:len(x.shape) - 2]
        sizes = dict(zip(labels + "ikj", (*x.shape, n)))
        right = list(labels * bool(around) + "kj")
        out = list(labels + "ij")
        self.random.shuffle(right)
        if self.chance(0.3):
            self.random.shuffle(out)
        y = self.beside(x, [sizes[c] for c in right])
        return self.add(f"einsum(\"{labels}ik,{''.join(right)}->{''.join(out)}\", {{0}}, {{1}})",
                        [x, y], self.joined(x, y), [sizes[c] for c in out],
                        x.bound * y.bound * self.number(x.shape[-1]))

    def product(self):
        x = self.operand()
        return x and self.times(x, x.shape[-2] if self.chance(0.2) else
                                Size(self.random.choice(COLUMNS)))

    # ---- groups of statements --------------------------------------------------------------------

    def added_products(self):
        """x w + (x a) b, or sums of products of different things."""
        x = self.operand()
        n = self.size(1, 3, 8, 17, 40, 64, 70)
        total = x and self.times(x, n)
        for _ in range(self.random.choice((1, 1, 2, 3))):
            other = self.times(x, self.size(1, 2, 8, 16)) if total and self.chance(0.6) else None
            if other and other.dtype != x.dtype and x.dtype in NARROW and self.chance(0.7):
                other = self.narrow(self.tame(other, 50), x.dtype)
            if other is None and total:
                other = self.matrix(x.dtype, [*x.shape[:-1], self.size(1, 5, 16, 33)])
            term = other and self.times(self.tame(other, 20), n)
            if not term or term.shape != total.shape or not self.joined(term, total):
                return total
            total = self.same(self.random.choice(("{0} + {1}", "{1} + {0}", "{0} - {1}")), total,
                              total.bound + term.bound, others=[term],
                              dtype=self.joined(term, total))
            if total and self.chance(0.4):
                self.read_elsewhere(total)
        return total

    def dequantised(self):
        """A product with weights that are stored as small integers, and scales."""
        x = self.operand(lambda v: v.dtype in (*NARROW, "f32"))
        if x is None:
            return None
        k, n = x.shape[-1], self.size(1, 3, 8, 17, 64, 70)
        if not self.fits([n, k]):
            return None
        q = self.input(self.random.choice(("i8", "i8", "u8", "f8e4m3")), [n, k])
        wide = self.random.choice(("f32", "f32", "bf16"))
        grouped = self.number(k) % 8 == 0 and self.chance(0.3)
        shape = [n, k / 8, Size(8)] if grouped else [n, k]
        scale = self.input("f32", self.random.choice(([*shape[:-1], Size(1)], [Size(1)] * 2,
                                                      shape[-1:])))
        parts = self.reshape(q, shape) if grouped else q
        w = self.same(self.random.choice((f"({{0}} as {wide}) * {{1}}",
                                          f"(({{0}} as {wide}) - 3) * {{1}}")),
                      parts, q.bound + 3, others=[scale], dtype="f32")
        w = self.reshape(w, [n, k]) if grouped else w
        if self.chance(0.5) and x.dtype in ("bf16", "f16"):
            w = self.narrow(w, x.dtype)
        return self.add("{0} @ {1}.T", [x, w], "f32", [*x.shape[:-1], n],
                        x.bound * w.bound * self.number(k))

    def layers(self):
        """Products whose operands are parts of one tensor: slices, or a column of it beside all of it."""
        n, k = self.size(1, 5, 16, 33), Size(self.random.choice((5, 16, 40, 64, 70)))
        x = self.matrix(self.random.choice(("f32", "f32", "bf16", "i32")), [n, k])
        if x is None or not self.fits([k * 3, k]):
            return None
        column = self.random.choice((None, self.number(k) // 2))
        whole = self.input(x.dtype, [k * 3 if column is None else k, k])
        other = self.input(x.dtype, [k, k])
        for _ in range(self.random.choice((2, 2, 3))):
            bound = x.bound * whole.bound * self.number(k)
            if column is None:
                at = self.random.choice((0, 1, 2))
                part = self.move("{0}[{s0}:{s1}]", whole, [k, k], [k * at, k * (at + 1)])
                x = self.add(self.random.choice(("{0} @ {1}.T", "{0} @ {1}")), [x, part],
                             compute_type(x.dtype), x.shape, bound)
            else:
                part = self.move(f"{{0}}[:, {column}]", whole, [k])
                row = self.add("{0} @ {1}", [part, self.random.choice((whole, other))],
                               compute_type(x.dtype), [k], bound)
                x = self.same("{0} + {1}", x, x.bound + bound, others=[row])
            if self.chance(0.3):
                self.read_elsewhere(x)
            x = self.tame(x, 9)
        return x

    def rows_of(self, product, ways):
        """What reads a product's rows, for some of the ways."""
        self.focus = product
        for _ in range(self.random.randint(1, 4)):
            made = getattr(self, self.random.choice(ways))() if self.focus else None
            if made and self.chance(0.4):
                self.focus = made
        self.focus = None

    def rows_of_product(self):
        self.rows_of(self.product(), ("normalise", "normalise", "reduction", "loss", "picked",
                                      "arg_max", "binary", "cast"))

    def vocabulary(self):
        """What is wanted of rows that are longer than a tile, but not the rows themselves."""
        n = Size(self.random.choice((385, 520, 700, 2053, 2600)))
        x = self.matrix(self.random.choice(("f32", "bf16", "bf16", "f16", "f64")),
                        [self.size(1, 2, 3, 6), self.size(1, 3, 6)])
        logits = self.times(x, n)
        if logits and self.chance(0.3):
            last = logits.shape[-1]
            logits = self.same("where(iota({s0}) < {s1}, {0}, -inf)", logits, logits.bound,
                               sizes=[last, last - 3])
        if logits and self.chance(0.2):
            logits = self.same("3 * tanh({0} / 3)", logits, 3)
        self.rows_of(logits, ("reduction", "loss", "loss", "picked", "literal"))
