"""Run by device.py: the Python package on the emulated device, with a library of tensors that it takes for
CuPy: its memory is the driver's, and a stream is a number."""
import contextlib
import ctypes
import os
import pathlib
import sys
import types

import numpy

TEXT = """
fn two[N, D](x: f32[N, D], w: f32[D, D]) -> (y: f32[N, D]) { t = x @ w; y = softmax(t) + x; }
fn one[N](x: f32[N]) -> (y: f32[N]) { y = x + 1; }
"""
driver = ctypes.CDLL(str(pathlib.Path(os.environ["FUSEC_CUDA_PATH"], "libcuda.so.1")))
captured = ctypes.c_void_p.in_dll(driver, "fake_cuda_captured")


class Array:
    __module__ = "cupy"
    made = []  # all sizes in bytes

    def __init__(self, shape, dtype):
        self.shape, self.dtype = tuple(shape), numpy.dtype(dtype)
        count = int(numpy.prod(self.shape))
        Array.made.append(count * self.dtype.itemsize)
        at = ctypes.c_uint64()
        if cupy.is_full or driver.cuMemAlloc_v2(ctypes.byref(at), ctypes.c_size_t(Array.made[-1])):
            raise MemoryError("the device is full")
        self.data = types.SimpleNamespace(ptr=at.value)
        bytes_ = (ctypes.c_char * Array.made[-1]).from_address(at.value)
        self.here = numpy.frombuffer(bytes_, self.dtype).reshape(self.shape)

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, stream=None):
        from fusec._library import DLTensor
        rank = len(self.shape)
        code = {"f": 2, "u": 1}[self.dtype.kind]
        self.tensor = DLTensor(self.data.ptr, (2, 0), rank, (code, self.dtype.itemsize * 8, 1),
                               (ctypes.c_int64 * rank)(*self.shape), None, 0)
        return new_capsule(ctypes.addressof(self.tensor), b"dltensor", None)


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Stream:
    def __init__(self, ptr):
        self.ptr = ptr

    def is_capturing(self):
        return self.ptr == captured.value


cupy = types.ModuleType("cupy")
cupy.is_full = False
cupy.stream = Stream(1)
cupy.empty = Array
cupy.cuda = types.SimpleNamespace(Device=lambda number: contextlib.nullcontext(),
                                  get_current_stream=lambda: cupy.stream)
sys.modules["cupy"] = cupy

import fusec  # noqa: E402


def array(values):
    made = Array(values.shape, values.dtype)
    made.here[...] = values
    return made


def check(m, n):
    rng = numpy.random.default_rng(n)
    x, w = (rng.standard_normal(shape).astype("float32") for shape in ((n, 5), (5, 5)))
    dx, dw = array(x), array(w)
    before = len(Array.made)
    y = m.two(dx, dw)
    e = numpy.exp(x @ w)
    numpy.testing.assert_allclose(y.here, e / e.sum(-1, keepdims=True) + x, rtol=1e-4, atol=1e-6)
    return Array.made[before:]


def main():
    m = fusec.compile(TEXT, policy="general", cache="off")
    m.two.prepare("cuda", N=3, D=5)
    made = check(m, 3)
    assert len(made) == 2 and made[0] == 60, made  # the output, the workspace
    cupy.stream = Stream(2)
    assert check(m, 3) == made
    larger = check(m, 100)
    assert len(larger) == 2 and larger[1] > made[1], larger
    assert not m.two._captured
    captured.value = 2
    assert check(m, 3) == made
    assert len(m.two._captured) == 1
    captured.value = -1
    m.one.prepare("cuda", N=4)
    before = len(Array.made)
    m.one(array(numpy.ones(4, "float32")))
    assert Array.made[before:] == [16, 16], "a workspace that is not needed"
    x, w, out = (array(numpy.ones(shape, "float32")) for shape in ((3, 5), (5, 5), (3, 5)))
    cupy.is_full = True
    try:
        m.two(x, w, out=out)
    except MemoryError as error:
        assert str(error) == "the device is full"
    else:
        raise AssertionError("no exception")
    cupy.is_full = False
    m.two(x, w, out=out)
    print("passed")


main()
