#!/usr/bin/env python3
"""Runs the golden tests: one file is one case: the model, the commands and the expected output.

    python3 tests/run_golden.py FUSEC [--filter TEXT] [--update] [--jobs 2] [FOLDER or FILE..]

A case is a model that starts with a comment and may end with the expected output:

    // run: fusec %s --emit=ast       what to run, without a shell; several lines run in order
    // exit: 1                        exit status of the run above it (0 when there is no line)
    // needs: x.npy                   files beside the case that it reads
    // kernels: 1                     kernels of its plan, with the dims, level and function of the
                                      first run
    ..the model..
    // ---- expect
    // the standard output, then the standard error, of the runs; compared when the line above is
    // there, but for the numbers of --check: sums are ordered by the width of the processor's vectors

%s is the case as far as `// ---- expect`, in an empty folder that the run works in; %t starts names
of files to write there, and the case is standard input as well. `cmd < FILE` and `cmd > FILE` work.
Emitted C is compiled by tests/cc_quick, unless CC says otherwise or checksums are expected.
--update writes what comes out below that line.
"""
import argparse
import difflib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

TESTS = pathlib.Path(__file__).resolve().parent
FOLDERS = ("syntax", "graph", "sched", "kernel", "emit", "run")
EXPECT = "// ---- expect"
# No text may have a warning; -Wno-psabi: of GCC about vectors, which stay in their file.
QUICK = {"CC": f"{TESTS}/cc_quick -Wall -Wextra -Werror -Wno-psabi", **os.environ}
TIMEOUT = 300  # seconds for one run


class Failure(Exception):
    pass


def lines_of(text):
    """With their ends; unlike str.splitlines, only newlines end them."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


class Case:
    def __init__(self, path):
        self.path = path
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        self.program, self.has_expectation, after = text.partition(EXPECT + "\n")
        self.expected = "".join(line.removeprefix("//").removeprefix(" ") for line in lines_of(after))
        self.runs, self.kernels, self.needs = [], None, []
        self.read_head()

    def read_head(self):
        early_exit = 0
        for line in self.program.splitlines():
            match = re.match(r"// (run|exit|kernels|needs): (.*)", line)
            if not line.startswith("//"):
                break
            key, value = match.groups() if match else (None, None)
            if key == "run":
                self.runs.append([value, early_exit])
            elif key == "exit" and self.runs:
                self.runs[-1][1] = int(value)
            elif key == "exit":
                early_exit = int(value)
            elif key == "kernels":
                self.kernels = int(value)
            elif key == "needs":
                self.needs += value.split()
        if not self.runs:
            raise Failure("no line `// run: ..` in its first comment")

    def may_be_quick(self):
        """Checksums are those of the compiler's own flags; those of a new case are not known yet."""
        return not self.has_expectation or bool(self.expected) and "checksum" not in self.expected

    def write(self, expected):
        lines = "".join("//\n" if line == "\n" else f"// {line}" for line in lines_of(expected))
        text = f"{self.program}{EXPECT}\n{lines}"
        self.path.write_bytes(text.encode("utf-8", "surrogateescape"))


def decode(data):
    return data.decode("utf-8", "surrogateescape")


def run_line(fusec, case, line, folder):
    """Exit status, standard output, standard error."""
    words = [{"fusec": fusec, "%s": case.path.name}.get(word, word.replace("%t", "out"))
             for word in shlex.split(line)]
    source, target = folder / case.path.name, subprocess.PIPE
    while len(words) > 2 and words[-2] in ("<", ">"):
        if words[-2] == "<":
            source = folder / words[-1]
        else:
            target = open(folder / words[-1], "wb")
        words = words[:-2]
    with open(source, "rb") as stdin:
        result = subprocess.run(words, cwd=folder, stdin=stdin, stdout=target,
                                stderr=subprocess.PIPE, timeout=TIMEOUT,
                                env=QUICK if case.may_be_quick() else None)
    if target != subprocess.PIPE:
        target.close()
    return result.returncode, decode(result.stdout or b""), decode(result.stderr)


def count_kernels(fusec, case, folder):
    words = shlex.split(case.runs[0][0])
    flags = [word for word in words if re.match(r"-[DO].|--fn=", word)]
    for i, word in enumerate(words[:-1]):
        if word in ("-D", "--fn"):
            flags += words[i:i + 2]
    line = shlex.join(["fusec", case.path.name, "--emit=plan", "--json", *flags])
    status, out, err = run_line(fusec, case, line, folder)
    if status:
        raise Failure(f"exit status {status}: {line}\n{err}")
    return sum(len(function["kernels"]) for function in json.loads(out)["functions"])


def run_case(fusec, case, folder):
    """What it prints; a Failure for anything but the text."""
    folder.joinpath(case.path.name).write_bytes(case.program.encode("utf-8", "surrogateescape"))
    for name in case.needs:
        folder.joinpath(name).write_bytes(case.path.with_name(name).read_bytes())
    out = ""
    for line, expected_status in case.runs:
        try:
            status, stdout, stderr = run_line(fusec, case, line, folder)
        except subprocess.TimeoutExpired:
            raise Failure(f"no end within {TIMEOUT} s: {line}")
        out += stdout + stderr
        if status != expected_status:
            raise Failure(f"exit status {status}, expected {expected_status}: {line}\n{out[-4000:]}")
    if case.kernels is not None:
        kernels = count_kernels(fusec, case, folder)
        if kernels != case.kernels:
            raise Failure(f"{kernels} kernels, expected {case.kernels}")
    return out


def settled(text):
    """Without what --check prints of numbers: their last bits differ from processor to processor."""
    text = re.sub(r"^(\S+: \w+\[[\d, ]*\])  mean .* checksum [0-9a-f]{16}$", r"\1", text, flags=re.M)
    return re.sub(r"^(\S+: ok), largest error .*", r"\1", text, flags=re.M)


def is_as_expected(case, got):
    checked = any("--check" in line for line, _ in case.runs)
    return got == case.expected or checked and settled(got) == settled(case.expected)


def difference(case, got):
    lines = difflib.unified_diff(lines_of(case.expected), lines_of(got), "expected", "got")
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def attempt(job):
    """What is wrong with a case, "" if nothing."""
    fusec, path, update = job
    try:
        case = Case(path)
        with tempfile.TemporaryDirectory() as folder:
            got = run_case(fusec, case, pathlib.Path(folder))
    except (Failure, OSError) as failure:
        return str(failure)
    if not case.has_expectation or is_as_expected(case, got):
        return ""
    if update:
        case.write(got)
        return ""
    return difference(case, got)


def find_cases(places):
    for place in places or filter(pathlib.Path.is_dir, (TESTS / folder for folder in FOLDERS)):
        place = pathlib.Path(place).resolve()
        yield from sorted(place.glob("*.fx")) if place.is_dir() else [place]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fusec")
    parser.add_argument("places", nargs="*")
    parser.add_argument("--filter", default="", help="only cases whose path contains this")
    parser.add_argument("--update", action="store_true", help="write what comes out into the cases")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_intermixed_args()
    fusec = str(pathlib.Path(options.fusec).resolve())
    cases = [path for path in find_cases(options.places) if options.filter in str(path)]
    failed = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        jobs = [(fusec, path, options.update) for path in cases]
        for path, message in zip(cases, pool.map(attempt, jobs)):
            failed += bool(message)
            if message:
                print(f"FAIL {path.relative_to(TESTS)}\n{message}", flush=True)
    print(f"{len(cases) - failed} passed, {failed} failed")
    sys.exit(failed > 0 or not cases)


if __name__ == "__main__":
    main()
