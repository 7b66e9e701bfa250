"""fusec: compiles models of pointwise, reduction, matmul and softmax maths, and calls them.

    import fusec, numpy
    m = fusec.load("softmax.fx")
    y = m.softmax_rows(numpy.random.rand(8, 100).astype("float32"))

Takes NumPy arrays, and tensors of any library that speaks DLPack, such as PyTorch and CuPy; results
are of the library of the first input, on its device, in its current stream. The library libfusec.so
has to be installed; nothing is compiled when this package is."""

from ._errors import (ArgumentError, Cancelled, DimsError, FusecError, Message, ModelError,
                      RefusedError)
from ._function import Argument, Function
from ._library import version
from ._model import Model, compile, load

__all__ = ["Argument", "ArgumentError", "Cancelled", "DimsError", "Function", "FusecError",
           "Message", "Model", "ModelError", "RefusedError", "compile", "load", "version"]
