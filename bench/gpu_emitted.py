"""Functions of emitted .cu files as functions of PyTorch's tensors, for the scripts beside this one.
In: a model's text and its dims. Out: a shared library and its header (`build`: nvcc, no GPU), and
what calls it (`Emitted`: a GPU and PyTorch)."""
import ctypes
import re
import subprocess
import sys


def build(fusec, folder, name, text, dims=None, arch="sm_90a"):
    """FOLDER/NAME.so and NAME.h; dims that are not given stay open."""
    folder.mkdir(parents=True, exist_ok=True)
    model, source, library = (folder / f"{name}{suffix}" for suffix in (".fx", ".cu", ".so"))
    model.write_text(text)
    fixed = [f"-D{dim}={size}" for dim, size in (dims or {}).items()]
    subprocess.run([fusec, model, *fixed, f"--arch={arch}", "-o", source, "-o",
                    source.with_suffix(".h")], check=True)
    code = f"-gencode=arch=compute_{arch[3:]},code={arch}"
    subprocess.run(["nvcc", "-O3", code, "--shared", "-cudart", "shared", "-Xcompiler", "-fPIC",
                    source, "-o", library], check=True)


class Argument:
    """name, role (in or out), type, shape: numbers and names of open dims, as text."""

    def __init__(self, name, role, dtype, shape):
        self.name, self.role, self.dtype = name, role, dtype
        self.shape = [size for size in (shape or "").split(", ") if size]


class Emitted:
    """A function of FOLDER/FILE.so: takes its inputs, gives its outputs, which are new tensors."""

    def __init__(self, torch, folder, file, function, dims=None):
        self.torch, self.dims = torch, dims or {}
        header = (folder / f"{file}.h").read_text()
        comment = re.search(rf"^/\* {function}: tensors are(.*?)\*/", header, re.M | re.S)[1]
        self.arguments = [Argument(*match) for match in re.findall(
            r"^ \*   (\w+) +(in|out) +(\w+)(?:\[(.*)\]|, a pointer to one)?$", comment, re.M)]
        found = re.search(r"^ \*   ([\w, ]+?) +sizes$", comment, re.M)
        self.sizes = [ctypes.c_longlong(self.dims[d]) for d in found[1].split(", ")] if found else []
        library = ctypes.CDLL(str((folder / f"{file}.so").resolve()))
        self.call = getattr(library, function)
        size = getattr(library, f"{function}_workspace")
        size.restype = ctypes.c_longlong
        self.workspace = size(*self.sizes)

    def outputs(self):
        types = {"bf16": self.torch.bfloat16, "f32": self.torch.float32, "i32": self.torch.int32}
        return [self.torch.empty([eval(size, {}, self.dims) for size in a.shape], device="cuda",
                                 dtype=types[a.dtype]) for a in self.arguments if a.role == "out"]

    def __call__(self, *inputs):
        outputs = self.outputs()
        workspace = self.torch.empty(self.workspace, dtype=self.torch.uint8, device="cuda")
        pointers = [ctypes.c_void_p(t.data_ptr()) for t in (*inputs, *outputs)]
        stream = ctypes.c_void_p(self.torch.cuda.current_stream().cuda_stream)
        if self.call(*pointers, *self.sizes, ctypes.c_void_p(workspace.data_ptr()), stream):
            sys.exit(f"{self.call.__name__}: a launch failed")
        return outputs


class Pair:
    """Forward and backward functions of `fn fwd, bwd = train(f);` as one: inputs and cotangents of f's
    outputs to the outputs and the cotangents of inputs."""

    def __init__(self, torch, folder, file, dims=None):
        self.fwd, self.bwd = (Emitted(torch, folder, file, name, dims) for name in ("fwd", "bwd"))

    def forward(self, inputs):
        """Outputs, and by name what is kept."""
        names = [a.name for a in self.fwd.arguments if a.role == "out"]
        made = dict(zip(names, self.fwd(*inputs), strict=True))
        return [made[name] for name in names if not name.startswith("keep_")], made

    def backward(self, inputs, made, cotangents):
        given, left = list(inputs), list(cotangents)
        for a in [a for a in self.bwd.arguments if a.role == "in"][len(inputs):]:
            given.append(made[a.name] if a.name in made else left.pop(0))
        return self.bwd(*given)
