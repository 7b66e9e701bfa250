"""Attentions, with what may stand between their two products: part of a Generator."""
from program import NARROW
from sizes import Size

FILLS = ("-inf", "-inf", "-1e9", "0")  # what masks turn scores to

# Conditions on queries and keys: text, and the shapes of its integers: "b" for each of the batch,
# "q" for each query, "k" for each key. There are {s0} queries and {s1} keys, {s2} more than queries.
MASKS = (
    ("iota({s0})[:, None] >= iota({s1})", ""),
    ("iota({s0})[:, None] + ({s2}) >= iota({s1})", ""),
    ("iota({s0})[:, None] < iota({s1})", ""),
    ("iota({s0})[:, None] + ({s2}) - iota({s1}) < 9", ""),
    ("abs(iota({s0})[:, None] - iota({s1})) <= 3", ""),
    ("iota({s0})[:, None] / 8 == iota({s1}) / 8", ""),
    ("(iota({s0})[:, None] + iota({s1})) % 3 != 1", ""),
    ("iota({s1}) < 20", ""),
    ("iota({s1}) < {1}[..., None, None] * 40", "b"),
    ("iota({s1}) >= {1}[..., None, None] && iota({s1}) < {2}[..., None, None] * 9", "bb"),
    ("{1}[:, None] * 5 >= iota({s1})", "q"),
    ("{1}[:, None] == {2}", "qk"),
    ("{1}[:, None] > {2} || iota({s0})[:, None] == iota({s1})", "qk"),
)


class Attention:
    def masked(self, scores, batch):
        text, kinds = self.random.choice(MASKS)
        queries, keys = scores.shape[-2:]
        fill = self.random.choice(FILLS)
        if not kinds and self.chance(0.4):
            return self.same(f"where({{1}}, {{0}}, {fill})", scores, scores.bound,
                             others=[self.named_mask(text, queries, keys)])
        shapes = {"b": batch, "q": [queries], "k": [keys]}
        integers = [self.input(self.random.choice(("i32", "i64")), shapes[kind]) for kind in kinds]
        return self.same(f"where({text}, {{0}}, {fill})", scores, scores.bound, others=integers,
                         sizes=[queries, keys, keys - queries])

    def named_mask(self, text, queries, keys):
        """A condition by name: an earlier one that fits, or a new one."""
        fitting = [v for v in self.masks if v.shape[-1:] == (keys,) and v.shape[-2:-1] in
                   ((), (queries,))]
        if fitting and self.chance(0.7):
            return self.random.choice(fitting)
        shape = [queries, keys] if "{s0}" in text else [keys]
        mask = self.add(text, [], "bool", shape, 1, True, [queries, keys, keys - queries])
        self.masks.append(mask)
        return mask

    def scored(self, scores, depth, batch):
        """What is done to scores before their softmax: some of it, in some order."""
        for _ in range(self.random.choice((0, 1, 1, 2, 3))):
            way = self.random.choice(("scale", "scale", "mask", "mask", "bias", "cap", "bool"))
            if way == "scale":
                scores = self.same("{0} * rsqrt({s0})", scores, scores.bound, sizes=[depth])
            elif way == "mask":
                scores = self.masked(scores, batch)
            elif way == "cap":
                scores = self.same("5 * tanh({0} / 5)", scores, 5)
            elif way == "bool":
                mask = self.input("bool", scores.shape[self.random.randrange(len(scores.shape)):])
                scores = self.same("where({1}, {0}, -inf)", scores, scores.bound, others=[mask])
            else:
                bias = self.partner(scores, lambda v: v.dtype != "f64", bound=20)
                scores = self.same("{0} + {1}", scores, scores.bound + bias.bound, others=[bias])
        return scores

    def hidden(self, weights):
        """Some weights are 0 where integers of queries or keys say so."""
        if self.chance(0.8):
            return weights
        queries, keys = weights.shape[-2:]
        text, shape = self.random.choice((("{1}[:, None]", [queries]), ("{1}", [keys])))
        integers = self.input(self.random.choice(("i32", "i64")), shape)
        return self.same(f"where({text} < 6, {{0}}, 0)", weights, 1, others=[integers])

    def queries(self, dtype):
        """[batch.., queries, depth]: an earlier value, or an input."""
        earlier = self.pick(lambda v: 2 <= len(v.shape) <= 4 and v.dtype == dtype)
        if earlier and self.chance(0.4):
            return self.tame(earlier, 4)
        batch = [self.size(1, 2, 3) for _ in range(self.random.choice((0, 0, 1, 1, 2)))]
        return self.matrix(dtype, [*batch, self.size(1, 2, 5, 16, 17, 33, 64, 70),
                                   Size(self.random.choice((1, 4, 8, 16, 17, 32, 64)))])

    def attention(self):
        dtype = self.random.choice(("bf16", "bf16", "f16", "f32", "f32", "f64", "f8e4m3"))
        q = self.queries(dtype)
        if q is None:
            return None
        *batch, queries, depth = q.shape
        keys = queries if self.chance(0.3) else \
            self.size(1, 7, 16, 63, 64, 65, 130, 257, 600, 1030)
        # Some batch axes have the same keys: these are heads of a group.
        shared = [Size(1) if self.chance(0.3) else s for s in batch]
        shared = shared[len(batch) if self.chance(0.1) else 0:]
        if self.chance(0.2):  # a batch of keys, of which all have the same queries
            more = self.size(2, 3)
            shared = [more, *[Size(1)] * (len(batch) - len(shared)), *shared]
            batch = [more, *batch]
        wide = depth if self.chance(0.5) else self.size(1, 5, 8, 16, 33, 64)
        shapes = [[*shared, keys, depth], [*shared, keys, wide], [*batch, queries, keys]]
        if not all(self.fits(shape) for shape in shapes):
            return None
        k, v = self.matrix(q.dtype, shapes[0]), self.matrix(q.dtype, shapes[1])
        scores = self.add("{0} @ {1}.T", [q, k], "f64" if q.dtype == "f64" else "f32", shapes[2],
                          q.bound * k.bound * self.number(depth))
        scores = self.scored(scores, depth, batch)
        merged = len(batch) > 1 and self.chance(0.3)
        if merged:
            flat = [batch[0] * batch[1], *batch[2:]]
            scores = self.scored(self.reshape(scores, (*flat, queries, keys)), depth, flat)
        weights = self.hidden(self.same("softmax({0})", scores, 1))
        if merged:
            weights = self.reshape(weights, (*batch, queries, keys))
        if self.chance(0.6) and q.dtype != "f64":
            weights = self.narrow(weights, "bf16" if q.dtype == "f32" else q.dtype)
        if self.chance(0.2):
            self.add("logsumexp({0})", [scores], scores.dtype, scores.shape[:-1], scores.bound + 10)
        return self.add("{0} @ {1}", [weights, v], scores.dtype, [*batch, queries, wide], v.bound)
