"""libfusec.so, as ctypes sees it: the structs and functions of fusec.h."""

import ctypes
import glob
import os
import sys
import weakref
from ctypes import (CFUNCTYPE, POINTER, Structure, c_char, c_char_p, c_double, c_int, c_int32, c_int64,
                    c_size_t, c_uint, c_uint8, c_uint16, c_uint64, c_void_p, py_object)


class DLDevice(Structure):
    _fields_ = [("type", c_int), ("number", c_int32)]


class DLDataType(Structure):
    _fields_ = [("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16)]


class DLTensor(Structure):
    _fields_ = [("data", c_void_p), ("device", DLDevice), ("ndim", c_int32), ("dtype", DLDataType),
                ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)),
                ("byte_offset", c_uint64)]


class Options(Structure):
    """A struct of fusec.h whose first field is its own size."""

    def __init__(self, **fields):
        super().__init__(struct_size=ctypes.sizeof(self), **fields)


class Error(Structure):
    _fields_ = [("status", c_int), ("text", c_char_p), ("file", c_char_p), ("line", c_int),
                ("column", c_int), ("argument", c_char_p), ("device_lost", c_int),
                ("bug_file", c_char_p), ("bug_line", c_int)]


class MessageRecord(Structure):
    _fields_ = [("severity", c_int), ("text", c_char_p), ("file", c_char_p), ("line", c_int),
                ("column", c_int), ("offset", c_size_t), ("size", c_size_t), ("rendered", c_char_p)]


class ContextOptions(Options):
    _fields_ = [("struct_size", c_size_t), ("device", c_int), ("device_number", c_int),
                ("cuda_context", c_void_p), ("threads", c_int), ("background_threads", c_int),
                ("compiler", c_char_p), ("host_allocator", c_void_p), ("device_allocator", c_void_p),
                ("limits", c_void_p), ("limit_count", c_size_t), ("log", c_void_p),
                ("log_user", c_void_p), ("cpu_arch", c_char_p),
                ("cache", c_char_p), ("command", c_char_p), ("dependent_launch", c_int)]


class Dim(Structure):
    _fields_ = [("name", c_char_p), ("value", c_int64)]


class ModelOptions(Options):
    _fields_ = [("struct_size", c_size_t), ("optimise", c_int), ("dims", POINTER(Dim)),
                ("dim_count", c_size_t), ("warnings_are_errors", c_int), ("perf_remarks", c_int)]


class FunctionOptions(Options):
    _fields_ = [("struct_size", c_size_t), ("policy", c_int), ("exact_most", c_int),
                ("exact_hits", c_int), ("workspaces", c_int)]


class ArgumentRecord(Options):
    _fields_ = [("struct_size", c_size_t), ("name", c_char_p), ("is_output", c_int),
                ("is_constant", c_int), ("type", DLDataType), ("type_name", c_char_p),
                ("rank", c_int), ("shape", POINTER(c_char_p)), ("line", c_int), ("column", c_int),
                ("is_consumed", c_int)]


class DimRecord(Options):
    _fields_ = [("struct_size", c_size_t), ("name", c_char_p), ("is_parameter", c_int),
                ("least", c_int64), ("most", c_int64), ("multiple", c_int64), ("line", c_int),
                ("column", c_int)]


class PrepareOptions(Options):
    _fields_ = [("struct_size", c_size_t), ("progress", c_void_p), ("progress_user", c_void_p),
                ("background", c_int), ("graph", c_int), ("keep", c_char_p),
                ("any_alignment", c_int), ("tuning", c_int), ("tuning_budget", c_double),
                ("tune_lock", c_char_p), ("stream", c_void_p), ("no_workspaces", c_int)]


WorkspaceAllocate = CFUNCTYPE(c_void_p, py_object, c_size_t)


class CallOptions(Options):
    _fields_ = [("struct_size", c_size_t), ("stream", c_void_p), ("workspace", c_void_p),
                ("workspace_bytes", c_size_t), ("dims", POINTER(c_int64)), ("flags", c_uint),
                ("workspace_allocate", WorkspaceAllocate), ("workspace_user", py_object)]


class Stats(Options):
    _fields_ = [("struct_size", c_size_t), ("hits", c_uint64), ("misses", c_uint64),
                ("compilations", c_uint64), ("evictions", c_uint64), ("compile_seconds", c_double),
                ("variant_count", c_size_t), ("last_miss", c_char * 256)]


class Handle:
    """A handle of the library, released with this object."""

    def __init__(self, pointer, release):
        self.pointer = pointer
        weakref.finalize(self, release, pointer)


CALL_MAY_PREPARE = 1
DEVICES = {"cpu": 0, "cuda": 1}
POLICIES = {"automatic": 0, "exact": 1, "general": 2}

# What each function gives and takes; P is a handle or any other pointer, S a FusecStatus.
P, S = c_void_p, c_int
FUNCTIONS = {
    "version": (c_char_p, []),
    "status_name": (c_char_p, [S]),
    "last_error": (POINTER(Error), []),
    "messages_count": (c_size_t, [P]),
    "messages_get": (S, [P, c_size_t, POINTER(MessageRecord)]),
    "messages_release": (None, [P]),
    "context_create": (S, [POINTER(ContextOptions), POINTER(P)]),
    "context_release": (None, [P]),
    "model_from_text": (S, [P, c_char_p, c_char_p, c_size_t, POINTER(ModelOptions), POINTER(P),
                            POINTER(P)]),
    "model_from_file": (S, [P, c_char_p, POINTER(ModelOptions), POINTER(P), POINTER(P)]),
    "model_from_artifact": (S, [P, c_char_p, POINTER(P), POINTER(P)]),
    "model_save": (S, [P, c_char_p]),
    "model_release": (None, [P]),
    "model_function_count": (c_size_t, [P]),
    "model_function_name": (c_char_p, [P, c_size_t]),
    "function_create": (S, [P, c_char_p, POINTER(FunctionOptions), POINTER(P)]),
    "function_release": (None, [P]),
    "function_argument_count": (c_size_t, [P]),
    "function_input_count": (c_size_t, [P]),
    "function_argument": (S, [P, c_size_t, POINTER(ArgumentRecord)]),
    "function_dim_count": (c_size_t, [P]),
    "function_dim": (S, [P, c_size_t, POINTER(DimRecord)]),
    "function_text": (S, [P, c_int, POINTER(c_char_p)]),
    "function_work": (S, [P, POINTER(c_int64), POINTER(c_int64), POINTER(c_int64)]),
    "function_solve": (S, [P, POINTER(POINTER(DLTensor)), c_size_t, POINTER(c_int64)]),
    "function_shape": (S, [P, c_size_t, POINTER(c_int64), POINTER(c_int64)]),
    "function_bind": (S, [P, c_char_p, POINTER(DLTensor)]),
    "function_stats": (S, [P, POINTER(Stats)]),
    "prepare": (S, [P, POINTER(c_int64), POINTER(PrepareOptions), POINTER(P)]),
    "call": (S, [P, POINTER(POINTER(DLTensor)), c_size_t, POINTER(CallOptions)]),
}


NAME = "libfusec.so.0"


def _prefixes():
    """Whose lib is looked in before the loader looks: the interpreter's, and the user's."""
    return [os.path.join(prefix, folder, NAME)
            for prefix in (sys.prefix, os.path.expanduser("~/.local")) for folder in ("lib*", "lib*/*")]


def _open():
    said = []
    for pattern in [*_prefixes(), NAME]:
        places = [NAME] if pattern == NAME else sorted(glob.glob(pattern))
        said += [] if places else [f"{pattern}: no such file"]
        for place in places:
            try:
                return ctypes.CDLL(place)
            except OSError as error:
                said.append(f"the system's loader: {error}" if place == NAME else f"{error}")
    raise ImportError("\n  ".join([f"{NAME} cannot be loaded. Looked for in", *said]) +
                      "\nInstall it in one of these places (cmake --install BUILD --prefix ~/.local), "
                      "or start Python with its folder in LD_LIBRARY_PATH.")


class _Library:
    """The functions by their names without fusec_."""

    def __init__(self):
        library = _open()
        for name, (gives, takes) in FUNCTIONS.items():
            function = getattr(library, f"fusec_{name}", None)
            if function is None:
                raise ImportError(f"{library._name} is of another version of fusec than this "
                                  f"package: it has no fusec_{name}")
            function.restype, function.argtypes = gives, takes
            setattr(self, name, function)


lib = _Library()


def version() -> str:
    """Of the library: "0.1.0"."""
    return lib.version().decode()
