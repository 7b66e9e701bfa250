#!/usr/bin/env python3
"""Names that the emitted text declares for itself do not meet those of the user.

    python3 tests/names.py FUSEC

Collects what the templates declare, and names an output after each: in the emitted function it must
have another name. A function named after each must compile, as C.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

TEMPLATES = pathlib.Path(__file__).resolve().parents[1] / "templates"
TYPES = r"(?:int|unsigned|float|bool|auto|char|idx|f32|IDX|SUM|ELEMENT)"
SAFE = set("abcdehmnstx") | {"i0"}  # not where text made from the model stands


def code(text):
    """Without what only lets the template compile by itself, comments and strings."""
    text = text.split("//@BEGIN")[-1]
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    return re.sub(r"//.*|\"[^\"]*\"", " ", text)


def declared(text):
    """Variables: the first of each declaration, and the others behind commas."""
    names = set()
    for line in re.findall(rf"\b{TYPES}\b[\s*&]*(?:const\s+)?([a-z]\w*\s*(?:=|\[|;|\(|,|\)).*)", code(text)):
        names.add(re.match(r"\w+", line)[0])
        names.update(re.findall(r",\s*\**([a-z]\w*)\s*(?:=[^=]|\[|;)", line))
    return names


def is_kept(fusec, folder, name):
    """Does an output of that name keep it? A name that the language refuses is not emitted at all."""
    model, header = folder / f"{name}.fx", folder / f"{name}.h"
    model.write_text(f"fn model[N](given: f32[N]) -> ({name}: f32[N]) {{ {name} = given + 1; }}\n")
    run = subprocess.run([fusec, model, "-o", header], capture_output=True, text=True)
    if run.returncode:
        return False
    return re.search(rf"\*{name}\b", re.search(r"int model\((.*?)\)", header.read_text(), re.S)[1])


def compiles(fusec, folder, name):
    """Does a function of that name? One that the language refuses is not emitted at all."""
    model, source = folder / f"fn_{name}.fx", folder / f"fn_{name}.c"
    model.write_text(f"fn {name}[N, D](p: f32[N, D], q: bf16[D, D], r: f32[N, D]) -> (y: f32[N, D]) "
                     "{ y = softmax(tanh(p @ q) + r); }\n")
    if subprocess.run([fusec, model, "-o", source], capture_output=True).returncode:
        return True
    return not subprocess.run(["cc", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-fopenmp",
                               "-march=native", source], capture_output=True).returncode


def typed():
    """Functions of the templates that end in a type."""
    text = "".join(code(path.read_text()) for path in sorted(TEMPLATES.glob("c*/*")))
    return set(re.findall(r"\b[a-z]\w*_(?:[fiub]\d+|bf16|f8e\dm\d|[iu]8wrap)(?=\()", text))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    fusec, names = sys.argv[1], set()
    for path in sorted(TEMPLATES.glob("c*/*")):
        if path.name.endswith((".c", ".cu")):
            names |= declared(path.read_text())
    failed = passed = 0
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor() as pool:
        folder = pathlib.Path(name)

        words = sorted(names - SAFE)
        for word, kept in zip(words, pool.map(lambda w: is_kept(fusec, folder, w), words)):
            passed, failed = passed + (not kept), failed + bool(kept)
            if kept:
                print(f"FAIL {word}: a template declares it, and a tensor may have that name")
        words += sorted(typed())
        for word, good in zip(words, pool.map(lambda w: compiles(fusec, folder, w), words)):
            passed, failed = passed + good, failed + (not good)
            if not good:
                print(f"FAIL {word}: a function of that name does not compile")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
