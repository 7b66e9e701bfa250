"""A share of the cases on one GPU, for survey.py, whose wishes are on the command line: compiles them, says so, and
times them when a line comes from standard input. Prints a line of JSON for each.
"""
import functools
import json
import os
import re
import sys
import time

os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
import inputs  # noqa: E402
import random_shapes  # noqa: E402
import torch  # noqa: E402
import torch_peers  # noqa: E402
from cases import CASES, dims_of  # noqa: E402
from gpu_clock import graphed_apart  # noqa: E402
from own import Own, is_library_beside  # noqa: E402
from peers import Peers  # noqa: E402

torch_peers.WARM_SECONDS, torch_peers.ROUND_SECONDS = 0.02, 0.06
MOST_SETS = 32


def first_line(error):
    return f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[0][:200]}"


class Row:
    def __init__(self, o, case, sizes):
        dims = dims_of(sizes)
        self.case, self.sizes, self.signature = case, sizes, inputs.Signature(o["fusec"], case, dims)
        self.fusec, self.own = o["fusec"], None
        peers = Peers(case, dims, self.signature.names(), "cuda", o["compile"])
        self.prepare = {name: functools.partial(peers.prepare, name) for name in peers.ways}
        if is_library_beside(self.fusec):
            self.own = Own(self.fusec, case, dims, "cuda")
            self.prepare["fusec"] = self.own.prepare
        self.errors = []

    def bench(self, rounds):
        """(microseconds, number of kernels) by the command, which makes its inputs on the host."""
        us, kernels = random_shapes.fusec_time(
            self.fusec, self.case.path, "--device=cuda", "--tuning=never", "-Werror", f"--repeat={rounds}",
            *self.case.options(self.signature.dims), *self.signature.ranges())
        if us is None:
            self.errors.append(f"fusec: {kernels}")
        return us, len(kernels) if us else 0

    def attempt(self, name, work):
        """None where it fails: a library that does not take these, or lacks memory."""
        try:
            with torch.no_grad():
                return work()
        except Exception as error:
            self.errors.append(f"{name}: {first_line(error)}")
            del self.prepare[name]

    def compile(self):
        """All that compiles at its first call."""
        if not self.own:
            self.bench(1)
        given = self.signature.tensors("cuda", torch.Generator("cuda"))
        for name, prepare in list(self.prepare.items()):
            self.attempt(name, lambda prepare=prepare: prepare(given)())
        torch.cuda.synchronize()

    def time(self):
        sets = inputs.sets_of(self.signature, "cuda", torch_peers.Clock("cuda").cache(), MOST_SETS)
        found = {name: self.attempt(name, lambda prepare=prepare: time_way(prepare, sets))
                 for name, prepare in list(self.prepare.items())}
        times = {name: us for name, us in found.items() if us}
        us, kernels = (times.pop("fusec", None), self.own.kernels()) if self.own else self.bench(10)
        return {"name": self.case.name, "sizes": self.sizes, "fusec": us, "times": times, "kernels": kernels,
                "stored": self.signature.bytes(), "errors": self.errors}


def time_way(prepare, sets):
    """Microseconds of a call, in a CUDA graph of one with each set."""
    with torch.cuda.stream(torch.cuda.Stream()):
        replay = graphed_apart(torch, [prepare(given) for given in sets])
        return torch_peers.measure(torch_peers.Clock("cuda"), replay, [()])[0] / len(sets)


def compiled(o, case, sizes):
    row = Row(o, case, sizes)
    row.compile()
    return row


def reported(case, sizes, work):
    """[what it gives], or nothing where it fails."""
    try:
        return [work()]
    except Exception as error:
        print(f"{case.name} {sizes}: {first_line(error)}", file=sys.stderr, flush=True)
        return []
    finally:
        torch.cuda.empty_cache()


def main():
    o, begun = json.loads(sys.argv[1]), time.monotonic()
    torch.set_num_threads(1)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    wanted = [(case, sizes) for case in CASES for sizes in case.gpu
              if re.search(o["only"], f"{case.name} {sizes}")]
    rows = []
    for case, sizes in wanted[o["shard"]::o["shards"]]:
        if time.monotonic() < begun + o["seconds"]:
            rows += reported(case, sizes, lambda case=case, sizes=sizes: compiled(o, case, sizes))
    print(json.dumps({"about": f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}"}), flush=True)
    sys.stdin.readline()
    for row in rows:
        for found in reported(row.case, row.sizes, row.time):
            print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
