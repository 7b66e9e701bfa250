#!/usr/bin/env python3
"""Names that emitted text declares do not collide with names of a model.

    python3 tests/names.py FUSEC

Collects what the templates declare, and all words of the emitted text of the examples, in C and CUDA,
except those of the model and of the preludes' own functions. It names an output after each: the emitted
function must use another name, but of variables that give way: the kernel that had one declares none
of that name once a tensor of the model has it. A function named after each, and after those of C's
library, must compile, in C.

Tensors may have names of one letter, so templates declare none where text of the model follows.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[1]
TEMPLATES = ROOT / "templates"
TYPES = r"(?:int|unsigned|float|bool|auto|char|idx|f32|IDX|SUM|ELEMENT)"


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


def refused(fusec, folder, names):
    """Those of which a function is emitted that does not compile; names that the language refuses are
    not emitted at all."""
    model, source = folder / f"fn_{names[0]}_{len(names)}.fx", folder / f"fn_{names[0]}_{len(names)}.c"
    model.write_text("".join(
        f"fn {name}[N, D](p: f32[N, D], q: bf16[D, D], r: f32[N, D]) -> (y: f32[N, D]) "
        "{ y = softmax(tanh(p @ q) + r); }\n" for name in names))
    emitted = not subprocess.run([fusec, model, "-o", source], capture_output=True).returncode
    if emitted and not subprocess.run(["cc", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-fopenmp",
                                       "-march=native", source], capture_output=True).returncode:
        return set()
    half = len(names) // 2
    if half:
        return refused(fusec, folder, names[:half]) | refused(fusec, folder, names[half:])
    return set(names) if emitted else set()


def typed():
    """Functions of the templates that end in a type."""
    text = "".join(code(path.read_text()) for path in sorted(TEMPLATES.glob("c*/*")))
    return set(re.findall(r"\b[a-z]\w*_(?:[fiub]\d+|bf16|f8e\dm\d|[iu]8wrap)(?=\()", text))


def library():
    """Functions and macros of C's headers, which compilers may know without them."""
    headers = ("complex", "ctype", "inttypes", "math", "stdio", "stdlib", "string", "strings", "wctype")
    text = subprocess.run(["cc", "-E", "-dD", "-"], input="".join(f"#include <{h}.h>\n" for h in headers),
                          capture_output=True, text=True).stdout
    return set(re.findall(r"\b([a-z][a-z0-9]+) ?\(", text))


def emitted(fusec, model, suffix):
    """The words of a model's kernels and launchers that come neither from the model nor from a rule
    (value_3, i0, kept_x_2): letters stand only where no text made from the model does."""
    text = subprocess.run([fusec, model, "--target", "cuda" if suffix == "cu" else "c", "-o", "-"],
                          capture_output=True, text=True).stdout.split("\n#ifdef FUSEC_MAIN")[0].split("\n#if defined(FUSEC_MAIN)")[0]
    folder = "cuda" if suffix == "cu" else "c"
    prelude = {line for path in (TEMPLATES / folder).glob("*.*h") for line in path.read_text().splitlines()}
    body = "\n".join(line for line in text.splitlines() if line not in prelude)
    body = re.sub(r"^#(?!define).*", "", code(body), flags=re.M)
    words = set(re.findall(r"(?<![\w.>])[A-Za-z_]\w+", body))
    given = set(re.findall(r"\w+", model.read_text()))
    given |= {f"d{word}" for word in given}  # cotangents
    made = re.compile(r"_u?\d+(_|[a-z]?\d*$)|_$|^_|^[a-z]+\d+$|^fusec_|^fx_|_(workspace|prepare|prepared_size)$")
    return {word for word in words - given if not made.search(word)}


def kept(fusec, folder, names, suffix):
    """Those of the names that outputs keep; names that the language refuses are not emitted at all."""
    model, source = folder / f"{names[0]}_{suffix}.fx", folder / f"{names[0]}.{suffix}"
    outputs = ", ".join(f"{name}: f32[N]" for name in names)
    model.write_text(f"fn model[N](given: f32[N]) -> ({outputs}) {{\n"
                     + "".join(f"    {name} = given + {i};\n" for i, name in enumerate(names)) + "}\n")
    run = subprocess.run([fusec, model, "-o", source], capture_output=True, text=True)
    if run.returncode:
        half = len(names) // 2
        return kept(fusec, folder, names[:half], suffix) | kept(fusec, folder, names[half:], suffix) if half else set()
    parameters = re.search(r"int model\((.*?)\)", source.read_text(), re.S)[1]
    return {name for name in names if re.search(rf"\*{name}\b", parameters) and name != "workspace"}


def tensors(model):
    """The names of a model's inputs and outputs."""
    return list(dict.fromkeys(re.findall(r"\b([a-z]\w*): *[a-z]+\d*(?:e\dm\d)?\[", code(model))))


def declares(text, name):
    """Does emitted text have a variable of this name that is not a parameter?"""
    lines = re.findall(rf"^.*[\w>] {name}(?: =|;|\[).*$", text, re.M)
    return any(not re.match(r" *(?:return|else)\b", line) for line in lines)


def stay(fusec, folder, path, names, suffix):
    """Those of the names that kernels still declare when tensors of the model have them."""
    text, given = path.read_text(), tensors(path.read_text())
    left, source = set(), folder / f"{path.stem}_renamed.{suffix}"
    for i in range(0, len(names), max(1, len(given))):
        renamed = text
        for old, new in zip(given, names[i:i + len(given)]):
            renamed = re.sub(rf"\b{old}\b(?! *\()", new, renamed)
        (folder / path.name).write_text(renamed)
        run = subprocess.run([fusec, folder / path.name, "-o", source], capture_output=True, text=True)
        if run.returncode:
            left |= {f"{name}: {run.stderr}" for name in names[i:i + len(given)]}
            continue
        emitted = code(source.read_text().split("FUSEC_MAIN")[0])
        left |= {name for name in names[i:i + len(given)] if declares(emitted, name)}
    return left


def scope(text, start, end):
    """What follows the declaration from start to end of a text: the rest of its block or loop."""
    is_loop = re.search(r"\bfor \($", text[:start])
    braces, parentheses = 0, 1 if is_loop else 0
    for i in range(end, len(text)):
        braces += (text[i] == "{") - (text[i] == "}")
        parentheses += (text[i] == "(") - (text[i] == ")")
        if braces < 0 or (is_loop and not braces and not parentheses and text[i] in "};"):
            return text[end:i]
    return text[end:]


def letters(path):
    """Variables of one letter that a template declares where text of the model follows, but those that
    the target's row lists."""
    head, _, body = path.read_text().partition("//@BEGIN")
    body = re.sub(r"/\*.*?\*/", " ", body, flags=re.S)
    body = re.sub(r"//(?!@HOLE).*", "", body)
    listed = {"c": "ijlu", "cuda": "ijl"}[path.parent.name] + "".join(re.findall(r"#define (\w)\s", head))
    declared_at = re.finditer(rf"\b{TYPES}\b[\s*&]*(?:const\s+)?([a-z])\b(?=\s*(?:=|\[|;))", body)
    return {at[1] for at in declared_at
            if at[1] not in listed and "//@HOLE" in scope(body, at.start(), at.end())}


def check_words(fusec, folder, pool):
    """How many words of emitted text an output may not be called, and those that one keeps."""
    # A model that imports a header has the header's words in its text, where no tensor is named.
    models = [model for model in sorted((ROOT / "examples").glob("*.fx"))
              if not re.search(r'^import "', model.read_text(), re.M)]
    checked, failed = 0, []
    for suffix, templates in (("c", "c/*.c"), ("cu", "cuda/*.cu")):
        of_model = dict(zip(models, pool.map(lambda model: emitted(fusec, model, suffix), models)))
        of_templates = set().union(*(declared(path.read_text()) for path in TEMPLATES.glob(templates)))
        words = sorted(word for word in of_templates.union(*of_model.values()) if len(word) > 1)
        parts = [words[i:i + 24] for i in range(0, len(words), 24)]
        found = set().union(*pool.map(lambda part: kept(fusec, folder, part, suffix), parts))
        ways = [(model, sorted(found & own)) for model, own in of_model.items() if found & own]
        left = set().union(*pool.map(lambda way: stay(fusec, folder, *way, suffix), ways))
        checked += len(words)
        failed += [f"{word}: {suffix} text has this word, and a tensor may have that name"
                   for word in sorted(found & of_templates | left)]
    return checked, failed


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    fusec = sys.argv[1]
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor() as pool:
        folder, functions = pathlib.Path(name), sorted(typed() | library())
        checked, failed = check_words(fusec, folder, pool)
        parts = [functions[i:i + 24] for i in range(0, len(functions), 24)]
        found = set().union(*pool.map(lambda part: refused(fusec, folder, part), parts))
        checked += len(functions)
        failed += [f"{word}: a function of that name does not compile" for word in sorted(found)]
    for path in sorted([*TEMPLATES.glob("c/*.c"), *TEMPLATES.glob("cuda/*.cu")]):
        checked += 1
        failed += [f"{path.name}: text of the model may have the name {letter}" for letter in sorted(letters(path))]
    for line in failed:
        print(f"FAIL {line}")
    print(f"{checked - len(failed)} passed, {len(failed)} failed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
