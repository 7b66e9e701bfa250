#!/usr/bin/env python3
"""Whole transformer blocks that fusec emits, on a GPU, beside PyTorch, eager and compiled, in the
same run.

    python3 bench/gpu_blocks.py build FUSEC FOLDER     emits and compiles; needs nvcc, no GPU
    python3 bench/gpu_blocks.py run FOLDER [MODE]      measures; needs a GPU and PyTorch

MODE: of torch.compile, such as max-autotune-no-cudagraphs. The blocks are those of
bench/gpu/workloads.py. Each is compared with PyTorch in f32. Arms take turns, ROUNDS times, with
calls for 6 ms or more between two events; then the kernels of a call, by torch.profiler.
"""
import pathlib
import statistics
import sys

from gpu_clock import seconds_of
from gpu_emitted import Emitted, build

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent / "gpu")]
from workloads import WORKLOADS  # noqa: E402

BLOCKS = [w for w in WORKLOADS if " block " in w.name]
ROUNDS, ROUND, PROFILED = 9, 6e-3, 8  # ROUND: seconds


def file_of(workload):
    return f"block_{WORKLOADS.index(workload)}"


def kernels(torch, call):
    """Microseconds of each kernel of a call, by name."""
    from torch.profiler import ProfilerActivity, profile
    with profile(activities=[ProfilerActivity.CUDA]) as made:
        for _ in range(PROFILED):
            call()
        torch.cuda.synchronize()
    times = {}
    for e in made.events():
        if e.device_type == torch.autograd.DeviceType.CUDA:
            times[e.name] = times.get(e.name, 0) + e.time_range.elapsed_us() / PROFILED
    return times


def measure(torch, folder, workload, mode):
    import torch_blocks
    from torch_peers import Maker
    dims = {"F_" if name == "F" else name: n for name, n in workload.large.items()}
    inputs, function = getattr(torch_blocks, workload.peer)(Maker("cuda"), **dims)
    ours = Emitted(torch, folder, file_of(workload), workload.path.stem)
    types = {"bf16": torch.bfloat16, "f32": torch.float32}
    given = [t.to(types[a.dtype]) for t, a in zip(inputs, ours.arguments)]
    arms = {"fusec": lambda: ours(*given)[0], "eager": lambda: function(*inputs)}
    want = function(*(t.float() for t in inputs))
    for name, arm in arms.items():
        error = ((arm() - want).square().mean() / want.square().mean()).sqrt()
        print(f"{workload.name}: {name}: relative error {error.item():.2e}")
    torch._dynamo.reset()
    compiled = torch.compile(function, mode=mode, dynamic=False)
    arms["torch.compile"] = lambda: compiled(*inputs)
    times = {name: [] for name in arms}
    for arm in arms.values():
        arm(), arm()
    count = max(6, int(ROUND / seconds_of(torch, arms["fusec"], 2)))
    for _ in range(ROUNDS):
        for name, arm in arms.items():
            times[name].append(1e6 * seconds_of(torch, arm, count))
    for name, arm in arms.items():
        each = kernels(torch, arm)
        print(f"{workload.name}: {name}: {statistics.median(times[name]):.0f} us; "
              f"kernels {sum(each.values()):.0f}")
        for kernel, us in each.items():
            print(f"    {us:8.1f} {kernel[:80]}")


def main():
    if sys.argv[1] == "build":
        for workload in BLOCKS:
            build(sys.argv[2], pathlib.Path(sys.argv[3]), file_of(workload),
                  workload.path.read_text(), workload.large)
        return
    import torch
    torch.manual_seed(1)
    with torch.no_grad():
        for workload in BLOCKS:
            measure(torch, pathlib.Path(sys.argv[2]), workload, (sys.argv[3:] or [None])[0])


if __name__ == "__main__":
    main()
