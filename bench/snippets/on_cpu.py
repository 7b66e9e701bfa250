"""The cases on a CPU, for survey.py: times, and whether PyTorch's results are those of fusec."""
import functools
import pathlib
import subprocess
import sys
import tempfile
import time

import cpu_torch
import inputs
import torch
from cases import dims_of
from own import Own
from peers import Peers

SECONDS = 0.7  # of the calls of a row
ROUNDED = ("bf16", "f16", "f8e4m3")


def about(o):
    threads = "1 thread" if o.threads == 1 else f"{o.threads} threads"
    return f"{cpu_torch.processor()}, {threads}, PyTorch {torch.__version__}"


# ---- times ----------------------------------------------------------------------------------------

def calls_of(o, case, signature, own, sets):
    """By way: a call for each set. Those that do not take these are left out."""
    peers = Peers(case, signature.dims, signature.names(), "cpu", o.compile)
    prepare = {"fusec": own.prepare, **{name: functools.partial(peers.prepare, name) for name in peers.ways}}
    calls = {}
    for name, make in prepare.items():
        try:
            make(sets[0])()
            calls[name] = [make(given) for given in sets]
        except Exception as error:
            print(f"{case.name}, {name}: {str(error).strip().splitlines()[0][:200]}", file=sys.stderr)
    return calls


def time_row(o, case, sizes):
    signature = inputs.Signature(o.fusec, case, dims_of(sizes))
    own = Own(o.fusec, case, signature.dims, "cpu", o.threads)
    sets = inputs.sets_of(signature, "cpu", cpu_torch.ROTATED // 2, cpu_torch.MOST_SETS)
    with torch.no_grad():
        arms = {name: lambda i, ready=ready: ready[i]()
                for name, ready in calls_of(o, case, signature, own, sets).items()}
        times = cpu_torch.in_turn(arms, [(i,) for i in range(len(sets))], SECONDS, o.threads)
    least = {name: 1e6 * min(t) for name, t in times.items()}
    return {"fusec": least.pop("fusec", None), "kernels": own.kernels(), "stored": signature.bytes(),
            "times": least}


def time_rows(o, rows):
    torch.set_num_threads(o.threads)
    cpu_torch.keep_pages()
    end = time.monotonic() + o.seconds
    for case, sizes in rows:
        if time.monotonic() < end:
            torch._dynamo.reset()
            yield case, sizes, time_row(o, case, sizes)


# ---- results --------------------------------------------------------------------------------------

class Results:
    """Of fusec and of PyTorch, at the case's small sizes, in a folder of files."""
    def __init__(self, fusec, case, folder):
        self.case, self.signature = case, inputs.Signature(fusec, case, dims_of(case.small))
        self.command = [fusec, "run", case.path, "--device=cpu", "--threads=1", "-Werror",
                        *case.options(self.signature.dims), *self.signature.ranges()]
        self.given, self.made = pathlib.Path(folder, "in.safetensors"), pathlib.Path(folder, "out.safetensors")

    def run(self, *options):
        run = subprocess.run([*self.command, *options], capture_output=True, text=True)
        if run.returncode:
            raise RuntimeError(run.stdout + run.stderr)

    def fusec(self):
        """(inputs, outputs) of a run that agrees with the evaluator."""
        self.run(f"--save-in={self.given}")
        self.run(f"--in={self.given}", f"--out={self.made}", "--check")
        given, made = inputs.read(self.given), inputs.read(self.made)
        return [given[name] for name in self.signature.names()], [made[name] for name, _, _ in self.signature.outputs]

    def tolerance(self):
        is_rounded = any(dtype in ROUNDED for _, dtype, _ in self.signature.inputs + self.signature.outputs)
        return 1e-2 if is_rounded else 1e-5

    def difference(self, mine, other):
        """Relative to the norm; of random numbers there is none but of shapes."""
        other = [other] if torch.is_tensor(other) else list(other)
        if [t.shape for t in mine] != [t.shape for t in other]:
            return float("inf")
        return 0.0 if self.case.is_random else cpu_torch.difference(tuple(mine), tuple(other))

    def compare(self):
        """(way, difference) of each."""
        given, mine = self.fusec()
        peers = Peers(self.case, self.signature.dims, self.signature.names(), "cpu", False)
        with torch.no_grad():
            for name in peers.ways:
                yield name, self.difference(mine, peers.prepare(name, [t.clone() for t in given])())


def check(o, rows):
    """The exit status."""
    torch.set_num_threads(1)
    wrong = 0
    for case in {case.name: case for case, _ in rows}.values():
        with tempfile.TemporaryDirectory() as folder:
            results = Results(o.fusec, case, folder)
            try:
                found = dict(results.compare())
            except Exception as error:
                found = {str(error).strip(): float("inf")}
            is_wrong = not all(difference <= results.tolerance() for difference in found.values())
        wrong += is_wrong
        words = ", ".join(f"{name} {difference:.0e}" for name, difference in found.items())
        print(f"{'FAIL' if is_wrong else 'ok'} {case.name}: {words}", flush=True)
    print(f"{wrong} differ")
    return wrong > 0
