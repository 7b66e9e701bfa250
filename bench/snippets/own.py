"""The function of a case that fusec compiles, called in this process."""
import json
import pathlib

import cpu_torch


def is_library_beside(command):
    return pathlib.Path(command).with_name("libfusec.so.0").exists()


class Own:
    """command: of fusec, with libfusec.so beside it."""
    def __init__(self, command, case, dims, device, threads=1):
        package = cpu_torch.load_fusec(pathlib.Path(command).parent)
        self.device = device
        self.function = package.load(case.path, threads=threads, policy="exact", **dims)[case.function]

    def prepare(self, inputs):
        return lambda: self.function(*inputs)

    def kernels(self):
        plan = json.loads(self.function.text("plan_json", self.device))
        return len(plan["functions"][0]["kernels"])
