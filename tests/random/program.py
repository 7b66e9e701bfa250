"""A program as the generator makes it and the shrinker takes it apart: inputs, statements that each
apply one operator to earlier values, outputs. str(program) is the text of a model."""
from dataclasses import dataclass, field
from math import prod

NARROW = ("bf16", "f16", "f8e4m3", "f8e5m2")
FLOATS = NARROW + ("f32", "f64")
INTEGERS = ("i8", "u8", "i32", "i64")


def compute_type(dtype):
    """In which arithmetic happens."""
    return "f32" if dtype in NARROW else "i32" if dtype in ("i8", "u8", "bool") else dtype


def join(a, b):
    """In which two operands meet; None when they do not."""
    if a == b:
        return a
    if "bool" in (a, b) or (a in FLOATS) != (b in FLOATS):
        return None
    wide = ("f64", "f32") if a in FLOATS else ("i64", "i32")
    return wide[0] if wide[0] in (a, b) else wide[1]


@dataclass(eq=False)
class Value:
    name: str
    dtype: str
    shape: tuple  # of Size
    bound: float = 1.0  # no element is larger in magnitude
    exact: bool = True  # every way of computing it gives the same bits
    rough: bool = False  # rounded to a narrow type after inexact computing: two right answers may
    #                      be one unit of that type apart
    constant: bool = False  # an input that is prepared once


def type_text(value, dtype=None):
    shape = f"[{', '.join(map(str, value.shape))}]" if value.shape else ""
    return (dtype or value.dtype) + shape


@dataclass(eq=False)
class Statement:
    text: str  # an expression, with {0} {1} .. for the operands and {s0} {s1} .. for the sizes
    operands: list
    results: list
    sizes: tuple = ()
    inline: bool = False  # written in its reader's place rather than by name


@dataclass
class Program:
    dims: dict  # name -> number
    inputs: list = field(default_factory=list)
    statements: list = field(default_factory=list)
    outputs: list = field(default_factory=list)  # (name, Value, declared type)
    attribute: str = ""

    def count(self, value):
        return int(prod(s.value(self.dims) for s in value.shape))

    def readers(self, value):
        """How many times the value is read."""
        return (sum(s.operands.count(value) for s in self.statements) +
                sum(v is value for _, v, _ in self.outputs))

    def prune(self):
        """Leaves out what no output needs."""
        needed = {id(v) for _, v, _ in self.outputs}
        kept = []
        for s in reversed(self.statements):
            if any(id(v) in needed for v in s.results):
                kept.append(s)
                needed |= {id(v) for v in s.operands}
        self.statements = kept[::-1]
        self.inputs = [v for v in self.inputs if id(v) in needed]
        return self

    def used_dims(self):
        sizes = [s for v in self.values() for s in v.shape]
        sizes += [size for s in self.statements for size in s.sizes]
        names = {name for s in sizes for name in s.names()}
        return {name: n for name, n in self.dims.items() if name in names}

    def values(self):
        return self.inputs + [v for s in self.statements for v in s.results]

    def is_possible(self):
        """Every size is a whole number from 1 on."""
        sizes = [s.value(self.dims) for v in self.values() for s in v.shape]
        return all(n.denominator == 1 and n >= 1 for n in sizes)

    def __str__(self):
        dims = self.used_dims()
        texts = {id(v): v.name for v in self.values()}
        lines = []
        for s in self.statements:
            sizes = {f"s{i}": size for i, size in enumerate(s.sizes)}
            text = s.text.format(*(texts[id(v)] for v in s.operands), **sizes)
            if s.inline and len(s.results) == 1 and self.readers(s.results[0]) == 1:
                texts[id(s.results[0])] = f"({text})"
            else:
                lines.append(f"    {', '.join(v.name for v in s.results)} = {text};")
        lines += [f"    {name} = {texts[id(v)]};" for name, v, _ in self.outputs]
        inputs = ", ".join(f"{v.name}: {type_text(v)}" for v in self.inputs)
        outputs = ", ".join(f"{name}: {type_text(v, dtype)}" for name, v, dtype in self.outputs)
        flags = " ".join(f"-D {name}={n}" for name, n in dims.items())
        names = f"[{', '.join(dims)}]" if dims else ""
        constants = ", ".join(v.name for v in self.inputs if v.constant)
        attribute = f"@constant({constants})\n" if constants else ""
        attribute += f"{self.attribute}\n" if self.attribute else ""
        return (f"// {flags}\n{attribute}fn f{names}({inputs})\n    -> ({outputs}) {{\n" +
                "\n".join(lines) + "\n}\n")
