"""Arrays and tensors of other libraries as DLTensor, and new ones for outputs."""

import ctypes
import sys
from ctypes import POINTER, c_char_p, c_int64, c_void_p, py_object

import numpy

from ._errors import ArgumentError
from ._library import DLTensor, WorkspaceAllocate

CPU, CUDA, CUDA_HOST, CUDA_MANAGED = 1, 2, 3, 13
INT, UINT, FLOAT, BOOL = 0, 1, 2, 6

_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = c_void_p, [py_object, c_char_p]

# What NumPy has itself. bf16 and the types of 8 bits are of the package ml_dtypes.
_NUMPY = {"f64": "float64", "f32": "float32", "f16": "float16", "i64": "int64", "i32": "int32",
          "i8": "int8", "u8": "uint8", "bool": "bool"}
_ML_DTYPES = {"bf16": "bfloat16", "f8e4m3": "float8_e4m3fn", "f8e5m2": "float8_e5m2"}
_TORCH = {"f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16",
          "f8e4m3": "float8_e4m3fn", "f8e5m2": "float8_e5m2", "i64": "int64", "i32": "int32",
          "i8": "int8", "u8": "uint8", "bool": "bool"}
# What versions of PyTorch refuse to give by DLPack: given as bytes, with these codes of DLPack.
_TORCH_AS_BYTES = {"torch.bool": BOOL, "torch.float8_e4m3fn": 10, "torch.float8_e5m2": 12}


def numpy_type(name: str) -> numpy.dtype:
    """The element type of an array for `bf16` and so on."""
    if name in _NUMPY:
        return numpy.dtype(_NUMPY[name])
    try:
        import ml_dtypes
    except ImportError:
        raise TypeError(f"NumPy has no {name}: install the package ml_dtypes, or pass tensors of "
                        "another library") from None
    return numpy.dtype(getattr(ml_dtypes, _ML_DTYPES[name]))


def conversion(value, argument):
    """"; pass x.astype('float32')": how to make a tensor of the element type that is wanted, where it is not."""
    library, wanted = _library_of(value), argument.type
    if library == "numpy" and wanted in _NUMPY and getattr(value, "dtype", _NUMPY[wanted]) != _NUMPY[wanted]:
        return f"; pass {argument.name}.astype({_NUMPY[wanted]!r})"
    if library == "torch" and wanted in _TORCH and str(value.dtype) != f"torch.{_TORCH[wanted]}":
        return f"; pass {argument.name}.to(torch.{_TORCH[wanted]})"
    return ""


class Borrowed:
    """A tensor of the caller's, described for a call. `kept` keeps its memory and its description
    alive; `library` says what outputs are made of."""

    def __init__(self, value, argument):
        if value is None:
            raise TypeError(f"{argument.name} is None: tensors and numbers are taken")
        self.library = _library_of(value)
        if argument.is_output:
            _check_writeable(value, argument, self.library)
        if self.library == "numpy":
            self._from_numpy(value, argument)
        elif self.library == "torch":
            self._from_torch(value)
        else:
            self._from_dlpack(value)

    def _from_numpy(self, value, argument):
        type_name = argument.type
        array = numpy.asarray(value) if hasattr(value, "dtype") else _array_of(value, argument)
        if argument.is_consumed and not array.flags.writeable:  # of what has no such flag itself, too
            raise _wrong(argument, "is read-only, and @consume lets a call overwrite it")
        is_named = type_name in _ML_DTYPES and array.dtype.name == _ML_DTYPES[type_name]
        kinds = {"f": FLOAT, "i": INT, "u": UINT, "b": BOOL}
        rank = array.ndim
        if not is_named and (array.dtype.kind not in kinds or not array.dtype.isnative):
            raise _wrong(argument, f"is an array of {array.dtype.str!r}, but the model says {type_name}"
                         f"{conversion(array, argument)}")
        if any(step % max(array.itemsize, 1) for step in array.strides):
            raise _wrong(argument, "does not step by whole elements: pass a copy")
        shape = (c_int64 * rank)(*array.shape)
        strides = (c_int64 * rank)(*(step // max(array.itemsize, 1) for step in array.strides))
        tensor = DLTensor(array.ctypes.data, (CPU, 0), rank, (0, array.itemsize * 8, 1), shape,
                          strides, 0)
        if is_named:
            tensor.dtype = argument.dl_type
        else:
            tensor.dtype.code = kinds[array.dtype.kind]
        self.kept = (array, shape, strides)
        self.pointer = ctypes.pointer(tensor)

    def _from_torch(self, value):
        """Detached. Lazily negated or conjugated tensors are copied."""
        value = value.detach().resolve_conj().resolve_neg()
        code = _TORCH_AS_BYTES.get(str(value.dtype))
        if code is None:
            self._from_dlpack(value)
            return
        import torch
        self._from_dlpack(value.view(torch.uint8))
        tensor = DLTensor.from_buffer_copy(self.pointer.contents)
        tensor.dtype.code = code
        self.pointer = ctypes.pointer(tensor)

    def _from_dlpack(self, value):
        kind, _ = value.__dlpack_device__()
        # -1: no synchronisation between streams: the call is queued in the producer's stream.
        capsule = value.__dlpack__(stream=-1) if kind == CUDA else value.__dlpack__()
        self.kept = (value, capsule)
        self.pointer = ctypes.cast(_pointer_of(capsule, b"dltensor"), POINTER(DLTensor))

    @property
    def device(self):
        """("cpu", 0) or ("cuda", number)."""
        device = self.pointer.contents.device
        return ("cuda" if device.type in (CUDA, CUDA_MANAGED) else "cpu", device.number)


def _wrong(argument, text):
    return ArgumentError(f"{argument.name} {text}", "FUSEC_WRONG_ARGUMENT", argument.name)


def _array_of(value, argument):
    """Of what has no element type of its own, such as numbers and lists: an array of the model's type.
    Integers neither wrap nor come from fractions."""
    wanted = numpy_type(argument.type)
    try:
        if wanted.kind not in "iu":
            return numpy.asarray(value, wanted)
        array, limits = numpy.asarray(value), numpy.iinfo(wanted)
        if not array.size or (array.dtype.kind in "biu" and int(array.min()) >= limits.min
                              and int(array.max()) <= limits.max):
            return array.astype(wanted, copy=False)
    except (TypeError, ValueError, OverflowError):
        pass
    text = repr(value)
    raise _wrong(argument, f"is {text if len(text) < 40 else type(value).__name__}, but the model says "
                 f"{argument.type}")


def _check_writeable(value, argument, library):
    """Raises unless writing to the memory of an output changes the output."""
    if library == "numpy":
        if not isinstance(value, numpy.ndarray):
            raise TypeError(f"the output {argument.name} is of type {type(value).__name__}: out= takes "
                            "arrays and tensors")
        if not value.flags.writeable:
            raise _wrong(argument, "is read-only, and cannot be an output")
    elif library == "torch" and (value.is_neg() or value.is_conj()):
        raise _wrong(argument, "is a view of a negated or conjugated tensor, and cannot be an output")


def _library_of(value):
    root = type(value).__module__.partition(".")[0]
    if root in ("torch", "cupy"):
        return root
    return "dlpack" if hasattr(value, "__dlpack__") and root != "numpy" else "numpy"


# ---- what calls with such tensors have in common ------------------------------------------------

def _address_in_numpy(array):
    return array.__array_interface__["data"][0]


def _torch_tensors():
    """Types whose tensors have memory of their own; subclasses may not."""
    torch = sys.modules.get("torch")
    return (torch.Tensor, torch.nn.Parameter) if torch else ()


def signature(inputs, outputs, written):
    """All of these tensors but where their elements are: a key; None: one of them is something else,
    such as a list, a tensor of another library, or one of those written that cannot be."""
    parts, torch_tensors = [len(inputs)], None
    for value in written:
        if type(value) is numpy.ndarray and not value.flags.writeable:
            return None
    for value in (*inputs, *outputs):
        kind = type(value)
        if kind is numpy.ndarray:
            parts.append((value.dtype, value.shape, value.strides))
            continue
        if torch_tensors is None:
            torch_tensors = _torch_tensors()
        if kind not in torch_tensors or value.is_neg() or value.is_conj() or value.is_sparse:
            return None
        parts.append((value.dtype, value.device, value.shape, value.stride()))
    return tuple(parts)


def address_function(value):
    """That gives the address of the first element of tensors such as this, which has a signature."""
    return _address_in_numpy if type(value) is numpy.ndarray else type(value).data_ptr


def empty(library, shape, type_name, device):
    """A new tensor of a library, uninitialised."""
    kind, number = device
    if library == "torch":
        import torch
        return torch.empty(shape, dtype=getattr(torch, _TORCH[type_name]),
                           device=f"cuda:{number}" if kind == "cuda" else "cpu")
    if library == "cupy":
        import cupy
        with cupy.cuda.Device(number):
            return cupy.empty(shape, numpy_type(type_name))
    if kind == "cuda":
        raise TypeError("outputs on a GPU are made for tensors of PyTorch and CuPy; pass out=")
    return numpy.empty(shape, numpy_type(type_name))


def current_stream(library, device):
    """The library's current stream on a GPU, as a number; None: the default one."""
    kind, number = device
    if kind == "cuda" and library == "torch":
        import torch
        return torch.cuda.current_stream(number).cuda_stream
    if kind == "cuda" and library == "cupy":
        import cupy
        with cupy.cuda.Device(number):
            return cupy.cuda.get_current_stream().ptr
    return None


# ---- workspaces of calls ------------------------------------------------------------------------

@WorkspaceAllocate
def _allocate(workspace, bytes_):
    """The address of new memory; None after a failure: an exception cannot pass through C."""
    try:
        return workspace.allocate(bytes_)
    except BaseException as error:
        workspace.error = error
        return None


class Workspace:
    """What a call on a GPU keeps between its kernels, in memory of the library of its inputs. PyTorch and
    CuPy give memory that was freed to later work of the same stream only, so that the call need not end
    before its workspace is freed; memory that a graph of PyTorch uses stays the graph's."""

    def __init__(self, library, device, captured):
        """captured: gets the memory that graphs of CuPy use, which do not keep it."""
        self.library, self.device, self.captured = library, device, captured
        self.tensor = self.error = None

    def allocate(self, bytes_):
        self.tensor = empty(self.library, (bytes_,), "u8", self.device)
        if self.library == "torch":
            return self.tensor.data_ptr()
        import cupy
        with cupy.cuda.Device(self.device[1]):
            if cupy.cuda.get_current_stream().is_capturing():
                self.captured.append(self.tensor)
        return self.tensor.data.ptr

    def give_back(self):
        """After the call, of which it raises what `allocate` raised."""
        error, self.tensor, self.error = self.error, None, None
        if error:
            raise error


def workspace_for(options, library, device, captured):
    """For calls with these options; None: they use fusec's own, as other libraries do not say in which
    order memory is used again."""
    if device[0] != "cuda" or library not in ("torch", "cupy"):
        return None
    options.workspace_allocate = _allocate
    options.workspace_user = workspace = Workspace(library, device, captured)
    return workspace
