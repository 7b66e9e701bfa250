#!/usr/bin/env python3
"""fusec tune on the CPU: candidates with faults never win and are recorded, a tuner or a worker that is
killed loses little, several tuners at once, interrupts, decisions as a file.

    python3 tests/tune/tune.py FUSEC FAULTY [--only NAME]

FAULTY is fusec with tests/tune/faults.c in it.
"""
import argparse
import contextlib
import fcntl
import json
import os
import pathlib
import pty
import re
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import termios
import time

MODEL = "fn f[N, D](x: f32[N, D]) -> (y: f32[N, D]) { y = softmax(x, axis = -1); }\n"
# One kernel, of which nothing can be cut: its candidates are tiles only, and quickly compiled.
COLUMNS = "fn f[N, D](x: f32[N, D]) -> (y: f32[D]) { y = sum(x, axis = 0); }\n"
WAVES = "fn f[N](x: f32[N]) -> (y: f32[N]) { y = exp(x) * sin(x) + cos(x); }\n"
DIMS = ["-D", "N=64", "-D", "D=512"]
DEVICE = ["--device=cpu", "--threads=1"]


def search(effort="quick", budget="8s"):
    return [*DEVICE, f"--effort={effort}", f"--budget={budget}"]


class Place:
    """A folder with a model, a cache, and a folder for temporary files."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.scratch = self.folder / "scratch"
        self.scratch.mkdir()
        (self.folder / "m.fx").write_text(MODEL)
        (self.folder / "c.fx").write_text(COLUMNS)
        (self.folder / "w.fx").write_text(WAVES)

    def start(self, fusec, *words, fault="", stderr=subprocess.PIPE, **variables):
        env = dict(os.environ, TMPDIR=str(self.scratch), FUSEC_CACHE_DIR=str(self.folder / "cache"),
                   FUSEC_TUNE_FAULT=fault, **variables)
        return subprocess.Popen([fusec, *words], cwd=self.folder, env=env, text=True,
                                stdout=subprocess.PIPE, stderr=stderr)

    def run(self, fusec, *words, fault="", status=0):
        process = self.start(fusec, *words, fault=fault)
        out, err = process.communicate(timeout=300)
        assert process.returncode == status, f"{words}: status {process.returncode}: {err}"
        return out, err

    def run_on_terminal(self, fusec, *words, columns):
        """What it writes to standard output, and to a terminal."""
        ours, its = pty.openpty()
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("4H", 24, columns, 0, 0))
        process = self.start(fusec, *words, stderr=its)
        os.close(its)
        written = b""
        with contextlib.suppress(OSError):  # it is closed
            while True:
                written += os.read(ours, 1 << 16)
        os.close(ours)
        out, _ = process.communicate(timeout=300)
        assert process.returncode == 0, written
        return out, written.decode()

    def tune(self, fusec, *words, fault="", model="c.fx", **how):
        out, _ = self.run(fusec, "tune", model, *DIMS, *search(**how), "--json", *words, fault=fault)
        return json.loads(out)["functions"][0]

    def measured(self):
        """The number of trials in the cache that have a time."""
        path = self.folder / "cache" / "fusec.db"
        if not path.exists():
            return 0
        try:
            with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
                return db.execute("SELECT count(*) FROM trial WHERE median > 0").fetchone()[0]
        except sqlite3.Error:
            return 0  # it is being made

    def leftovers(self):
        return [path.name for path in self.scratch.iterdir()]


def outcomes(tuned):
    return [trial["outcome"] for trial in tuned["trials"]]


def faults(fusec, faulty, place):
    """Candidates with faults are recorded, the others go on, none of them wins or is tried again."""
    tuned = place.tune(faulty, effort="normal", budget="150s", fault="compile:2:crash run:3:hang "
                       "result:4:wrong result:5:overrun time:6:crash")
    found = outcomes(tuned)
    for outcome, least in (("compile", 1), ("timeout", 1), ("incorrect", 2), ("runtime", 1), ("ok", 1)):
        assert found.count(outcome) >= least, f"{outcome}: {found}"
    wrong = [trial["tile"] for trial in tuned["trials"] if trial["outcome"] != "ok"]
    assert tuned["kernels"][0]["tile"] not in wrong
    again = place.tune(fusec, "--resume")
    tried = [trial["tile"] for trial in again["trials"]]
    assert not set(wrong) & set(tried), f"tried again: {set(wrong) & set(tried)}"
    assert not place.leftovers(), place.leftovers()


def all_wrong(fusec, faulty, place):
    """The default wins."""
    tuned = place.tune(faulty, "--cache=off", budget="60s", fault="result:*:wrong")
    assert set(outcomes(tuned)) <= {"incorrect", "ok"} and "incorrect" in outcomes(tuned)
    kernel = tuned["kernels"][0]
    assert not tuned["kept"] and kernel["tile"] == kernel["default_tile"], tuned


def budget(fusec, faulty, place):
    """Compilers that take for ever do not prolong the search, whose budget is that of all functions."""
    (place.folder / "c.fx").write_text("".join(COLUMNS.replace("fn f", f"fn {name}") for name in "fgh"))
    out, _ = place.run(faulty, "tune", "c.fx", *DIMS, *search(budget="6s"), "--json",
                       "--cache=off", fault="compile:*:hang")
    every = json.loads(out)["functions"]
    assert sum(tuned["seconds"] for tuned in every) < 8.5, every
    assert len(every) == 3 and all(tuned["out_of_time"] for tuned in every), every
    assert not every[0]["kept"] and every[0]["default_us"] > 0, every
    assert not place.leftovers(), place.leftovers()


def taken_back(fusec, faulty, place):
    """Another partition seemed faster, and is not: the default one is what is told."""
    tuned = place.tune(faulty, "--cache=off", effort="normal", budget="60s", model="m.fx",
                       fault="timed:1:waver")
    partitions = [trial for trial in tuned["trials"] if trial["kernel"] == "partition"]
    assert len(partitions) == 2 and partitions[0]["median_us"] > partitions[1]["median_us"], partitions
    assert not tuned["kept"] and [kernel["name"] for kernel in tuned["kernels"]] == ["f_0"], tuned


def useless_cache(fusec, faulty, place):
    """It is told once, nothing is kept, and tiles are chosen all the same."""
    _, err = place.run(fusec, "tune", "c.fx", *DIMS, *search(budget="1s"), "--cache=/proc/x")
    assert err.count("remark: the cache /proc/x is not used") == 1, err


def large(fusec, faulty, place):
    """Too large for the evaluator: a wrong result differs from the default's, which is compared with
    the evaluator at a smaller size."""
    words = ["tune", "w.fx", "-D", "N=2000003", *search(), "--json", "--cache=off"]
    out, _ = place.run(faulty, *words, fault="result:2:wrong result:3:overrun")
    trials = json.loads(out)["functions"][0]["trials"]
    assert [t["outcome"] for t in trials].count("incorrect") == 2, trials
    assert all(t["error"] == -1 for t in trials), trials
    out, err = place.run(faulty, *words, fault="small:1:wrong", status=3)
    assert "f with default tiles: incorrect: y: wrong" in err, err


def partition(fusec, faulty, place):
    """Another partition was faster: later runs have it, with its tiles, from the cache."""
    tuned = place.tune(faulty, effort="normal", budget="60s", model="m.fx", fault="timed:1:slow")
    assert tuned["kept"] and [kernel["name"] for kernel in tuned["kernels"]] == ["f_0", "f_1"], tuned
    run = ["run", "m.fx", *DIMS, "--device=cpu", "--threads=1", "--check", "--trace", "t.json"]
    for words, kernels in (([], {"f_0", "f_1"}), (["--tuning=never"], {"f_0"})):
        place.run(fusec, *run, *words)
        events = json.loads((place.folder / "t.json").read_text())["traceEvents"]
        assert {event["name"] for event in events if "run" in event["args"]} == kernels, events
    out, _ = place.run(fusec, "cache", "export")
    assert re.search(r'"tile": "cut \S+ \S+"', out), out
    (place.folder / "choices.json").write_text(out)
    place.run(fusec, "cache", "import", "choices.json")
    why(fusec, place)


def why(fusec, place):
    """Of what was chosen for m.fx, and its code: what differs first from what is wanted."""
    def said(*options, threads=1, **variables):
        process = place.start(fusec, "cache", "why", "m.fx", "-D", "N=64", "--device=cpu",
                              f"--threads={threads}", *options, **variables)
        out, err = process.communicate()
        assert not process.returncode, err
        return out.replace("nothing was chosen; the nearest choice", "not in the cache; the nearest entry")

    it = "-DD=512"
    found = said(it)
    assert found.startswith("f: its code is in the cache\nf, partition: its choice is in the cache: cut "), found
    assert "\nf_0: its choice is in the cache: kind=loops" in found and "\nf_1: its choice" in found, found
    (place.folder / "cc").write_text("#!/bin/sh\n[ \"$1\" = --version ] && echo other 1 || exec cc \"$@\"\n")
    (place.folder / "cc").chmod(0o755)
    for options, variables, field in (
            (["-DD=256"], {}, "dim D\n  here   256\n  there  512"),
            ([it, "-O0"], {}, "the options\n  here   -O0\n  there  -O2"),
            ([it], {"CC": str(place.folder / "cc")}, "the version of the compiler\n  here   other 1")):
        out = said(*options, **variables)
        assert f"f, partition: not in the cache; the nearest entry differs in {field}" in out, out
        assert f"f_0: not in the cache; the nearest entry differs in {field}" in out, out
    out = said(it, threads=2)
    assert "f_0: not in the cache; the nearest entry differs in the number of threads\n  here   2" in out, out
    (place.folder / "m.fx").write_text(MODEL.replace("(x, axis", "(2 * x, axis"))
    assert said(it).count("the nearest entry differs in the text of the model") == 3, said(it)
    (place.folder / "m.fx").write_text("// a comment changes nothing\n" + MODEL)
    assert said(it) == found, said(it)


def workers(pid):
    """Of a tuner; it may have a compiler, too."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        with contextlib.suppress(OSError):
            if int(fields[1]) == pid and b"tune-worker" in (path.parent / "cmdline").read_bytes():
                found.append(int(path.parent.name))
    return found


def interrupt(fusec, faulty, place):
    """Ctrl-C: what was measured is told, the file is written, nothing is left behind."""
    process = place.start(fusec, "tune", "m.fx", *DIMS, "--device=cpu", "--threads=1",
                          "--effort=full", "--tune-lock", "d.lock", "--json")
    deadline = time.time() + 120
    while not place.measured() and time.time() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode in (-signal.SIGINT, 0), f"status {process.returncode}: {err}"
    assert json.loads(out)["functions"][0]["name"] == "f"
    assert (place.folder / "d.lock").read_text().count("\ntile ") == 1
    assert not place.leftovers(), place.leftovers()


def gone(pid):
    """It does not run any more; a zombie does not."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def kills(fusec, faulty, place):
    """The worker is killed at some moments, the tuner goes on; the tuner is killed, its workers end."""
    process = place.start(fusec, "tune", "m.fx", *DIMS, *search(), "--json")
    for _ in range(2):
        deadline = time.time() + 20
        while not workers(process.pid) and time.time() < deadline:
            time.sleep(0.05)
        time.sleep(0.4)
        for pid in workers(process.pid)[:1]:
            os.kill(pid, signal.SIGKILL)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0 and json.loads(out)["functions"], f"{process.returncode}: {err}"
    for delay in (0.2, 2):
        before = set(place.leftovers())  # of the one that was killed before
        process = place.start(fusec, "tune", "m.fx", *DIMS, *search("full"))
        while delay > 1 and not set(place.leftovers()) - before and process.poll() is None:
            time.sleep(0.05)
        time.sleep(0.3 if set(place.leftovers()) - before else delay)
        started = workers(process.pid)
        process.kill()
        process.communicate()
        deadline = time.time() + 10
        while not all(gone(pid) for pid in started) and time.time() < deadline:
            time.sleep(0.05)
        assert all(gone(pid) for pid in started), f"workers live on after {delay} s"
    assert place.leftovers(), "a tuner that is killed removes nothing"
    tuned = place.tune(fusec, "--resume")
    assert tuned["default_us"] > 0
    assert not place.leftovers(), place.leftovers()


def together(fusec, faulty, place):
    """Several tune the same model with one cache; afterwards it has a choice."""
    every = [place.start(fusec, "tune", "m.fx", *DIMS, *search(budget="1s")) for _ in range(8)]
    for process in every:
        _, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
    place.run(fusec, "run", "m.fx", *DIMS, "--device=cpu", "--threads=1", "--check")


def imported(fusec, faulty, place):
    """A choice of another machine is tried before it is used; then there is one of this machine. One
    that is pinned is that one, also if others are faster."""
    first = place.tune(fusec)
    place.run(fusec, "cache", "export", "-o", "all.json")
    text = json.loads((place.folder / "all.json").read_text())
    choice = text["choices"][0]
    choice["tile"] = next(trial["tile"] for trial in first["trials"] if trial["tile"] != choice["tile"])
    choice["pinned"] = True
    (place.folder / "all.json").write_text(json.dumps(text))
    place.run(fusec, "cache", "clear")
    place.run(fusec, "cache", "import", "all.json")
    out, _ = place.run(fusec, "cache", "why", "c.fx", *DIMS, *DEVICE)
    assert f"f_0: its choice was imported and not verified here" in out, out
    tuned = place.tune(fusec)
    assert choice["tile"] in [trial["tile"] for trial in tuned["trials"]], tuned["trials"]
    out, _ = place.run(fusec, "cache", "export")
    assert len(json.loads(out)["choices"]) == 1
    out, _ = place.run(fusec, "cache", "ls", "--json")
    found = [e for e in json.loads(out)["entries"] if e.get("choice")]
    assert len(found) == 1 and not found[0]["choice"]["imported"], found
    assert found[0]["choice"]["pinned"] and found[0]["choice"]["tile"] == choice["tile"], found


def lock(fusec, faulty, place):
    """Decisions as a file: written, used without measuring, refused with their place."""
    words = ["tune", "m.fx", *DIMS, *search(), "--tune-lock"]
    _, err = place.run(fusec, *words, "no/d.lock", status=3)  # at once
    assert err == "fusec: error: --tune-lock no/d.lock cannot be written: no: No such file or directory\n", err
    words.append("d.lock")
    out, live = place.run_on_terminal(fusec, *words, columns=70)
    assert re.search(r"^f N=64 D=512 on .*\n.*\n  f_0 +[0-9.]+ +[0-9.]+ +[0-9.]+ +100%  [0-9] tried", out), out
    lines = live.split("\r\033[K")
    assert lines[-1] == "" and "\n" not in live and max(map(len, lines)) < 70, live
    assert lines[2:3] == ["fusec: compiling, checking and timing the default tiles"], live
    assert re.search(r"fusec: f_0 \(1 of 1\): [2-5] of 5 tried, best [0-9.]+ us, [0-9.]+ times", lines[-2]), live
    text = (place.folder / "d.lock").read_text()
    place.run(fusec, "m.fx", *DIMS, "--target=c", "-o", "one.c", "--tune-lock", "d.lock")
    place.run(fusec, "run", "m.fx", *DIMS, "--device=cpu", "--check", "--tune-lock", "d.lock")
    other = re.sub(r"keep=\w+", "keep=nothing", text)
    (place.folder / "e.lock").write_text(other)
    place.run(fusec, "m.fx", *DIMS, "--target=c", "-o", "two.c", "--tune-lock", "e.lock")
    assert (place.folder / "one.c").read_text() != (place.folder / "two.c").read_text()
    for old, new, message in (
            ("tile f_0", "tile g_0", "d.lock:9:1: error: there is no kernel 'g_0'"),
            ("tile f_0", "tile f_0:2", "d.lock:9:1: error: there is no kernel 'f_0' with a part 2"),
            ("prefetch=", "prefetch=x", "d.lock:9:1: error: prefetch wants a number"),
            ("unroll=", "unroll=7", "d.lock:9:1: error: kernel 'f_0' cannot have the tile"),
            ("numeric ieee", "numeric tf32", "d.lock:7:1: error: function 'f' computes in another"),
            ("dims N", "size 7\ndims N", "d.lock:8:1: error: a size is '108 multiprocessors, 40 MiB"),
            ("target c", "target cuda sm_80", "d.lock:6:1: error: there are no decisions for target c"),
            ("tile f_0", "tiel f_0", "d.lock:9:1: error: a tune lock has no 'tiel'"),
            ("tile f_0", "cut x z\n#", "d.lock:9:1: error: f computes no value 'z'"),
            ("tile f_0", "fuse x\n#", "d.lock:9:1: error: a pair is 'fuse VALUE VALUE'"),
            ("function f", "function g", "d.lock:7:1: error: there is no function 'g' here"),
            ("lock 1", "lock 2", "d.lock:3:1: error: this is no tune lock of version 1")):
        assert old in text, old
        (place.folder / "d.lock").write_text(text.replace(old, new, 1))
        _, err = place.run(fusec, "m.fx", *DIMS, "--target=c", "--tune-lock", "d.lock", status=1)
        assert message in err, f"{new}: {err}"


def told_once(fusec, faulty, place):
    """Warnings; and that a dim is missing, before anything is measured."""
    (place.folder / "c.fx").write_text(COLUMNS.replace("{ y", "{ unused = 1; y"))
    _, err = place.run(fusec, "tune", "c.fx", *DIMS, *search())
    assert err.count("never used") == 1, err
    _, err = place.run(fusec, "tune", "c.fx", "-D", "N=64", "--device=cpu", status=1)
    assert err == "fusec: error: the size of D is not known: give it a value, as in -D D=64\n", err


def split(fusec, faulty, place):
    """Numbers of parts of split-K, of a file: legal ones are followed."""
    lock = "fusec-tune-lock 1\nfunction f\ntarget cuda sm_90a\nnumeric ieee\nsplit %3:matmul {}\n"
    text = "fn f[M, N, K](x: bf16[M, K], w: bf16[N, K]) -> (y: bf16[M, N]) { y = x @ w.T; }\n"
    (place.folder / "s.fx").write_text(text)
    words = ["s.fx", "-D", "M=16", "-D", "N=4096", "-D", "K=4096", "--target=cuda", "--arch=sm_90a",
             "--emit=plan", "--tune-lock", "s.lock"]

    def plan(parts, status=0):
        (place.folder / "s.lock").write_text(lock.format(parts))
        return "".join(place.run(fusec, *words, status=status))
    assert "kernel f_1" not in plan(1) and "over [4, 16, 4096]" in plan(4)
    assert plan(5).count(" matmul f32[") == 2  # of five parts, and of what they leave
    assert "s.lock:5:1: error: the sums of '%3:matmul' cannot be split into 17 parts" in plan(17, 1)
    assert "s.lock:5:1: error: a split is 'split VALUE PARTS'" in plan("4x", 1)
    (place.folder / "s.fx").write_text(text.replace("y = x", "y = (2 * x)"))
    assert "s.lock:5:1: error: f has no product '%3:matmul' whose sums" in plan(4, 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fusec")
    parser.add_argument("faulty")
    parser.add_argument("--only", help="the name of a test")
    options = parser.parse_args()
    programs = [str(pathlib.Path(path).resolve()) for path in (options.fusec, options.faulty)]
    failed = 0
    for test in (lock, told_once, split, faults, all_wrong, budget, taken_back, partition, useless_cache, large,
                 imported, interrupt, kills, together):
        if options.only not in (None, test.__name__):
            continue
        with tempfile.TemporaryDirectory() as folder:
            start = time.time()
            try:
                test(*programs, Place(folder))
                print(f"{test.__name__}: ok, {time.time() - start:.1f} s", flush=True)
            except AssertionError as error:
                failed += 1
                print(f"FAIL {test.__name__}: {error}", flush=True)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
