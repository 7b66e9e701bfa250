"""A program as the generator makes it and the shrinker takes it apart: inputs, statements that each
apply one operator to earlier values, outputs. str(program) is the text of a model."""
from dataclasses import dataclass, field, replace
from itertools import groupby
from math import prod

from outline import Function

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
    consumed: bool = False  # an input that the function may overwrite


def type_text(value, dtype=None):
    shape = f"[{', '.join(map(str, value.shape))}]" if value.shape else ""
    return (dtype or value.dtype) + shape


def brackets(names):
    return f"[{', '.join(names)}]" if names else ""


def fact(name, op, n):
    return f"{name} % {n} == 0" if op == "%" else f"{name} {op} {n}"


def holds(value, op, n):
    return {"%": value % n == 0, "<=": value <= n, ">=": value >= n, "!=": value != n}[op]


@dataclass(eq=False)
class Statement:
    text: str  # an expression, with {0} {1} .. for the operands and {s0} {s1} .. for the sizes
    operands: list
    results: list
    sizes: tuple = ()
    inline: bool = False  # written in its reader's place rather than by name
    group: int = 0  # of the function that it is in; 0: of none but the program's

    def moved_to(self, group):
        return replace(self, group=group)


@dataclass
class Program:
    dims: dict  # name -> number
    inputs: list = field(default_factory=list)
    statements: list = field(default_factory=list)
    outputs: list = field(default_factory=list)  # (name, Value, declared type)
    attribute: str = ""
    asserts: list = field(default_factory=list)  # (dim, operator, number)
    reads_outputs: bool = False  # values that are outputs have the name of the output

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
        """Every size is a whole number from 1 on, and what is said of the dims is true."""
        sizes = [s.value(self.dims) for v in self.values() for s in v.shape]
        return (all(n.denominator == 1 and n >= 1 for n in sizes) and
                all(holds(self.dims[name], op, n) for name, op, n in self.asserts
                    if name in self.dims))

    def split_groups(self):
        """A group is one run of statements: what follows another group has a new number."""
        last, number = 0, 0
        for i, s in enumerate(self.statements):
            if s.group and s.group != last:
                number += 1
            last = s.group
            self.statements[i] = s.moved_to(number if s.group else 0)

    # ---- the text ----------------------------------------------------------------------------

    def by_name(self, s):
        """Is a statement written by itself, not in its reader's place?"""
        if not s.inline or len(s.results) != 1 or self.readers(s.results[0]) != 1:
            return True
        reader = [r for r in self.statements if s.results[0] in r.operands]
        return (reader[0].group if reader else 0) != s.group

    def body(self, statements, texts):
        """Lines of statements; texts has what stands for each value."""
        lines = []
        for s in statements:
            sizes = {f"s{i}": size for i, size in enumerate(s.sizes)}
            text = s.text.format(*(texts[id(v)] for v in s.operands), **sizes)
            if self.by_name(s):
                lines.append(f"    {', '.join(texts[id(v)] for v in s.results)} = {text};")
            else:
                texts[id(s.results[0])] = f"({text})"
        return lines

    def function(self, number, statements, names):
        """A function of some statements, and the call of it."""
        function = Function(self, statements)
        texts = {id(v): v.name for s in statements for v in (*s.operands, *s.results)}
        lines = self.body(statements, texts)
        dims = function.dims(names)
        inputs = ", ".join(f"{v.name}: {type_text(v)}" for v in function.inputs)
        outputs = ", ".join(f"{v.name}: {type_text(v)}" for v in function.outputs)
        head = f"fn g{number}{brackets(dims)}({inputs})\n    -> ({outputs}) {{"
        given = [f"{name} = {name}" for name in dims if not function.follows(name)]
        return function, given, "\n".join([head, *lines, "}", ""])

    def names_of_outputs(self, texts):
        """The first output of a value is the value itself; returns the other outputs."""
        left = []
        made = {id(v): s for s in self.statements for v in s.results}
        for name, v, dtype in self.outputs:
            s = made.get(id(v))
            if self.reads_outputs and s and dtype == v.dtype and texts[id(v)] == v.name and \
                    (s.group or self.by_name(s)):
                texts[id(v)] = name
            else:
                left.append((name, v))
        return left

    def main_lines(self, names):
        """(functions, lines)"""
        texts = {id(v): v.name for v in self.values()}
        outputs = self.names_of_outputs(texts)
        functions, lines = [], [f"    assert {fact(*a)};" for a in self.asserts if a[0] in names]
        for group, run in groupby(self.statements, lambda s: s.group):
            run = list(run)
            if not group:
                lines += self.body(run, texts)
                continue
            function, given, text = self.function(group, run, names)
            functions.append(text)
            arguments = ", ".join([texts[id(v)] for v in function.inputs] + given)
            results = ", ".join(texts[id(v)] for v in function.outputs)
            lines.append(f"    {results} = g{group}({arguments});")
        return functions, lines + [f"    {name} = {texts[id(v)]};" for name, v in outputs]

    def __str__(self):
        dims = self.used_dims()
        functions, lines = self.main_lines(list(dims))
        inputs = ", ".join(f"{v.name}: {type_text(v)}" for v in self.inputs)
        outputs = ", ".join(f"{name}: {type_text(v, dtype)}" for name, v, dtype in self.outputs)
        flags = " ".join(f"-D {name}={n}" for name, n in dims.items())
        constants = ", ".join(v.name for v in self.inputs if v.constant)
        attribute = f"@constant({constants})\n" if constants else ""
        consumed = ", ".join(v.name for v in self.inputs if v.consumed)
        attribute += f"@consume({consumed})\n" if consumed else ""
        attribute += f"{self.attribute}\n" if self.attribute else ""
        return (f"// {flags}\n{attribute}fn f{brackets(dims)}({inputs})\n    -> ({outputs}) {{\n" +
                "\n".join(lines) + "\n}\n" + "".join(functions))
