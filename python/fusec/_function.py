"""Functions of models."""

import collections
import dataclasses
import difflib
import inspect
import keyword
import operator
import threading
from ctypes import POINTER, byref, c_char_p, c_int64, c_void_p, pointer
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple, Union

from . import _library as library
from ._errors import ArgumentError, check, text_of
from ._library import DLTensor, Handle, lib
from ._tensors import (Borrowed, address_function, conversion, current_stream, empty, signature,
                       workspace_for)

if TYPE_CHECKING:
    from ._model import Model

TEXTS = {"source": 0, "plan_json": 1, "plan": 2, "explain": 3, "graph": 4}
CALLS_KEPT = 256  # signatures of a function's calls


@dataclasses.dataclass(frozen=True)
class Argument:
    """An input or an output. The shape holds expressions of the dims: ("N", "8*D")."""
    name: str
    type: str
    shape: Tuple[str, ...]
    is_output: bool
    is_constant: bool
    is_consumed: bool
    dl_type: library.DLDataType = dataclasses.field(repr=False, compare=False)


class _Call:
    """A call whose inputs all have the types, shapes, strides and devices of an earlier one: what is
    left is where they are. One thread uses it at a time."""

    def __init__(self, here, options, workspace, given, results, made_of, device):
        """workspace: of `options`; given: the inputs, with None for bound constants, as (tensor, its
        description) or None; results: (type, tensor, description) of each output."""
        self.here, self.options, self.workspace = here, options, workspace
        self.made_of, self.device = made_of, device
        copies = [g and _copy(g[1]) for g in given]
        self.inputs = [(address_function(g[0]), c) for g, c in zip(given, copies) if g]
        self.outputs = [(tuple(value.shape), type_name, address_function(value), _copy(described))
                        for type_name, value, described in results]
        copies += [copy for *_, copy in self.outputs]
        self.count = len(copies)
        self.pointers = (POINTER(DLTensor) * self.count)(*(c and pointer(c) for c in copies))

    def __call__(self, values, results):
        """results: none, or all, as in the earlier call."""
        for (address, described), value in zip(self.inputs, values):
            described.data = address(value)
        results = results or [empty(self.made_of, shape, type_name, self.device)
                              for shape, type_name, *_ in self.outputs]
        for (*_, address, described), result in zip(self.outputs, results):
            described.data = address(result)
        self.options.stream = current_stream(self.made_of, self.device)
        _call(self.here, self.pointers, self.count, self.options, self.workspace)
        return results


def _call(here, pointers, count, options, workspace):
    status = lib.call(here.pointer, pointers, count, byref(options))
    if workspace:
        workspace.give_back()
    check(status)


def _copy(borrowed):
    """Of a description, without its memory: shape and strides are its own."""
    from_, rank = borrowed.pointer.contents, borrowed.pointer.contents.ndim
    copy = DLTensor.from_buffer_copy(from_)
    copy.byte_offset = 0  # `data` becomes the address of the first element
    copy.shape = (c_int64 * rank)(*from_.shape[:rank])
    if from_.strides:
        copy.strides = (c_int64 * rank)(*from_.strides[:rank])
    return copy


class Function:
    """A function of a model. Calling it with inputs returns its outputs: one tensor, or a named tuple.

    Inputs may be passed by name. `out=` takes tensors for the outputs, in their order. Dims that no
    input's shape determines are passed by name: `f(x, K=4)`. The first call with new sizes may compile."""

    def __init__(self, model: "Model", name: str):
        self._model, self.name = model, name
        self.__name__ = name
        self._on: Dict[Tuple[str, int], Handle] = {}
        self._lock = threading.Lock()
        self._bound = set()  # names of constants, each with the device that it is bound on
        self._bound_by = None  # the library of the last one
        self._told: Dict[str, int] = {}  # dims, by the shapes of bound constants
        self._calls: Dict[tuple, List[_Call]] = {}  # those that no thread uses, by their signature
        self._captured: List[Any] = []  # workspaces of CuPy's graphs
        here = self._created(("cpu", 0))
        self.arguments: List[Argument] = [self._argument(here, i) for i in
                                          range(lib.function_argument_count(here.pointer))]
        dims = [self._dim(here, i) for i in range(lib.function_dim_count(here.pointer))]
        self.dims: List[str] = [name for name, _ in dims]
        self._parameters = [name for name, is_parameter in dims if is_parameter]
        self.inputs = [a for a in self.arguments if not a.is_output]
        self.outputs = [a for a in self.arguments if a.is_output]
        self._result = collections.namedtuple(f"{name}_outputs", [a.name for a in self.outputs],
                                              rename=True)
        self._wanted = [a for a in self.inputs if not a.is_constant]
        self._consumed = [i for i, a in enumerate(self._wanted) if a.is_consumed]
        if not any(keyword.iskeyword(a.name) for a in self._wanted):
            self.__signature__ = inspect.Signature(
                [inspect.Parameter(a.name, inspect.Parameter.POSITIONAL_OR_KEYWORD)
                 for a in self._wanted])

    # ---- what it is ----

    def __repr__(self):
        def row(arguments):
            return ", ".join(f"{a.name}: {a.type}[{', '.join(a.shape)}]" if a.shape else
                             f"{a.name}: {a.type}" for a in arguments)
        return f"<fusec function {self.name}({row(self.inputs)}) -> ({row(self.outputs)})>"

    def text(self, kind: str = "source", device: str = "cpu") -> str:
        """Its "source", "plan", "plan_json", "explain" or "graph", with open dims, for a device."""
        if kind not in TEXTS:
            raise ValueError(f"a text is one of {', '.join(TEXTS)}, not {kind!r}")
        text = c_char_p()
        check(lib.function_text(self._created(device_of(device)).pointer, TEXTS[kind], byref(text)))
        return text_of(text.value)

    def work(self, /, **dims: int) -> Tuple[int, int]:
        """Bytes that its kernels move, and operations that they compute, with these dims."""
        moved, operations = c_int64(), c_int64()
        check(lib.function_work(self._created(("cpu", 0)).pointer, self._all_values(dims),
                                byref(moved), byref(operations)))
        return moved.value, operations.value

    def stats(self, device: str = "cpu") -> Dict[str, Any]:
        """Calls, compilations and compiled variants so far; `misses` is 0, because calls compile."""
        record = library.Stats()
        check(lib.function_stats(self._created(device_of(device)).pointer, byref(record)))
        values = {name: getattr(record, name) for name, _ in record._fields_[1:]}
        values["last_miss"] = text_of(values["last_miss"])
        return values

    # ---- what it does ----

    def bind(self, /, **constants: Any) -> None:
        """Binds @constant inputs to tensors, for calls on the device of these. To be called before the
        first call; the tensors must not change."""
        kinds = {a.name: a for a in self.inputs if a.is_constant}
        self._check_names(constants, "constant", list(kinds))
        for name, value in constants.items():
            self._bind(kinds[name], Borrowed(value, kinds[name]))

    def prepare(self, device: str = "cpu", /, **dims: int) -> None:
        """Compiles for these dims, so that the first call need not: `f.prepare("cuda", N=8)`."""
        on = device_of(device)
        self._check_bound(on)
        options = library.PrepareOptions(stream=current_stream(self._bound_by, on),
                                         no_workspaces=on[0] == "cuda")
        check(lib.prepare(self._created(on).pointer, self._all_values(dims), byref(options), None))

    def __call__(self, /, *inputs: Any, out: Optional[Union[Any, Tuple[Any, ...]]] = None,
                 **named: Any) -> Any:
        several = () if out is None else out if isinstance(out, (tuple, list)) else (out,)
        written = (*several, *(inputs[i] for i in self._consumed if i < len(inputs)))
        key = None if named else signature(inputs, several, written)
        try:
            call = self._calls[key].pop()
        except (KeyError, IndexError):
            return self._first_call(inputs, out, named, key)
        results = call(inputs, several)
        self._keep(key, call)
        return results[0] if len(results) == 1 else self._result(*results)

    # ---- parts of a call ----

    def _conversion(self, name, values):
        """What to add to an error about that input."""
        a = next((a for a in self._wanted if a.name == name), None)
        return "" if a is None else conversion(values[name], a)

    def _first_call(self, inputs, out, named, key):
        """The first one with this signature, or one that has none."""
        values = self._inputs(inputs, named)
        self._check_told(named, self._parameters)
        given = [None if a.is_constant else Borrowed(values[a.name], a) for a in self.inputs]
        first = next((b for b in given if b), None)
        device = first.device if first else ("cpu", 0)
        made_of = first.library if first else "numpy"
        self._check_bound(device)
        here = self._created(device)
        dims = self._values(named)
        tensors = _pointers(given)
        try:
            check(lib.function_solve(here.pointer, tensors, len(given), dims))
        except ArgumentError as error:
            error.args = (f"{error}{self._conversion(error.argument, values)}",)
            raise
        self._check_same(named, dims)
        results = self._results(here, dims, made_of, device, out)
        borrowed = given + [Borrowed(r, a) for r, a in zip(results, self.outputs)]
        stream = current_stream(made_of, device)
        options = library.CallOptions(stream=stream, dims=dims, flags=library.CALL_MAY_PREPARE)
        workspace = workspace_for(options, made_of, device, self._captured)
        _call(here, _pointers(borrowed), len(borrowed), options, workspace)
        if key is not None:
            self._keep(key, _Call(here, options, workspace,
                                  [b and (values[a.name], b) for a, b in zip(self.inputs, given)],
                                  [(a.type, r, b) for a, r, b in
                                   zip(self.outputs, results, borrowed[len(given):])],
                                  made_of, device))
        return results[0] if len(results) == 1 else self._result(*results)

    def _keep(self, key, call):
        if len(self._calls) >= CALLS_KEPT:
            self._calls = {}
        self._calls.setdefault(key, []).append(call)

    def _inputs(self, inputs, named):
        """A value for each input, from both kinds of arguments; what is left in `named` are dims."""
        if len(inputs) > len(self._wanted):
            raise TypeError(f"{self.name} takes {len(self._wanted)} inputs, not {len(inputs)}")
        self._check_names(named, "input or dim", [a.name for a in self._wanted] + self.dims)
        values = {a.name: value for a, value in zip(self._wanted, inputs)}
        for a in self._wanted:
            if a.name in named and a.name not in self.dims:
                if a.name in values:
                    raise TypeError(f"{self.name} got {a.name} twice")
                values[a.name] = named.pop(a.name)
            if a.name not in values:
                raise TypeError(f"{self.name} misses its input {a.name}: {a.type}"
                                f"[{', '.join(a.shape)}]")
        return values

    def _check_names(self, named, kind, known):
        """Names the first that the function does not have."""
        for name in named:
            if name in known:
                continue
            near = difflib.get_close_matches(name, known, 1)
            hint = (f"did you mean {near[0]!r}?" if near else
                    f"it has {', '.join(known)}" if known else "it has none")
            if name == "device":
                hint = f'prepare("cuda") takes the device first; {hint}'
            if any(a.name == name and a.is_constant for a in self.inputs):
                hint = f"{name} is a constant, for bind({name}=...)"
            raise TypeError(f"{self.name} has no {kind} {name!r}; {hint}")

    def _check_bound(self, device):
        for a in self.inputs:
            if a.is_constant and (a.name, device) not in self._bound:
                where = "" if device == ("cpu", 0) else f" on {device[0]}:{device[1]}"
                raise ArgumentError(f"{self.name} needs its constant {a.name}{where}: "
                                    f"{self.name}.bind({a.name}=...) comes before the first call",
                                    "FUSEC_WRONG_ARGUMENT", a.name)

    def _check_told(self, dims, needed):
        missing = [name for name in needed if name not in dims]
        if missing:
            raise TypeError(f"{self.name} misses {'dims' if len(missing) > 1 else 'dim'} "
                            f"{', '.join(missing)}: give {'=..., '.join(missing)}=...")

    def _check_same(self, named, dims):
        """That dims given by name are those of the inputs."""
        for name, size in zip(self.dims, dims):
            if named.get(name, size) != size:
                raise ArgumentError(f"{name} is {size} by the inputs of {self.name}, not "
                                    f"{named[name]}", "FUSEC_WRONG_ARGUMENT", name)

    def _values(self, dims):
        return (c_int64 * len(self.dims))(*(dim_size(name, dims[name]) if name in dims else 0
                                            for name in self.dims))

    def _all_values(self, dims):
        """Of all dims: those that bound constants tell need not be given."""
        self._check_names(dims, "dim", self.dims)
        told = {**self._told, **dims}
        self._check_told(told, self.dims)
        return self._values(told)

    def _results(self, here, dims, made_of, device, out):
        if out is not None:
            several = isinstance(out, (tuple, list))
            if len(self.outputs) > 1 and not several:
                raise TypeError(f"{self.name} has {len(self.outputs)} outputs: out= is a tuple of "
                                f"{', '.join(a.name for a in self.outputs)}")
            results = out if several else [out]
            if len(results) != len(self.outputs):
                raise TypeError(f"{self.name} has {len(self.outputs)} "
                                f"output{'s' * (len(self.outputs) > 1)}, out= has {len(results)}")
            return list(results)
        return [empty(made_of, self._shape(here, a, dims), a.type, device) for a in self.outputs]

    def _shape(self, here, argument, dims):
        shape = (c_int64 * len(argument.shape))()
        check(lib.function_shape(here.pointer, self.arguments.index(argument), dims, shape))
        return tuple(shape)

    # ---- handles ----

    def _created(self, device) -> Handle:
        model = self._model._compiled(device)
        with self._lock:
            if device not in self._on:
                pointer = c_void_p()
                options = library.FunctionOptions(policy=library.POLICIES[self._model._options.policy])
                check(lib.function_create(model.pointer, self.name.encode(), byref(options),
                                          byref(pointer)))
                self._on[device] = Handle(pointer, lib.function_release)
            return self._on[device]

    def _bind(self, argument, borrowed):
        handle = self._created(borrowed.device)
        check(lib.function_bind(handle.pointer, argument.name.encode(), borrowed.pointer))
        handle.__dict__.setdefault("kept", []).append(borrowed)
        self._bound.add((argument.name, borrowed.device))
        self._bound_by = borrowed.library
        sizes = borrowed.pointer.contents.shape
        self._told.update((axis, sizes[i]) for i, axis in enumerate(argument.shape)
                          if axis in self.dims)

    @staticmethod
    def _argument(here, index):
        record = library.ArgumentRecord()
        check(lib.function_argument(here.pointer, index, byref(record)))
        shape = tuple(record.shape[axis].decode() for axis in range(record.rank))
        return Argument(record.name.decode(), record.type_name.decode(), shape,
                        bool(record.is_output), bool(record.is_constant),
                        bool(record.is_consumed),
                        library.DLDataType.from_buffer_copy(record.type))

    @staticmethod
    def _dim(here, index):
        record = library.DimRecord()
        check(lib.function_dim(here.pointer, index, byref(record)))
        return record.name.decode(), bool(record.is_parameter)


def dim_size(name, value):
    try:
        size = operator.index(value)
    except TypeError:
        raise TypeError(f"dim {name} is an integer, not {value!r}") from None
    if not -2**63 <= size < 2**63:
        raise ValueError(f"dim {name} is too large: {size}")
    return size


def _pointers(borrowed):
    return (POINTER(DLTensor) * len(borrowed))(*(b.pointer if b else None for b in borrowed))


def device_of(name):
    kind, _, number = name.partition(":")
    if kind not in library.DEVICES or (number and not number.isdigit()):
        raise ValueError(f"a device is 'cpu', 'cuda' or 'cuda:1', not {name!r}")
    return kind, int(number or 0)
