"""The clock of the GPU's stream, and calls without a host, for the scripts beside this one."""


def seconds_of(torch, call, count=1):
    """Of one call, on average over `count` in a row, between two events of the current stream."""
    start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    for _ in range(count):
        call()
    stop.record()
    stop.synchronize()
    return 1e-3 * start.elapsed_time(stop) / count


def graphed(torch, call):
    """A replay of the call as a CUDA graph, captured in the current stream, which is not the default one."""
    graph = torch.cuda.CUDAGraph()
    call()
    with torch.cuda.graph(graph, stream=torch.cuda.current_stream()):
        call()
    return graph.replay


def graphed_apart(torch, calls):
    """A replay of several calls, whose results do not share memory, as `graphed`."""
    kept = []

    def run():
        kept[:] = [call() for call in calls]
    torch.cuda.synchronize()  # what they read may come from another stream
    replay = graphed(torch, run)
    return lambda kept=kept: replay()
