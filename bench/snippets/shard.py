"""A share of the cases on one GPU, for survey.py, whose wishes are on the command line: compiles them, says so, and
times them when a line comes from standard input. Prints a line of JSON for each.
"""
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
from peers import Peers  # noqa: E402

torch_peers.WARM_SECONDS, torch_peers.ROUND_SECONDS = 0.02, 0.06
MOST_SETS = 32


def first_line(error):
    return f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[0][:200]}"


class Row:
    def __init__(self, o, case, sizes):
        self.fusec, self.case, self.sizes, self.dims = o["fusec"], case, sizes, dims_of(sizes)
        self.signature = inputs.Signature(self.fusec, case, self.dims)
        self.peers = Peers(case, self.dims, self.signature.names(), "cuda", o["compile"])
        self.errors, self.failed = [], set()

    def bench(self, rounds):
        us, found = random_shapes.fusec_time(
            self.fusec, self.case.path, "--device=cuda", "--tuning=never", "-Werror", f"--repeat={rounds}",
            *self.case.options(self.dims), *self.signature.ranges())
        if us is None:
            self.errors.append(f"fusec: {found}")
        return us, found

    def attempt(self, name, work):
        """None where it fails: a library that does not take these, or lacks memory."""
        try:
            with torch.no_grad():
                return work()
        except Exception as error:
            self.failed.add(name)
            self.errors.append(f"{name}: {first_line(error)}")
        finally:
            torch.cuda.empty_cache()

    def compile(self):
        """All that compiles at its first call."""
        self.bench(1)
        given = self.signature.tensors("cuda", torch.Generator("cuda"))
        for name in self.peers.ways:
            self.attempt(name, self.peers.prepare(name, given))
        torch.cuda.synchronize()

    def time(self):
        us, kernels = self.bench(10)
        sets = inputs.sets_of(self.signature, "cuda", torch_peers.Clock("cuda").cache(), MOST_SETS)
        times = {name: self.attempt(name, lambda name=name: self.time_way(name, sets))
                 for name in self.peers.ways if name not in self.failed}
        return {"name": self.case.name, "sizes": self.sizes, "fusec": us, "kernels": len(kernels) if us else 0,
                "stored": self.signature.bytes(), "times": {name: t for name, t in times.items() if t},
                "errors": self.errors}

    def time_way(self, name, sets):
        with torch.cuda.stream(torch.cuda.Stream()):
            replay = graphed_apart(torch, [self.peers.prepare(name, given) for given in sets])
            return torch_peers.measure(torch_peers.Clock("cuda"), replay, [()])[0] / len(sets)


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
            rows.append(Row(o, case, sizes))
            rows[-1].compile()
    print(json.dumps({"about": f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}"}), flush=True)
    sys.stdin.readline()
    for row in rows:
        print(json.dumps(row.time()), flush=True)


if __name__ == "__main__":
    main()
