"""The clock of the GPU's stream, for the scripts beside this one."""


def seconds_of(torch, call, count=1):
    """Of one call, on average over `count` in a row, between two events of the current stream."""
    start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    for _ in range(count):
        call()
    stop.record()
    stop.synchronize()
    return 1e-3 * start.elapsed_time(stop) / count
