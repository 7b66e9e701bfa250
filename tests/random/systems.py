"""Batches of tiny systems: products of small matrices, scalars of their elements, and vectors and
matrices that are put together of such scalars. Part of a Generator."""
from program import compute_type
from sizes import Size


class Systems:
    def element(self, x, axes):
        """One element of the short axes of x, which come first or last."""
        at = ", ".join(str(self.random.randrange(self.number(s))) for s in axes)
        text = f"{{0}}[:, {at}]" if x.shape[1:] == tuple(axes) else f"{{0}}[{at}]"
        return self.move(text, x, [x.shape[0] if x.shape[1:] == tuple(axes) else x.shape[-1]])

    def scalar(self, parts):
        """A function of two scalars."""
        a, b = self.random.choice(parts), self.random.choice(parts)
        a, b = self.tame(a, 4), self.tame(b, 4)
        if a is None or b is None:
            return None
        bound = a.bound * b.bound
        text, bound = self.random.choice((("{0} * {1}", bound), ("{0} - {1}", a.bound + b.bound),
                                          ("{0} + 0.5 * {1}", a.bound + b.bound),
                                          ("{0} / (1 + {1} * {1})", a.bound), ("-{0}", a.bound),
                                          ("sqrt(1 + {0} * {0}) * {1}", bound + b.bound)))
        return self.same(text, a, bound, others=[b])

    def together(self, parts, first):
        """A vector of scalars, or a matrix with one more axis."""
        count = self.random.choice((2, 3, 4, 4, 6, 9))
        chosen = [self.random.choice(parts[-12:]) for _ in range(count)]
        n, dtype = chosen[0].shape[0], chosen[0].dtype
        if any(v.dtype != dtype for v in chosen):
            return None
        one, axis = ("[None]", ", axis = 0") if first else ("[:, None]", "")
        text = "concat(" + ", ".join(f"{{{i}}}{one}" for i in range(count)) + f"{axis})"
        shape = [Size(count), n] if first else [n, Size(count)]
        y = self.add(text, chosen, dtype, shape, max(v.bound for v in chosen))
        if y and not first and count in (4, 6, 9) and self.chance(0.6):
            rows = 3 if count == 9 else 2
            y = self.reshape(y, [n, Size(rows), Size(count // rows)])
        return y

    def tiny_system(self):
        """A batch of small matrices, scalars of their elements, and what is made of these."""
        n, k = self.size(3, 33, 65, 130), Size(self.random.choice((2, 3, 3, 4)))
        dtype, first = self.random.choice(("f32", "f32", "bf16", "f64")), self.chance(0.2)
        m = self.input(dtype, [k, k, n] if first else [n, k, k])
        if not first and self.chance(0.5):
            other = self.input(dtype, self.random.choice(([n, k, k], [k, k])))
            text = self.random.choice(("{0} @ {1}", "{0} @ {1}.T", "{1} @ {0}"))
            m = self.add(text, [m, other], "f64" if dtype == "f64" else "f32", [n, k, k], 4)
        parts = [m and self.element(m, [k, k]) for _ in range(5)]
        for _ in range(self.random.choice((6, 24, 40))):
            if None in parts:
                return None
            parts.append(self.scalar(parts[-8:]))
        wide = [v for v in parts if v and v.dtype == compute_type(dtype)]
        if not wide:
            return None
        y = self.together(wide, first)
        if y and len(y.shape) == 3 and y.shape[1] == k and m.dtype == y.dtype and self.chance(0.5):
            y = self.add("{0} @ {1}", [m, y], y.dtype, [n, k, y.shape[2]],
                         4 * m.bound * y.bound)
        self.keep(y)
        return y
