#!/usr/bin/env python3
"""The cache from outside: a second process compiles nothing; `cache why` names what differs; a cache
that cannot be used stops nothing.

    python3 tests/cache.py FUSEC FILL

FILL puts a tuning with four trials into a cache (tests/unit/cache_fill.c).
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MODEL = "fn twice[N](x: f32[N]) -> (y: f32[N]) {\n    y = relu(2 * x);\n}\n"
CHOICES = {"fusec-choices": 1, "choices": [
    {"key": [["function", "f"], ["kernel", "f_0"], ["device", "cuda"], ["arch", "sm_90a"]],
     "tile": "m=128,n=128", "median_ns": 900.0, "default_ns": 1000.0, "date": 1750000000}]}
# Speaks of a version and counts its calls, and is else the C compiler.
COMPILER = """#!/bin/sh
echo "$1" >> {log}
if [ "$1" = --version ]; then echo "cc {version}"; exit; fi
exec /usr/bin/cc "$@"
"""


FILL = pathlib.Path(sys.argv[2]).resolve()


class Failure(Exception):
    pass


class Place:
    """A folder with a model, a compiler and a cache."""

    def __init__(self, fusec, folder):
        self.fusec, self.folder = fusec, pathlib.Path(folder)
        self.model, self.cache = self.folder / "twice.fx", self.folder / "cache"
        self.model.write_text(MODEL)
        self.set_compiler("1.0")

    def set_compiler(self, version):
        path = self.folder / "mycc"
        path.write_text(COMPILER.format(log=self.folder / "calls", version=version))
        path.chmod(0o755)

    def run(self, *words, status=0, cache=None):
        environment = {**os.environ, "CC": str(self.folder / "mycc"),
                       "FUSEC_CACHE_DIR": str(cache or self.cache)}
        result = subprocess.run([self.fusec, *map(str, words)], text=True, timeout=300,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
        if result.returncode != status:
            raise Failure(f"exit status {result.returncode}: {words}\n{result.stdout}")
        return result.stdout

    def calls(self):
        """Of the compiler, since the last question."""
        path = self.folder / "calls"
        calls = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return calls

    def run_model(self, *options, **other):
        return self.run("run", self.model, "-D", "N=5", "--device=cpu", *options, **other)

    def why(self, *options, size=5):
        return self.run("cache", "why", self.model, "-D", f"N={size}", "--device=cpu", *options)


def expect(pattern, text):
    if not re.search(pattern, text, re.S):
        raise Failure(f"no match for {pattern!r} in\n{text}")


def equal(a, b):
    if a != b:
        raise Failure(f"{a!r} is not {b!r}")


# ---- a second start ----------------------------------------------------------------------------

def second_start(place):
    first = place.run_model()
    equal(len(place.calls()), 2)  # its version, the code
    equal(place.run_model(), first)
    equal(place.calls(), [])
    place.run("bench", place.model, "-D", "N=5", "--device=cpu", "--repeat=1")
    equal(len(place.calls()), 1)  # the program that measures peaks
    place.run("bench", place.model, "-D", "N=5", "--device=cpu", "--repeat=1")
    equal(place.calls(), [])
    expect("starts +4: 4 times code was found, 2 times not", place.run("cache", "stats"))
    expect("compiled again: 2 the same, 0 others", place.run("cache", "verify", "--recompile"))
    equal(len(place.calls()), 2)
    verify = ["cache", "verify", place.model, "-D", "N=5", "--range", "x=0..1", "--device=cpu"]
    expect("y: ok", place.run(*verify))
    expect('"file": "ok",\n  "right": true\n}', place.run(*verify, "--json"))
    equal(place.calls(), [])
    place.run_model("--cache=off")
    equal(len(place.calls()), 1)


def shared_functions(place):
    """Of products, for example: a second model finds them compiled."""
    place.model.write_text("fn f[M, N](x: f32[M, 40], w: f32[40, N]) -> (y: f32[M, N]) {\n    y = x @ w;\n}\n")
    run = ["run", place.model, "--device=cpu", "--check"]
    expect("y: ok", place.run(*run, "-D", "M=33", "-D", "N=32"))
    place.calls()
    for size in (1, 35, 64):
        expect("y: ok", place.run(*run, "-D", f"M={size}", "-D", "N=50"))
    calls = len(place.calls())
    if calls > 3 * 3:
        raise Failure(f"{calls} runs of the compiler for three models")
    expect("tile_sums_f32 .* cpu", place.run("cache", "ls"))
    expect("starts +4: 0 times code was found, 4 times not", place.run("cache", "stats"))
    expect(", 0 others", place.run("cache", "verify", "--recompile"))


def why(place):
    place.run_model("-D", "M=2", status=1)  # makes a cache
    expect("twice: not in the cache, nor anything like it", place.why())
    place.run_model()
    expect("twice: its code is in the cache", place.why())
    expect(r"differs in dim N\n +here +7\n +there +5\ntwice_0: nothing was chosen, nor", place.why(size=7))
    expect(r"differs in the options\n +here +-O0\n +there +-O2\n",
           place.why("-O0"))
    place.set_compiler("1.1")
    expect(r"differs in the version of the compiler\n +here +cc 1.1\n +there +cc 1.0\ntwice_0: nothing was", place.why())
    expect("stale", place.run("cache", "ls"))
    place.set_compiler("1.0")
    place.model.write_text("// a comment changes nothing\n" + MODEL)
    expect("its code is in the cache", place.why())
    place.model.write_text(MODEL.replace("2 *", "3 *"))
    expect(r"differs in the text of the model\n", place.why())
    place.run_model()
    expect(r"not +1 times: text\n", place.run("cache", "stats"))
    found = json.loads(place.why("--json"))["functions"][0]
    equal((found["function"], found["found"], found["choices"][0]["field"]), ("twice", True, "new"))
    place.run_model("--keep-bytes=1000")
    expect("its code is in the cache", place.why("--keep-bytes=1000", "--tuning=never"))


# ---- caches that cannot be used ----------------------------------------------------------------

def missing(place):
    """Commands that read make none, nor do they put one into a folder of other things."""
    typo, other = place.folder / "typo", place.folder / "other"
    other.mkdir()
    for folder in (typo, other):
        for words in (["ls"], ["show", "x"], ["stats"], ["verify"], ["export"], ["gc"], ["pin", "x"],
                      ["why", place.model, "-D", "N=5", "--device=cpu"]):
            expect(f"there is no cache in {folder}", place.run("cache", *words, cache=folder, status=3))
    place.run("report", place.model, "-o", place.folder / "page.html", cache=typo)
    expect("is no cache", place.run("cache", "diff", other, other, status=1))
    expect("it is off", place.run("cache", "ls", cache="off", status=3))
    equal((typo.exists(), list(other.iterdir())), (False, []))



def unusable(place):
    """The model runs, with one remark."""
    def broken(name, words, make):
        cache = place.folder / name
        make(cache)
        said = place.run_model(cache=cache)
        expect(rf"remark: .*{words}", said)
        equal(said.count("the cache"), 1)
        expect("y: f32", said)

    def writable(cache):
        cache.mkdir()
        cache.chmod(0o770)

    def linked(cache):
        cache.mkdir(mode=0o700)
        (cache / "fusec.db").symlink_to(place.model)

    broken("writable", "can be written by others: chmod go-w it", writable)
    broken("file", "Not a directory", lambda cache: cache.write_text(""))
    broken("linked", "is no file", linked)


def by_links(place):
    """The folder, or one above it, may be a link, as ~/.cache is where homes are small."""
    (place.folder / "disk").mkdir()
    (place.folder / "link").symlink_to("disk")
    cache = place.folder / "link" / "fusec"
    equal(place.run_model(cache=cache).count("the cache"), 0)
    expect("twice .* cpu ", place.run("cache", "ls", cache=cache))
    equal((place.folder / "disk" / "fusec" / "fusec.db").exists(), True)


def cut_statistics(place):
    """A line that a full disk has cut off counts nothing, and spoils nothing."""
    place.run_model()
    file = place.cache / "statistics"
    file.write_text("hits=0 mis" + file.read_text())
    expect("starts +1: 0 times code was found, 1 times not", place.run("cache", "stats"))


# ---- choices -----------------------------------------------------------------------------------

def choices(place):
    file = place.folder / "choices.json"
    file.write_text(json.dumps(CHOICES))
    expect("added\n0 of 1|f +m=128,n=128 +added\n1 of 1 choices would be taken",
           place.run("cache", "import", file, "--dry-run"))
    equal(place.cache.exists(), False)
    place.run("cache", "import", file)
    expect("the same\n0 of 1", place.run("cache", "import", file))
    entry = json.loads(place.run("cache", "ls", "--json"))["entries"][0]
    equal((entry["choice"]["tile"], entry["choice"]["imported"]), ("m=128,n=128", True))
    out = place.folder / "out.json"
    place.run("cache", "export", "-o", out)
    equal(json.loads(out.read_text())["choices"][0]["key"], CHOICES["choices"][0]["key"])
    equal(json.loads(place.run("cache", "export", "-o", out, "--json")), {"written": 1, "file": str(out)})
    expect("no choice differs", place.run("cache", "diff", out, place.cache))
    other = json.loads(json.dumps(CHOICES))
    other["choices"][0].update(tile="m=64,n=64", median_ns=800.0)
    file.write_text(json.dumps(other))
    expect("m=128,n=128 -> m=64,n=64, 900 ns -> 800 ns", place.run("cache", "diff", out, file))
    expect("kept", place.run("cache", "import", file))
    expect("replaced: faster", place.run("cache", "import", file, "--merge=best"))
    key = entry["key"]
    expect("m=64,n=64 is pinned", place.run("cache", "pin", key))
    expect("kept: pinned", place.run("cache", "import", out, "--merge=replace"))
    place.run("cache", "pin", key, "--off")
    expect("error: fusec cache ban: m wants a number, not 'x'", place.run("cache", "ban", key, "m=x", status=1))
    expect("a ban needs a reason", place.run("cache", "ban", key, "m=64,n=64", status=2))
    place.run("cache", "ban", key, "m=64,n=64", "--reason", "wrong for M = 1")
    expect("choice +none.*banned: wrong for M = 1", place.run("cache", "show", key))
    expect("refused: banned here", place.run("cache", "import", file))


def evidence(place):
    """What was measured is shown and drawn; tiles that were tried can be pinned."""
    subprocess.run([FILL, place.cache], check=True)
    key = json.loads(place.run("cache", "ls", "--json", "--family=row"))["entries"][0]["key"]
    shown = place.run("cache", "show", key)
    expect("choice +rows=4, 900 ns\n +default +1.20 us: the choice is 1.33 times as fast\n"
           " +next best +rows=2, 1.00 us: 11.1 % slower\n +roofline +600 ns: 67 % of it", shown)
    expect("trials +4, 2 ok, 1 timeout, 1 incorrect\n", shown)
    expect("ok +1.00 us +1.0% +40 +0 +1024 +0.50 +rows=2\n", shown)
    expect("incorrect +- +- +- +- +- +7.50 +rows=8\n +element 3", shown)
    equal(len(json.loads(place.run("cache", "show", key, "--json"))["trials"]), 4)
    drawing = place.folder / "trials.svg"
    if shutil.which("gnuplot"):
        place.run("cache", "show", key, "--plot", drawing)
        expect("<svg.*trials.*</svg>", drawing.read_text())
    expect("rows=2 is pinned", place.run("cache", "pin", key, "rows=2"))
    expect(r"next best +rows=4, 900 ns: 10.0 % faster\n", place.run("cache", "show", key))
    expect("was not tried with that tile, or it failed",
           place.run("cache", "pin", key, "rows=8", status=1))
    expect("no entry 'c' in the cache", place.run("cache", "show", "c", status=1))
    expect("--dry-run is for fusec cache import, not for clear",
           place.run("cache", "clear", "--dry-run", status=2))
    expect("-off is for fusec cache pin or ban, not for ls", place.run("cache", "ls", "--off", status=2))
    equal(place.run("cache", "ls", "--family=attention"), "")
    equal(place.run("cache", "ls", "--model=large"), "")
    expect("rows=2", place.run("cache", "ls", "--model=small"))
    expect(r"tuning +t\w+\n +model +small\n", place.run("cache", "show", key))


def listed(place):
    """Lines of ls are short: tiles and options with tiles are cut."""
    tile = "kind=loops,prefetch=0,unroll=4"
    place.run_model("--tile", tile)
    place.run("bench", place.model, "-D", "N=5", "--device=cpu", "--repeat=1")
    rows = place.run("cache", "ls").splitlines()
    expect(r"-O2 --tile .{30,40}\.\., [0-9.]+ KiB, compiled in", "\n".join(rows))
    expect(r"\npeaks .* [0-9:]+  [0-9.]+ KiB, compiled in", "\n" + "\n".join(rows))
    code = next(row for row in rows if "--tile" in row)
    expect(r"--tile unroll=4\n", place.run("cache", "show", code.split()[3]))
    expect("wants a word: see fusec cache --help", place.run("cache", status=2))
    expect("does not know 'lss'.*did you mean 'ls'", place.run("cache", "lss", status=2))


def hostile_files(place):
    """Every cut of an export, and values of wrong types: a message, never a crash."""
    file = place.folder / "hostile.json"
    text = json.dumps(CHOICES)
    wrong = [text[:cut] for cut in range(0, len(text) - 1, 29)]
    for path, value in (("key", "x"), ("key", [["a"]]), ("key", [["a=b", "c"]]), ("tile", 7),
                        ("tile", "`rm -rf`"), ("median_ns", -1)):
        other = json.loads(text)
        other["choices"][0][path] = value
        wrong.append(json.dumps(other))
    for content in wrong:
        file.write_text(content)
        expect("error: ", place.run("cache", "import", file, status=1))
    other = json.loads(text)
    for tile, said in (("m=x", "m wants a number, not 'x'"), ("speed=1", "no tile has the key 'speed'")):
        other["choices"][0]["tile"] = tile
        file.write_text(json.dumps(other))
        expect(f"error: {re.escape(str(file))}: {said}", place.run("cache", "import", file, status=1))
    equal(place.run("cache", "ls"), "")


CHECKS = (second_start, shared_functions, why, missing, unusable, by_links, cut_statistics, choices, evidence, listed, hostile_files)


def main():
    fusec = pathlib.Path(sys.argv[1]).resolve()
    failed = 0
    for check in CHECKS:
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(Place(fusec, folder))
            except Failure as failure:
                failed += 1
                print(f"FAIL {check.__name__}: {failure}")
    print(f"{len(CHECKS)} checks, {failed} failed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
