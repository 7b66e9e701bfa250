#!/usr/bin/env python3
"""Keeps the documents true: compiles their models, runs their commands, compares what they show.

    python3 tests/readme.py FUSEC [--update] [DOCUMENT..]

The fence of a block, and a comment on the line before (which is not rendered), say what it is:

    ```fx                                  a whole model: formatted, compiles without a message
    <!-- file: NAME -->                    the next block is also a file of the document's folder
    <!-- check: FLAGS; FLAGS -->           the model in the next block is run by each, with --check
    <!-- wrong -->                         the next block is a model with an error
    <!-- output: COMMAND -->               the next block is what the command prints (both streams);
                                           a line `...` stands for any number of lines, and at
                                           the end of a line for its rest
    ```sh                                  its lines that start with fusec, cc or ./ are run, in order

Each document has a folder and a cache of its own, where its commands run; commands see the files named above
them. A model without a name is model.fx there. --update writes outputs that differ into the
documents; of one with `...`, each part between its first and its last line, where these are found.
"""
import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
DOCUMENTS = [path for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md",
             *sorted((ROOT / "docs").glob("*.md"))) if path.exists()]
FENCE = re.compile(r"((?:<!-- [^\n]* -->\n)*)```(\w*)\n(.*?)^```$", re.M | re.S)
COMMENT = re.compile(r"<!-- (\w+)(?:: (.*?))? -->")
RUN = ("fusec", "cc", "./")
ANY = "..."


class Failure(Exception):
    pass


def run(fusec, line, folder):
    """What a command line prints, and its status. `fusec` is the compiler; there is no shell."""
    words = shlex.split(line, comments=True)
    words[0] = str(fusec) if words[0] == "fusec" else words[0]
    if "-lfusec" in words: # which may be built with sanitizers
        words += os.environ.get("FUSEC_LINK_FLAGS", "").split()
    environment = {**os.environ, "FUSEC_CACHE_DIR": str(pathlib.Path(folder) / ".cache")}
    result = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, text=True, timeout=300,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
    return result.stdout, result.returncode


def succeed(fusec, line, folder):
    out, status = run(fusec, line, folder)
    if status:
        raise Failure(f"exit status {status}: {line}\n{out}")
    return out


def pieces_of(text):
    """The runs of lines between the lines that are `...`."""
    pieces = [[]]
    for line in text.rstrip("\n").split("\n"):
        if line.strip() == ANY:
            pieces.append([])
        else:
            pieces[-1].append(line.rstrip())
    return pieces


def same(shown, real):
    """Of two lists of lines."""
    return len(shown) == len(real) and all(
        b.startswith(a[:-len(ANY)].rstrip()) if a.endswith(" " + ANY) else a == b
        for a, b in zip(shown, real))


def find_piece(piece, lines, start):
    """Where the piece ends, found from `start` on; None when it is not there."""
    for i in range(start, len(lines) - len(piece) + 1):
        if same(piece, lines[i:i + len(piece)]):
            return i + len(piece)
    return None


def compare(shown, real, command):
    """The shown text is the real one, with anything where `...` stands."""
    pieces = pieces_of(shown)
    lines = [line.rstrip() for line in real.rstrip("\n").split("\n")]
    at = 0
    for number, piece in enumerate(pieces):
        end = find_piece(piece, lines, at)
        first, last = number == 0, number == len(pieces) - 1
        exact = not (first and piece and not same(piece, lines[:len(piece)]))
        exact = exact and not (last and piece and not same(piece, lines[len(lines) - len(piece):]))
        if end is None or not exact:
            raise Failure(f"not what `{command}` prints:\n" + "\n".join(piece) +
                          "\n---- it prints\n" + "\n".join(lines))
        at = end


def renew(shown, real):
    """The shown text with what the real one has instead, as far as that can be told."""
    if ANY not in shown.split("\n"):
        return real
    lines, at, new = real.rstrip("\n").split("\n"), 0, []
    for piece in pieces_of(shown):
        first = find_piece(piece[:1], lines, at) if piece else None
        last = find_piece(piece[-1:], lines, max(at, first + len(piece) // 2)) if first else None
        if last is None:
            new.append(piece)
        elif any(line.endswith(" " + ANY) for line in piece):
            new.append(piece)
            at = last
        else:
            new.append(lines[first - 1:last] if len(piece) > 1 else piece)
            at = last
    return f"\n{ANY}\n".join("\n".join(piece) for piece in new).strip("\n") + "\n"


class Document:
    def __init__(self, path, fusec, folder, update):
        self.path, self.fusec, self.folder, self.update = path, fusec, folder, update
        self.text = path.read_text()
        self.passed = self.failed = 0

    def check(self):
        new = FENCE.sub(self.block, self.text)
        if self.update and new != self.text:
            self.path.write_text(new)

    def block(self, match):
        comments = dict(COMMENT.findall(match[1]))
        language, body = match[2], match[3]
        try:
            known = set(comments) <= {"file", "wrong", "output", "check"}
            if not known:
                raise Failure(f"no such comment: {match[1]}")
            for check in self.checks(language, body, comments):
                check()
                self.passed += 1
        except Failure as failure:
            if self.update and comments.get("output"):
                out, _ = run(self.fusec, comments["output"], self.folder)
                return f"{match[1]}```{language}\n{renew(body, out)}```"
            self.failed += 1
            line = self.text.count("\n", 0, match.start(2)) + 1
            print(f"FAIL {self.path.relative_to(ROOT)}:{line}: {failure}", flush=True)
        return match[0]

    def checks(self, language, body, comments):
        """What there is to check of a block, as functions."""
        name = comments.get("file", "model.fx")
        if "file" in comments or language == "fx":
            (self.folder / name).write_text(body)
        if language == "fx":
            yield (lambda: self.wrong(name)) if "wrong" in comments else lambda: self.right(name)
        for flags in filter(None, comments.get("check", "").split(";")):
            line = f"fusec run {name} --check --device=cpu {flags}"
            yield lambda line=line: succeed(self.fusec, line, self.folder)
        if "output" in comments:
            command = comments["output"]
            yield lambda: compare(body, run(self.fusec, command, self.folder)[0], command)
        if language == "sh":
            for line in body.split("\n"):
                if line.startswith(RUN):
                    yield lambda line=line: succeed(self.fusec, line, self.folder)

    def right(self, name):
        for target in ("c", "cuda"):
            line = f"fusec -Werror --target={target} -o /dev/null {name}"
            out = succeed(self.fusec, line, self.folder)
            if out:
                raise Failure(f"{line}\n{out}")
        succeed(self.fusec, f"fusec fmt --check {name}", self.folder)

    def wrong(self, name):
        out, status = run(self.fusec, f"fusec {name}", self.folder)
        if status != 1:
            raise Failure(f"exit status {status}, expected 1: fusec {name}\n{out}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fusec")
    parser.add_argument("documents", nargs="*", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_intermixed_args()
    fusec = pathlib.Path(options.fusec).resolve()
    passed = failed = 0
    for path in options.documents or DOCUMENTS:
        with tempfile.TemporaryDirectory() as folder:
            document = Document(path.resolve(), fusec, pathlib.Path(folder), options.update)
            document.check()
            passed += document.passed
            failed += document.failed
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0 or passed == 0)


if __name__ == "__main__":
    main()
