"""Symbolic sizes: polynomials of dims with rational coefficients, equal when the compiler must find
them equal. Size("A") * 2 - 1 prints as the language spells it."""
from fractions import Fraction
from math import lcm, prod


class Size:
    def __init__(self, what=0):
        """Of a number, a dim's name, or a dict of terms: names of the factors -> coefficient."""
        if isinstance(what, str):
            what = {(what,): Fraction(1)}
        elif not isinstance(what, dict):
            what = {(): Fraction(what)}
        self.terms = {factors: c for factors, c in sorted(what.items()) if c}

    def __add__(self, other):
        terms = dict(self.terms)
        for factors, c in size(other).terms.items():
            terms[factors] = terms.get(factors, 0) + c
        return Size(terms)

    def __sub__(self, other):
        return self + size(other) * -1

    def __mul__(self, other):
        terms = {}
        for a, c in self.terms.items():
            for b, d in size(other).terms.items():
                factors = tuple(sorted(a + b))
                terms[factors] = terms.get(factors, 0) + c * d
        return Size(terms)

    def __truediv__(self, number):
        return self * Fraction(1, number)

    def __eq__(self, other):
        return self.terms == size(other).terms

    def __hash__(self):
        return hash(tuple(self.terms.items()))

    def is_number(self):
        return not any(self.terms)

    def names(self):
        return {name for factors in self.terms for name in factors}

    def value(self, dims):
        """Its Fraction, for dims: name -> number."""
        return sum((c * prod(dims[name] for name in factors)
                    for factors, c in self.terms.items()), Fraction(0))

    def __str__(self):
        under = lcm(*(c.denominator for c in self.terms.values()))
        parts = []
        for factors, c in sorted(self.terms.items(), reverse=True):
            c = int(c * under)
            names = list(factors) if factors and abs(c) == 1 else [str(abs(c)), *factors]
            parts += ["-" if c < 0 else "+", "*".join(names)]
        text = " ".join(parts[1:] if parts[:1] == ["+"] else parts) or "0"
        if under == 1:
            return text
        return f"({text})/{under}" if len(self.terms) > 1 else f"{text}/{under}"


def size(what):
    return what if isinstance(what, Size) else Size(what)
