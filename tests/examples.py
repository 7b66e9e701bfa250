#!/usr/bin/env python3
"""Checks every model in examples/: that it is formatted, agrees with the evaluator fused and
unfused, needs the kernels it promises, and that what is emitted for it compiles without a warning
and passes its own test.

    python3 tests/examples.py FUSEC [--full] [--device NAME] [--nvrtc PROGRAM] [--nvcc PROGRAM] [NAME..]

Comments in a model say how: `// small: -D N=3` (several, all tried), `// try: -D N=1024` (with
--full) and `// kernels: 1`; `fusec run` itself reads `// inputs: x 0..1, labels 0..N`. Outputs that are
mostly NaN fail. --device runs them there and checks nothing else. PROGRAM is the test program
nvrtc_compile; checks without their tool are skipped. --full compiles every text for every
architecture of its group; otherwise see `Compilations`.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
# What is emitted for the first of a group runs on all of it; with --full also on the others.
ARCHITECTURES = (("sm_75",), ("sm_80", "sm_90a", "sm_100", "sm_120"))
OTHERS = ("sm_86", "sm_89", "sm_103", "sm_121")
COLUMNS = 100  # of emitted text
SKIPPED = 77  # exit status of a program that lacks what it needs
LONG = ("char_model",)  # 45 kernels: nvcc and, for any size, CUDA have those of other examples
C_FLAGS = ["-Wall", "-Wextra", "-Werror", "-fopenmp"]


class Failure(Exception):
    pass


class Skipped(Exception):
    pass


def command(*arguments, **environment):
    arguments = [str(a) for a in arguments]
    result = subprocess.run(arguments, capture_output=True, text=True,
                            env={**os.environ, **environment})
    if result.returncode == SKIPPED:
        raise Skipped
    if result.returncode:
        raise Failure(f"exit status {result.returncode}: {' '.join(arguments)}\n"
                      f"{result.stdout[-4000:]}{result.stderr[-4000:]}")
    return result.stdout


class Example:
    def __init__(self, path):
        self.path, self.name = path, path.stem
        self.text = path.read_text()
        self.small = self.comments("small")
        self.large = self.comments("try")
        self.kernels = self.comments("kernels")
        self.imports = bool(re.search(r'^import "', self.text, re.M))
        self.has_product = "@" in re.sub(r"//.*|^@.*", "", self.text, flags=re.M)

    def comments(self, key):
        return re.findall(rf"^// {key}: (.*)$", self.text, re.M)


LOCKS = collections.defaultdict(threading.Lock)  # by path


def emitted(fusec, example, folder, suffix, flags=""):
    """The path of a text that is emitted once for all checks. flags: sizes, and the architecture."""
    path = folder / f"{example.name}{flags.replace(' ', '')}{suffix}"
    with LOCKS[path]:
        if not path.exists():
            command(fusec, example.path, *flags.split(), "-o", path)
    return path


# ---- the checks: each gives nothing, or raises Failure ------------------------------------------

def check_format(fusec, example, _folder):
    command(fusec, "fmt", "--check", example.path)


def check_kernels(fusec, example, folder):
    path = folder / f"{example.name}.json"
    command(fusec, example.path, "-o", path)
    functions = json.loads(path.read_text())["functions"]
    got = sum(len(function["kernels"]) for function in functions)
    promised = int(example.kernels[0])
    if got != promised:
        raise Failure(f"{got} kernels, {promised} promised\n" +
                      command(fusec, example.path, "--explain"))


def run_check(flags, level, device):
    """Unfused kernels are compiled in little time: the fused ones are those that -O2 is for."""
    quick = {"CC": str(ROOT / "tests/cc_quick"), **os.environ}["CC"]

    def check(fusec, example, _folder):
        command(fusec, "run", example.path, "--check", "-Werror", "--device", device, *level,
                *flags.split(), **({"CC": quick} if level else {}))
    return check


def check_width(fusec, example, folder):
    for suffix, arch in (".c", ""), (".cu", "--arch sm_80"):
        for sizes in "", example.small[0]:
            path = emitted(fusec, example, folder, suffix, f"{arch} {sizes}")
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if len(line) > COLUMNS:
                    raise Failure(f"{path.name}:{number}: more than {COLUMNS} columns: {line}")


def check_c(compiler):
    """The text that tests itself, for any size by gcc, for known ones by clang, which is asked for
    warnings of a text without its test, too: they need no code, and some of gcc's do, and optimisation."""
    def check(fusec, example, folder):
        program = folder / f"{example.name}.{compiler}.test"
        sizes = example.small[0]
        known, given = (sizes, "") if compiler == "clang" else ("", sizes)
        made = [compiler, *C_FLAGS, "-O0" if known else "-O2"]
        if known:
            command(*made, "-fsyntax-only", emitted(fusec, example, folder, ".c", " "))
        command(*made, "-DFUSEC_MAIN", emitted(fusec, example, folder, ".c", f" {known}"), "-o",
                program, "-lm")
        command(program, *re.findall(r"\w+=\d+", given))
    return check


@dataclass
class Compilation:
    """An emitted file, and the architectures that NVRTC compiles it for."""
    what: str
    path: pathlib.Path
    architectures: list


class Compilations:
    """What NVRTC has to compile so that everything emitted for an example is compiled once: a text
    that is emitted twice for the first of its architectures, and for later architectures a text with
    an instruction that no text before it has. Everything else is C++. tests/tensor_kernels.py compiles
    examples with products for any size."""

    def __init__(self, options):
        self.options, self.texts, self.instructions = options, set(), {}

    def architectures(self, example, group, large, text):
        if self.options.full:
            return [*group, *(OTHERS if len(group) > 1 else ())]
        body = text.partition("*/")[2]  # the head has the command line
        if body in self.texts or (example.has_product and not large):
            return []
        self.texts.add(body)
        found = set(re.findall(r'"((?:mma|ldmatrix|cp\.async|mbarrier)[\w.:]*)', text))
        seen = {name: self.instructions.setdefault(name, set()) for name in group}
        chosen = [group[0], *(name for name in group[1:] if found - seen[name])]
        for name in chosen:
            seen[name] |= found
        return chosen

    def of(self, example, folder):
        for group in ARCHITECTURES:
            for sizes in "", example.large[0]:
                path = emitted(self.options.fusec, example, folder, ".cu",
                               f"--arch {group[0]} {sizes}")
                names = self.architectures(example, group, bool(sizes), path.read_text())
                if names:
                    yield Compilation(f"nvrtc {group[0]} {sizes}", path, names)


def check_nvrtc(nvrtc, compilation, options):
    """With little optimisation it takes a quarter of the time: spills are counted by
    tests/tensor_kernels.py."""
    how = [] if options.full else ["--quick"]

    def check(_fusec, _example, _folder):
        archs = (x for name in compilation.architectures for x in ("--arch", name))
        command(nvrtc, *how, *archs, compilation.path)
    return check


def nvrtc_checks(examples, options, folder):
    """(example, what, check) in a fixed order, as each depends on those before it: short models first, as
    their texts show an instruction at less cost."""
    if options.device or not options.nvrtc:
        return
    compilations = Compilations(options)
    for example in sorted(examples, key=lambda example: len(example.text)):
        try:
            for compilation in compilations.of(example, folder):
                yield example, compilation.what, check_nvrtc(options.nvrtc, compilation, options)
        except Failure as failure:
            yield example, "nvrtc", failing(failure)


def failing(failure):
    def check(_fusec, _example, _folder):
        raise failure
    return check


def check_nvcc(nvcc, mains):
    """To PTX and a host object, unoptimised: machine code is what check_nvrtc makes."""
    def check(fusec, example, folder):
        cu = emitted(fusec, example, folder, ".cu", "--arch sm_80 ")
        for main in mains:
            command(nvcc, "-arch=compute_90", "-Xcicc", "-O0", "-Werror", "all-warnings", *main,
                    "-c", cu, "-o", folder / f"{example.name}.nvcc.o")
    return check


def words_of(text):
    return set(re.findall(r"[A-Za-z_]\w+", re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)))


def covering(words):
    """Few examples whose texts have all words between them. words: example -> those of its text."""
    left, chosen = set().union(*words.values()), []
    while left:
        chosen.append(max(words, key=lambda example: len(words[example] & left)))
        left -= words[chosen[-1]]
    return chosen


def nvcc_checks(examples, options, folder):
    """(example, what, check): of some examples whose texts have all words of the templates between
    them, as NVRTC and the CUDA shim compile them all. With --full of all."""
    if options.device or not options.nvcc:
        return
    mains = [["-DFUSEC_MAIN"], []] if options.full else [["-DFUSEC_MAIN"]]
    templates = [*(ROOT / "templates/cuda").iterdir(), *(ROOT / "templates/host").iterdir()]
    known = set.union(*(words_of(path.read_text()) for path in templates))
    words = {}
    for example in examples:
        if example.name in LONG and not options.full:
            continue
        try:
            text = emitted(options.fusec, example, folder, ".cu", "--arch sm_80 ").read_text()
            words[example] = words_of(text) & known
        except Failure as failure:
            yield example, "nvcc", failing(failure)
    for example in words if options.full else covering(words):
        yield example, "nvcc", check_nvcc(options.nvcc, mains)


def checks_of(example, options):
    """(what, check or None for skipped)"""
    device = options.device or "cpu"
    for flags in example.small + (example.large if options.full else []):
        yield f"run {flags}", run_check(flags, [], device)
        if options.full or flags == example.small[0]: # tests/random has unfused kernels of other sizes
            yield f"run {flags} -O0", run_check(flags, ["-O0"], device)
    if options.device:
        return
    yield "format", check_format
    yield "width", check_width
    if example.kernels:
        yield "kernels", check_kernels
    for compiler in ("gcc", "clang"):
        yield compiler, check_c(compiler) if shutil.which(compiler) else None
    for tool in ("nvrtc", "nvcc"):
        if not getattr(options, tool):
            yield tool, None


def has_libclang(fusec):
    """Models that import headers need it."""
    return bool(re.search(r"^libclang +ok", command(fusec, "doctor"), re.M))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fusec")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--full", action="store_true",
                        help="the large sizes, and nvcc without the self-test, too")
    parser.add_argument("--device", choices=("cpu", "cuda"))
    parser.add_argument("--nvrtc", help="the program nvrtc_compile")
    parser.add_argument("--nvcc", default=shutil.which("nvcc"))
    options = parser.parse_intermixed_args()
    examples = [Example(path) for path in sorted(EXAMPLES.glob("*.fx"))
                if not options.names or path.stem in options.names]
    results = {"passed": 0, "failed": 0, "skipped": 0}
    if not has_libclang(options.fusec):
        results["skipped"] = sum(example.imports for example in examples)
        examples = [example for example in examples if not example.imports]

    def attempt(job):
        example, what, check, folder = job
        if check is None:
            return example, what, "skipped", ""
        try:
            check(options.fusec, example, folder)
            return example, what, "passed", ""
        except Skipped:
            return example, what, "skipped", ""
        except Failure as failure:
            return example, what, "failed", str(failure)

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        root = pathlib.Path(folder)
        jobs = [(*check, root) for checks in (nvrtc_checks, nvcc_checks)
                for check in checks(examples, options, root)]
        jobs += [(example, what, check, root)
                 for example in examples for what, check in checks_of(example, options)]
        for example, what, outcome, message in pool.map(attempt, jobs):
            results[outcome] += 1
            if message:
                print(f"FAIL {example.name}, {what}: {message}", flush=True)
    print(f"{results['passed']} passed, {results['failed']} failed" +
          (f", {results['skipped']} skipped" if results["skipped"] else ""))
    sys.exit(results["failed"] > 0)


if __name__ == "__main__":
    main()
