#!/usr/bin/env python3
"""Prints a pointwise model of a given number of operators: chains, in which each reads the one
before, and trees, in which many values meet in one, joined by values that several of them read.

    python3 bench/large_graph.py OPERATORS
"""
import random
import sys

UNARY = ("exp(-abs({}))", "tanh({})", "{} * {c}", "{} + {c}", "sin({})", "max({}, {c})")
BINARY = ("{} + {}", "{} * {}", "{} - {}", "min({}, {})")
INPUTS, LEAVES, CHAIN = 8, 32, 48


def large_graph(operators):
    rng = random.Random(operators)
    inputs = [f"x{i}" for i in range(INPUTS)]
    lines, tops, count = [], [], 0

    def add(form, *operands):
        nonlocal count
        name = f"t{len(lines)}"
        text = form.format(*operands, c=round(rng.uniform(0.5, 1.5), 6))
        lines.append(f"    {name} = {text};")
        count += 3 if "exp" in form else 1
        return name

    def chain(value):
        for _ in range(CHAIN):
            value = add(rng.choice(UNARY), value)
        return value

    def tree():
        level = [add("{} * {c}", rng.choice(inputs + tops[-2:])) for _ in range(LEAVES)]
        while len(level) > 1:
            level = [add(rng.choice(BINARY), a, b) for a, b in zip(level[::2], level[1::2])]
        return level[0]

    while count < operators:
        tops.append(chain(tree()))
    outputs = tops[-4:]
    return (f"// {count} operators\nfn large[N]({', '.join(f'{x}: f32[N]' for x in inputs)})\n"
            f"    -> ({', '.join(f'y{i}: f32[N]' for i in range(len(outputs)))}) {{\n" +
            "\n".join(lines) + "\n" +
            "\n".join(f"    y{i} = {top};" for i, top in enumerate(outputs)) + "\n}\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(large_graph(int(sys.argv[1])), end="")
