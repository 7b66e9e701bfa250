#!/usr/bin/env python3
"""No file has a warning in an optimised build, either: compilers look into inlined functions and unrolled
loops then. Those that the build has not compiled so are compiled to nothing with its flags, but -O3
instead of sanitizers. clang, where it is installed, looks at those that are no tests.

    python3 tests/warnings.py BUILD [--only TEXT]"""
import argparse
import json
import pathlib
import shlex
import shutil
import subprocess
import sys

OPTIMISED = ["-O3", "-DNDEBUG", "-Werror", "-S", "-o", "/dev/null"]
CHECKED = ["-Werror", "-fsyntax-only"]
LEFT_OUT = ("-fsanitize", "-O", "-g", "-fno-omit-frame-pointer", "-DNDEBUG")


def is_optimised(command):
    return "-O3" in command and "-Werror" in command and "-fsanitize" not in command


def compilations(build):
    """The source, the words of its compilation: the compiler, then flags; has the build optimised it? Of
    several compilations the first: later ones, under ThreadSanitizer, ask for no warnings."""
    entries = json.loads((build / "compile_commands.json").read_text())
    optimised = {entry["file"] for entry in entries if is_optimised(entry["command"])}
    for entry in {entry["file"]: entry for entry in reversed(entries)}.values():
        words = shlex.split(entry["command"])
        if not entry["file"].endswith(".c"):
            continue
        words = words[1:] if pathlib.Path(words[0]).name == "ccache" else words
        output = words.index("-o")
        words = words[:output] + words[output + 2:]
        yield entry, [word for word in words if word != "-c" and not word.startswith(LEFT_OUT)], \
            entry["file"] in optimised


def has_warning(entry, words):
    done = subprocess.run(words, cwd=entry["directory"], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode:
        print(f"FAIL {entry['file']}: {words[0]} {words[1]}\n{done.stdout}")
    return done.returncode != 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--only", default="", help="sources whose path has this text")
    options = parser.parse_args()
    clang, failed, count = shutil.which("clang"), 0, 0
    for entry, words, is_done in compilations(options.build):
        if options.only not in entry["file"]:
            continue
        count += 1
        if not is_done:
            failed += has_warning(entry, words + OPTIMISED)
        if clang and "/tests/" not in entry["file"]:
            failed += has_warning(entry, [clang, *words[1:], *CHECKED])
    print(f"{count} files, {failed} warnings")
    return failed != 0 or not count


if __name__ == "__main__":
    sys.exit(main())
