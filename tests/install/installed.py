#!/usr/bin/env python3
"""Installs a build below an empty folder and uses it from there, as other projects do: C with CMake,
C with pkg-config, C++, kernels emitted at build time, Python. Each is a folder beside this file. Also
looks at what was installed: symbols and needs of the library, man pages, completions.

    tests/install/installed.py BUILD [--sanitized] [--only NAME]"""

import argparse
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent)]
from python_with import python_with, sanitizer_environment  # noqa: E402

SANITIZERS = "-fsanitize=address,undefined"
# What libfusec may need at run time, besides what a sanitizer adds.
NEEDS = {"libc.so.6", "libm.so.6", "libjansson.so.4", "libxxhash.so.0", "libsqlite3.so.0", "ld-linux-x86-64.so.2",
         "ld-linux-aarch64.so.1"}


class Installed:
    def __init__(self, build, prefix, sanitized):
        self.build, self.prefix, self.sanitized = build, prefix, sanitized
        run("cmake", "--install", build, "--prefix", prefix)
        self.library = next(prefix.glob("lib/**/libfusec.so"))
        self.environment = dict(os.environ, PATH=f"{prefix}/bin:{os.environ['PATH']}",
                                PKG_CONFIG_PATH=str(self.library.parent / "pkgconfig"),
                                LD_LIBRARY_PATH=str(self.library.parent))

    def flags(self):
        return [SANITIZERS] if self.sanitized else []

    def cmake(self, folder, work, program):
        """Builds a project and gives what its program prints."""
        flags = " ".join(self.flags())
        run("cmake", "-S", folder, "-B", work, f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_C_FLAGS={flags}", f"-DCMAKE_CXX_FLAGS={flags}")
        run("cmake", "--build", work)
        return run(work / program, env=self.environment)


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)
    if done.returncode:
        raise AssertionError(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout}")
    return done.stdout


def expect(got, wanted):
    if got != wanted:
        raise AssertionError(f"got {got!r}, wanted {wanted!r}")


# ---- what other projects do ------------------------------------------------------------------------

def test_c(installed, work):
    expect(installed.cmake(HERE / "c", work, "uses_fusec"), "2 40 600 8 100 1200\n")


def test_pkg_config(installed, work):
    work.mkdir()
    flags = run("pkg-config", "--cflags", "--libs", "fusec", env=installed.environment).split()
    run("cc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", *installed.flags(),
        HERE / "c/main.c", "-o", work / "main", *flags)
    expect(run(work / "main", env=installed.environment), "2 40 600 8 100 1200\n")


def test_cpp(installed, work):
    expect(installed.cmake(HERE / "cpp", work, "uses_fusec"), "2 40 600 8 100 1200\n" * 5 +
           "2 dims: scale[N, D] takes 2 dims, not 1\n2 dims: scale[N, D] takes 2 dims, not 3\n2 function: function is NULL\n")


def test_add_model(installed, work):
    """A change of the model is a change of the program; nothing changed is nothing done."""
    project = work.with_suffix(".project")
    shutil.copytree(HERE / "add_model", project)
    expect(installed.cmake(project, work, "uses_model"), "-2 -1 0 3 -1 -1 -1 3\n"
           "0.5 1 1.5 1 -0.5 -1 -1.5 -1\n")
    assert "Emitting" not in run("cmake", "--build", work)
    model = project / "norm.fx"
    model.write_text(model.read_text().replace("x - mean(x, keep", "x + mean(x, keep"))
    said = run("cmake", "--build", work)
    assert "Emitting norm.c" in said and "ABI" not in said, said
    expect(run(work / "uses_model"), "4 5 6 9 1 1 1 5\n0.5 1 1.5 1 -0.5 -1 -1.5 -1\n")


# What fusec_add_model refuses: the languages of the project, its call, and what it says.
ADD_MODEL_REFUSES = [
    ("CXX", "fusec_add_model(app norm.fx LANGUAGE C)", "enable_language(C)"),
    ("C", "fusec_add_model(app norm.fx ARCH sm_90a)", "enable_language(CUDA)"),
    ("C", "fusec_add_model(app norm.fx DIMS D=128)\nfusec_add_model(app norm.fx DIMS D=64)",
     "app has a norm.h already: NAME"),
]


def test_add_model_refuses(installed, work):
    for number, (languages, call, message) in enumerate(ADD_MODEL_REFUSES):
        project = work / str(number)
        shutil.copytree(HERE / "add_model", project)
        (project / "CMakeLists.txt").write_text(
            f"cmake_minimum_required(VERSION 3.20)\nproject(refused {languages})\n"
            "find_package(fusec 0.1 CONFIG REQUIRED)\nadd_library(app STATIC)\n" + call)
        done = subprocess.run(["cmake", "-S", project, "-B", project / "build",
                               f"-DCMAKE_PREFIX_PATH={installed.prefix}"],
                              text=True, capture_output=True)
        said = " ".join(done.stderr.split())
        assert done.returncode and message in said, f"{call}: {done.returncode} {said}"


def test_python(installed, work):
    """pip install ./python, in an environment that has NumPy and PyTorch from Debian's packages; then
    the code of docs/python.md."""
    python = python_with("numpy", "torch", "setuptools", "wheel")
    assert python, "no Python here has numpy, torch, setuptools and wheel"
    package = work.with_suffix(".package")
    shutil.copytree(ROOT / "python", package, ignore=shutil.ignore_patterns("__pycache__"))
    run(python, "-m", "venv", "--system-site-packages", work)
    run(work / "bin/python", "-m", "pip", "install", "--no-build-isolation", "--no-deps", package)
    environment = dict(installed.environment, PYTHONNOUSERSITE="1",
                       **sanitizer_environment(installed.library))
    page = (ROOT / "docs/python.md").read_text()
    (work / "softmax.fx").write_text(re.search(r"^```fx\n(.*?)^```", page, re.M | re.S)[1])
    (work / "page.py").write_text("".join(re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)))
    run(work / "bin/python", "page.py", cwd=work, env=environment)


# ---- what was installed ----------------------------------------------------------------------------

def test_library(installed, _):
    """Names no symbols but its own, and needs nothing that is not told."""
    names = re.findall(r" [TDBVWR] (\S+)", run("nm", "-D", "--defined-only", installed.library))
    wrong = [name for name in names if not name.startswith("fusec_")]
    assert names and not wrong, f"visible: {wrong}"
    needs = set(re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "-d", installed.library)))
    if not installed.sanitized:
        assert needs <= NEEDS, f"needs {needs - NEEDS}"


def test_manual(installed, _):
    pages = sorted((installed.prefix / "share/man/man1").glob("*.1"))
    help_text = run(installed.prefix / "bin/fusec", "--help")
    commands = re.findall(r"^  ([a-z]+) ", help_text, re.M)
    expect({page.stem for page in pages}, {"fusec"} | {f"fusec-{name}" for name in commands})
    for page in pages:
        text = page.read_text()
        assert all(f".SH {part}" in text for part in ("NAME", "SYNOPSIS", "OPTIONS")), page
        if shutil.which("groff"):
            expect(run("groff", "-man", "-Tutf8", "-ww", "-z", page), "")


def test_documents(installed, _):
    """A link to a file leads to one that is installed; those to the build's own files are excepted."""
    documents = installed.prefix / "share/doc/fusec"
    pages = sorted(documents.rglob("*.md"))
    assert {"README.md", "language.md"} <= {page.name for page in pages}, pages
    for page in pages:
        text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
        for link in re.findall(r"\]\(([^)#\s:]+)(?:#[^)]*)?\)", text):
            assert (page.parent / link).exists() or re.search(r"\.(cmake|h)$", link), f"{page.name}: {link}"


def complete(script, folder, words, position):
    """What bash offers for the word at `position`, and the options that it is told of."""
    line = " ".join(f"'{word}'" for word in words)
    return set(run("bash", "-c", f"source {script}; compopt() {{ echo \"$*\"; }}; COMP_WORDS=({line});"
                   f"COMP_CWORD={position}; _fusec; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
                   cwd=folder).split("\n")) - {""}


def typed(script, keys, folder):
    """The words of `fusec` after keys were pressed in an interactive bash."""
    start = folder / "start"
    start.write_text(f"source {script}\nfusec() {{ printf '%s\\n' \"$@\"; exit; }}\n")
    keyboard, terminal = pty.openpty()
    os.write(keyboard, keys.encode() + b"\n")
    try:
        return subprocess.run(["bash", "--noprofile", "--rcfile", start, "-i"], cwd=folder,
                              stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              start_new_session=True, timeout=60, text=True,
                              env=dict(os.environ, TERM="dumb", INPUTRC="/dev/null")).stdout.split("\n")
    finally:
        os.close(keyboard)
        os.close(terminal)


def test_completions(installed, work):
    share = installed.prefix / "share"
    bash = share / "bash-completion/completions/fusec"
    work.mkdir()
    expect(complete(bash, work, ["fusec", "be"], 1), {"bench"})
    expect(complete(bash, work, ["fusec", "cache", "s"], 2), {"show", "stats"})
    expect(complete(bash, work, ["fusec", "run", "--dev"], 2), {"-o nospace", "--device="})
    expect(complete(bash, work, ["fusec", "run", "--device", "="], 3), {"cpu", "cuda", "auto"})
    expect(complete(bash, work, ["fusec", "run", "--device", "=", "c"], 4), {"cpu", "cuda"})
    expect(complete(bash, work, ["fusec", "run", "--device=cu"], 2), {"--device=cuda"})
    expect(complete(bash, work, ["fusec", "run", "-D", "N", "=", ""], 5), set())
    expect(complete(bash, work, ["fusec", "--emit", "k"], 2), {"kernel"})
    (work / "a folder").mkdir()
    (work / "a model.fx").touch()
    (work / "a text").touch()
    expect(complete(bash, work, ["fusec", "run", "a"], 2), {"-o filenames", "a folder", "a model.fx"})
    words = typed(bash, "fusec run --dev\tcu\ta\\ m\t--out=a\\ t\t", work)
    assert {"--device=cuda", "a model.fx", "--out=a text"} <= set(words), words
    for shell, script in (("zsh", "zsh/site-functions/_fusec"),
                          ("fish", "fish/vendor_completions.d/fusec.fish")):
        if shutil.which(shell):
            run(shell, "-n", share / script)
        else:
            assert "kernel" in (share / script).read_text()


def main():
    tests = {name.removeprefix("test_"): function for name, function in globals().items()
             if name.startswith("test_")}
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--sanitized", action="store_true")
    parser.add_argument("--only", choices=tests)
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        installed = Installed(options.build.resolve(), folder / "prefix", options.sanitized)
        chosen = [options.only] if options.only else tests
        for name in chosen:
            try:
                tests[name](installed, folder / name)
                print("pass", name)
            except AssertionError as error:
                failed += 1
                print("FAIL", name, error)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
