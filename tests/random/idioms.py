"""Idioms of models that spread over many statements: butterflies, segments, heads that are rotated,
keys that are gathered or shifted, operands of f8 with scales, long rows. Part of a Generator."""
from program import compute_type
from sizes import Size

LONG = (16500, 33000, 40001)  # columns; a GPU takes several blocks for a row of some of them


class Idioms:
    # ---- moving ----------------------------------------------------------------------------------

    def butterflies(self):
        """Sums and differences of neighbours, level by level."""
        x = self.pick(lambda v: v.shape and v.dtype not in ("bool", "i8", "u8") and
                      self.number(v.shape[-1]) % 2 == 0)
        x = self.tame(x, 4)
        for _ in range(self.random.choice((1, 2, 2, 3, 5))):
            if x is None:
                return None
            *rows, n = x.shape
            shape = [*rows, n / 2, Size(2)]
            pairs = self.move("reshape({0}, " + ", ".join(f"{{s{i}}}" for i in range(len(shape))) + ")",
                              x, shape, shape)
            if pairs is None:
                return None
            a, b = (self.move(f"{{0}}[..., {i}]", pairs, shape[:-1]) for i in (0, 1))
            total = self.same("{0} + {1}", a, 2 * a.bound, others=[b])
            x = self.add(self.random.choice(("concat({0}, {1} - {2})", "concat({1} - {2}, {0})")),
                         [total, a, b], total.dtype, x.shape, 2 * a.bound)
        return x

    def shifted(self, x, axis):
        """x rolled, or moved by a pad and a slice, along an axis that is not the last."""
        n = x.shape[axis]
        if self.number(n) < 4:
            return x
        colons = ":, " * axis
        text = self.random.choice((f"concat({{0}}[{colons}-2:], {{0}}[{colons}:-2], axis = {axis})",
                                   f"pad({{0}}, {axis}, 3, 0)[{colons}:{{s0}}]",
                                   f"flip({{0}}, axis = {axis})"))
        return self.move(text, x, x.shape, [n])

    # ---- segments --------------------------------------------------------------------------------

    def segments(self):
        """A softmax of segments, as in graphs; what is summed may be rows."""
        n, count = self.size(1, 7, 33, 65), self.size(1, 3, 8)
        x, at = self.input(self.random.choice(("f32", "bf16")), [n]), self.input("i32", [n])
        at = self.same("clamp({0}, 0, {s0})", at, 9, dtype="i32", sizes=[count - 1])
        x = self.same("3 * {0}", x, 3)
        most = self.add("scatter(full(-inf, {s0}), {0}, {1}, with = max)", [at, x], "f32", [count], 3,
                        sizes=[count])
        e = self.same("exp({0} - take({1}, {2}))", x, 1, others=[most, at])
        total = self.add("scatter(full(0.0, {s0}), {0}, {1})", [at, e], "f32", [count],
                         self.number(n), sizes=[count])
        y = self.same("{0} / take({1}, {2})", e, 1, others=[total, at])
        if self.chance(0.5):
            self.keep(y)
        wide = self.size(1, 5, 16)
        rows = self.matrix("f32", [n, wide])
        return rows and self.add("scatter(full(0.0, {s0}, {s1}), {0}, {1} * {2}[:, None])",
                                 [at, rows, y], "f32", [count, wide], self.number(n),
                                 sizes=[count, wide])

    # ---- heads -----------------------------------------------------------------------------------

    def rotate(self, x):
        """Halves or pairs of the last axis, by angles of the positions in the axis before the last
        but one: [.., positions, heads, depth]."""
        *_, n, _, depth = x.shape
        half = depth / 2
        c, s = (self.input("f32", [n, half]) for _ in "cs")
        if self.chance(0.5):
            a, b = self.split(x, len(x.shape) - 1, 2)
        else:
            shape = [*x.shape[:-1], half, Size(2)]
            pairs = self.reshape(x, shape)
            if pairs is None:
                return None
            a, b = (self.move(f"{{0}}[..., {i}]", pairs, shape[:-1]) for i in (0, 1))
        left = self.same("{0} * {2}[:, None] - {1} * {3}[:, None]", a, 2 * x.bound, others=[b, c, s])
        right = self.same("{0} * {3}[:, None] + {1} * {2}[:, None]", a, 2 * x.bound, others=[b, c, s])
        if left is None or right is None:
            return None
        return self.add("concat({0}, {1})", [left, right], left.dtype, x.shape, 2 * x.bound)

    def heads(self):
        """Heads of a projection: normed, rotated, first of the axes; some or all of these."""
        dtype = self.random.choice(("f32", "bf16", "bf16", "f16"))
        n, count = self.size(1, 5, 16, 33), self.size(1, 2, 3)
        depth = Size(self.random.choice((4, 8, 16, 64)))
        x = self.matrix(dtype, [n, self.size(3, 8, 17)])
        whole = x and self.times(x, count * depth)
        if whole is None or len(whole.shape) != 2 or whole.shape[0] != n:
            return None
        h = self.reshape(whole, [n, count, depth])
        if h and self.chance(0.4):
            gain = self.input("f32", [depth])
            h = self.same("rms_norm({0}, {1}, eps = 0.01)", h, self.number(depth)**0.5 + 1,
                          others=[gain], dtype=compute_type(h.dtype))
        if h and self.chance(0.7):
            h = self.rotate(h)
        if h and dtype != "f32" and self.chance(0.6):
            h = self.narrow(h, dtype)
        if h and self.chance(0.6):
            h = self.move("permute({0}, 1, 0, 2)", h, [count, n, depth])
        self.keep(h)
        return h

    def gathered_attention(self):
        """Keys and values that are rows of tables, or stand at other places."""
        dtype = self.random.choice(("f32", "bf16", "bf16", "f16"))
        heads, queries, keys = self.size(1, 2, 3), self.size(1, 5, 16, 33), self.size(4, 16, 33, 130)
        depth = Size(self.random.choice((8, 16, 32)))
        q = self.matrix(dtype, [heads, queries, depth])
        way = self.random.choice(("rows", "pages", "shifted", "appended"))
        pages = Size(self.random.choice((1, 2, 9)))
        k, v = (self.keys(way, dtype, heads, pages if way == "pages" else keys, depth) for _ in "kv")
        if q is None or k is None or v is None:
            return None
        keys = k.shape[-2]
        scores = self.add("{0} @ {1}.T", [q, k], "f32", [heads, queries, keys], 16)
        scores = scores and self.scored(scores, depth, [heads])
        weights = scores and self.same("softmax({0})", scores, 1)
        if weights and dtype != "f32":
            weights = self.narrow(weights, dtype)
        return weights and self.add("{0} @ {1}", [weights, v], "f32", q.shape, 1)

    def keys(self, way, dtype, heads, keys, depth):
        """[heads, keys, depth] or [keys, depth]; of pages, there are as many as keys are wanted."""
        if way == "rows":
            table = self.matrix(dtype, [self.size(3, 8, 40), depth])
            rows = self.input("i32", [keys])
            return table and self.move("take({0}, clamp({1}, 0, {s0}), axis = 0)", table,
                                       [keys, depth], [table.shape[0] - 1], [rows])
        if way == "pages":
            table = self.input(dtype, [Size(5), Size(4), heads, depth])
            page = self.input("i32", [keys])
            pages = self.move("take({0}, clamp({1}, 0, 4), axis = 0)", table,
                              [keys, *table.shape[1:]], others=[page])
            flat = pages and self.reshape(pages, [keys * 4, heads, depth])
            return flat and self.move("permute({0}, 1, 0, 2)", flat, [heads, keys * 4, depth])
        whole = self.matrix(dtype, [heads, keys, depth])
        if way == "shifted":
            return whole and self.shifted(whole, 1)
        last = self.matrix(dtype, [heads, Size(2), depth])
        return whole and last and self.move("concat({0}, {1}, axis = 1)", whole,
                                            [heads, keys + 2, depth], others=[last])

    # ---- products --------------------------------------------------------------------------------

    def scaled_blocks(self):
        """Operands of f8 with a scale for each block of k."""
        m, n, blocks = self.size(1, 7, 33), self.size(1, 8, 40), Size(self.random.choice((1, 2, 3)))
        block = self.random.choice((16, 32, 128))
        x, w = (self.input("f8e4m3", [s, blocks * block]) for s in (m, n))
        if not all(self.fits(v.shape) for v in (x, w)) or not self.fits([blocks, m, n]):
            return None
        a, b = (self.reshape(v, [v.shape[0], blocks, Size(block)]) for v in (x, w))
        p = self.add('einsum("mbk,nbk->bmn", {0}, {1})', [a, b], "f32", [blocks, m, n], block)
        of_x, of_w = self.input("f32", [m, blocks]), self.input("f32", [n, blocks])
        scale = self.random.choice(("({1}.T[:, :, None] * {2}.T[:, None, :])",
                                    "{1}.T[:, :, None] * {2}.T[:, None]"))
        return self.add(f"sum({{0}} * {scale}, axis = 0)", [p, of_x, of_w], "f32", [m, n],
                        block * self.number(blocks))

    # ---- rows --------------------------------------------------------------------------------------

    def long_rows(self):
        """What a GPU gives several blocks."""
        n = Size(self.random.choice(LONG))
        x = self.input(self.random.choice(("f32", "bf16", "bf16", "f16")), [self.size(1, 2), n])
        self.elements = 1 << 18
        self.rows_of(x, ("normalise", "normalise", "reduction", "arg_max", "picked", "loss", "literal"))
        self.elements = 1 << 14

    def row_groups(self):
        """Rows that are reduced, and groups of a row: a norm and what scales groups, or the other way."""
        n, groups = self.size(1, 3, 40), self.size(1, 2, 5, 7)
        columns = Size(self.random.choice((2, 3, 5, 8, 16, 17, 32, 64, 96, 128)))
        row, parted = [n, groups * columns], [n, groups, columns]
        if not self.fits(row):
            return None
        x = self.input(self.random.choice(("f32", "bf16", "f16")), row)
        if self.chance(0.3):
            x = self.same("{0} + {1}", x, 2 * x.bound, others=[self.input(x.dtype, row)])
        x = x and self.scaled(x, parted, "s") if self.chance(0.3) else x
        x = x and self.reshape(x, row)
        h = x and self.whole_row(x)
        h = h and self.reshape(h, parted)
        for _ in range(self.random.choice((1, 1, 2))):
            h = h and self.scaled(h, parted, self.random.choice("sdqr"))
        self.keep(h and self.reshape(h, row))
        return h

    def whole_row(self, x):
        """Something of the length of the row, which depends on all of it."""
        text = self.random.choice(("softmax({0})", "{0} * rsqrt(mean({0} * {0}, keep = true) + 0.1)",
                                   "{0} - mean({0}, keep = true)", "{0} / (sum(abs({0}), keep = true) + 0.5)",
                                   "{0} - max({0}, keep = true)"))
        return self.same(text, x, 2 * x.bound + 2)

    def scaled(self, x, parted, way):
        """Groups by their largest elements, less their means, in steps of a range, or what is left of each."""
        h = self.reshape(x, parted)
        if h is None:
            return None
        if way == "r":
            op = self.random.choice(("sum", "max", "min", "mean"))
            m = self.add(f"{op}({{0}})", [h], compute_type(h.dtype) if op in ("sum", "mean") else h.dtype,
                         parted[:2], h.bound * self.number(parted[2]))
            self.keep(m)
            return h
        text = {"s": "{0} / (max(abs({0}), keep = true) + 0.5)", "d": "{0} - mean({0}, keep = true)",
                "q": "({0} - min({0}, keep = true)) / (max({0}, keep = true) - min({0}, keep = true) + 1)"}[way]
        return self.same(text, h, 2 * h.bound)
