"""The ways that PyTorch has to do a case's work.

`NAME(d, *inputs)` of the module of its topic is the formula, of sizes d.N, d.K, ..; of a derivative it is the
forward pass, of the inputs alone. `NAME__WAY` is another way to the same result; what it is, if it is no
function as the formula is, a decorator below says.
"""
import functools
import importlib
import types

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

BACKENDS = {"flash": SDPBackend.FLASH_ATTENTION, "cudnn": SDPBackend.CUDNN_ATTENTION,
            "efficient": SDPBackend.EFFICIENT_ATTENTION}


def of_gpu(function):
    """It does not run on a CPU."""
    function.needs_gpu = True
    return function


def prepared(make):
    """make(d, *inputs) gives a function without arguments: what comes before is not timed."""
    make.kind = "prepared"
    return make


def made_once(make):
    """make(d, device) gives a function of the inputs, which is compiled at its first call, on a GPU."""
    make.kind = "made once"
    return of_gpu(make)


def backends(function):
    """It calls scaled_dot_product_attention: a way for each of its backends, on a GPU."""
    function.kind = "backends"
    return of_gpu(function)


def with_backend(function, backend):
    def run(*inputs):
        with sdpa_kernel(backend):
            return function(*inputs)
    return run


class Gradient:
    """What `kind` (vjp or value_and_grad) gives of a forward pass: (loss,) and a gradient of each input named in
    `wrt`, or of each float."""
    def __init__(self, kind, wrt, names):
        self.is_loss, self.wrt, self.names = kind == "value_and_grad", wrt, names

    def of(self, forward):
        def run(*given):
            count = len(given) if self.is_loss else len(given) - 1
            inputs, cotangents = [t.detach() for t in given[:count]], list(given[count:])
            by = [t for name, t in zip(self.names, inputs)
                  if (name in self.wrt if self.wrt else t.is_floating_point())]
            for t in by:
                t.requires_grad_()
            with torch.enable_grad():
                y = forward(*inputs)
            found = torch.autograd.grad(y, by, cotangents or None)
            return (y.detach(), *found) if self.is_loss else found
        return run


class Peers:
    """prepare(name, inputs) gives a call without arguments for each name of `ways`."""
    def __init__(self, case, dims, names, device, is_compiled):
        module = importlib.import_module(case.topic)
        self.d, self.device, self.ways = types.SimpleNamespace(**dims), device, {}
        derivative = case.derivative()
        self.gradient = Gradient(*derivative, names) if derivative else None
        formula = getattr(module, case.name)
        self.add("eager", formula)
        if is_compiled and case.is_compiled:
            self.add("compile", torch.compile(formula, dynamic=False))
        for name, function in vars(module).items():
            if name.startswith(case.name + "__"):
                self.add(name.split("__")[1].replace("_", " "), function)

    def add(self, name, function):
        kind = getattr(function, "kind", "")
        if self.device == "cpu" and getattr(function, "needs_gpu", False):
            return
        if kind == "prepared":
            self.ways[name] = function, True
        elif kind == "made once":
            self.ways[name] = function(self.d, self.device), False
        else:
            run = functools.partial(function, self.d)
            run = self.gradient.of(run) if self.gradient else run
            if kind == "backends":
                self.ways.update({b: (with_backend(run, backend), False) for b, backend in BACKENDS.items()})
            else:
                self.ways[name] = run, False

    def prepare(self, name, inputs):
        function, is_prepared = self.ways[name]
        return function(self.d, *inputs) if is_prepared else functools.partial(function, *inputs)
