"""Models."""

import dataclasses
import difflib
import os
import threading
from ctypes import byref, c_void_p
from typing import Dict, List, Optional, Tuple, Union

from . import _library as library
from ._errors import ArgumentError, Message, ModelError, check, take_messages
from ._function import Function, device_of, dim_size
from ._library import Handle, lib

SAVED = b"\x89FUSEC\r\n"  # how files of Model.save start


@dataclasses.dataclass(frozen=True)
class _Options:
    """Of `load` and `compile`."""
    threads: int
    background_threads: int
    compiler: Optional[str]
    policy: str
    warnings_are_errors: bool
    cache: Optional[str]

    def __post_init__(self):
        if self.policy not in library.POLICIES:
            raise ValueError(f"a policy is one of {', '.join(library.POLICIES)}, not {self.policy!r}")


class _Context(Handle):
    """A device."""

    def __init__(self, device, of):
        compiler = None if of.compiler is None else os.fsencode(of.compiler)
        cache = None if of.cache is None else os.fsencode(of.cache)
        options = library.ContextOptions(device=library.DEVICES[device[0]], device_number=device[1],
                                         threads=of.threads, compiler=compiler, cache=cache,
                                         background_threads=of.background_threads)
        pointer = c_void_p()
        check(lib.context_create(byref(options), byref(pointer)))
        super().__init__(pointer, lib.context_release)


class Model:
    """A checked model. Its functions are attributes, `m.softmax_rows`, and items, `m["softmax_rows"]`,
    for names that are no attribute's. Thread safe."""

    def __init__(self, text: Optional[bytes], name: str, dims: Dict[str, int], options: _Options):
        #: text None: `name` is the path of a saved model
        self._text, self._name, self._options = text, name, options
        self._dims = {dim: dim_size(dim, value) for dim, value in dims.items()}
        self._on: Dict[Tuple[str, int], Handle] = {}
        self._lock = threading.Lock()
        #: warnings and remarks
        self.messages: List[Message] = []
        try:
            on_cpu = self._compiled(("cpu", 0))
        except ModelError as error:
            known = [field.name for field in dataclasses.fields(_Options)]
            for dim in dims:
                for near in difflib.get_close_matches(dim, known, 1):
                    error.args = (f"{error}; {dim} is a dim: is the option {near} meant?",)
            raise
        names = (lib.model_function_name(on_cpu.pointer, i)
                 for i in range(lib.model_function_count(on_cpu.pointer)))
        self._functions = {name: Function(self, name) for name in (n.decode() for n in names)}
        self._called: Dict[str, Function] = {}  # by others, and asked for

    @property
    def functions(self) -> "Dict[str, Function]":
        """By name, those that no other function calls."""
        return dict(self._functions)

    def __getattr__(self, name: str) -> "Function":
        if name.startswith("__") or "_functions" not in self.__dict__:
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(*error.args) from None

    def __getitem__(self, name: str) -> "Function":
        """Also one that other functions call: it is compiled for itself, too, once it is asked for."""
        found = self._functions.get(name) or self._called.get(name)
        if found is None:
            try:
                found = self._called.setdefault(name, Function(self, name))
            except ArgumentError as error:
                raise KeyError(str(error)) from None
        return found

    def __iter__(self):
        return iter(self._functions)

    def __dir__(self):
        return [*super().__dir__(), *self._functions]

    def __repr__(self):
        return f"<fusec model {self._name}: {', '.join(self._functions)}>"

    def _compiled(self, device) -> Handle:
        with self._lock:
            if device not in self._on:
                self._on[device] = self._compile(_Context(device, self._options))
            return self._on[device]

    def save(self, path: Union[str, "os.PathLike[str]"], *, device: str = "cpu") -> None:
        """Writes the model to a file for `load`, with the machine code that calls and `prepare` have
        compiled so far for a device: what has been compiled need not be compiled again."""
        check(lib.model_save(self._compiled(device_of(device)).pointer, os.fsencode(path)))

    def _compile(self, context) -> Handle:
        if self._text is None:
            return self._finish(lambda said, pointer: lib.model_from_artifact(
                context.pointer, os.fsencode(self._name), said, pointer))
        dims = (library.Dim * len(self._dims))(*((name.encode(), value)
                                                 for name, value in self._dims.items()))
        options = library.ModelOptions(dims=dims, dim_count=len(dims),
                                       warnings_are_errors=self._options.warnings_are_errors)
        return self._finish(lambda said, pointer: lib.model_from_text(
            context.pointer, self._name.encode("utf-8", "surrogateescape"), self._text,
            len(self._text), byref(options), said, pointer))

    def _finish(self, make) -> Handle:
        said, pointer = c_void_p(), c_void_p()
        status = make(byref(said), byref(pointer))
        messages = take_messages(said)
        check(status, messages)
        self.messages = messages
        return Handle(pointer, lib.model_release)


def load(path: Union[str, "os.PathLike[str]"], *, threads: int = 0, background_threads: int = 0,
         compiler: Optional[str] = None, policy: str = "automatic",
         warnings_are_errors: bool = False, cache: Optional[str] = None, **dims: int) -> Model:
    """The model in a file. Keywords fix dims, as -D does: `load("m.fx", D=64)`. Raises ModelError
    where the text is wrong.

    threads: of the CPU that a call may use; 0: all.
    background_threads: that compile better variants while others serve.
    compiler: command of the C compiler; None: $CC, else cc.
    policy: what is compiled for which dims: "automatic", "exact" or "general" (docs/python.md).
    warnings_are_errors: of the model's text.
    cache: folder for compiled code, or "off"; None: the user's.

    The file may be one of `Model.save`, with the dims as they were: what it has compiled code for
    needs no compiler. Its code is executed, so trust it as you trust a program."""
    options = _Options(threads, background_threads, compiler, policy, warnings_are_errors, cache)
    name = os.fsdecode(path)
    with open(path, "rb") as file:
        text = file.read()
    if not text.startswith(SAVED):
        return Model(text, name, dims, options)
    fixed = [*dims, *(["warnings_are_errors"] if warnings_are_errors else [])]
    if fixed:
        raise TypeError(f"{name} is a saved model: its dims and warnings are fixed as they "
                        f"were, so {', '.join(fixed)} cannot be given")
    return Model(None, name, {}, options)


def compile(text: str, name: str = "<text>", *, threads: int = 0, background_threads: int = 0,
            compiler: Optional[str] = None, policy: str = "automatic",
            warnings_are_errors: bool = False, cache: Optional[str] = None, **dims: int) -> Model:
    """The same of a text."""
    if not isinstance(text, str):
        raise TypeError(f"a model's text is a str, not of type {type(text).__name__}")
    return Model(text.encode(), name, dims, _Options(threads, background_threads, compiler, policy,
                                                     warnings_are_errors, cache))
