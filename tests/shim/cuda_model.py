"""What is emitted for a model: run on inputs, and compared with the reference evaluator. CUDA is compiled
with the shim and runs on the CPU; tests/arm64 runs C under an emulator."""
import hashlib
import os
import pathlib
import re
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1])]
import emulate  # noqa: E402
import safetensors  # noqa: E402
from emulate import Failure, command  # noqa: E402


def tool(fusec):
    """The program for commands that these tests use but do not test: an optimised build of the same
    sources, where there is one beside that with sanitizers."""
    return os.environ.get("FUSEC_OPTIMISED", fusec)


def model_names(fusec, model, which):
    """(dims, tensors): their names in the model, in the order of the emitted function."""
    graph = command([tool(fusec), model, *which, "--emit=graph"]).split("\n// after ")[0]
    dims = re.search(r"^fn \w+(?:\[(.*)\])?$", graph, re.M)[1]
    return (dims.split(", ") if dims else [],
            re.findall(r"^  %\d+ = input (\w+) :", graph, re.M) +
            re.findall(r"^  (\w+) = %\d+$", graph, re.M))


def names_of(tensors, names):
    """The name in the model of each tensor: that of the emitted text may end with underscores more."""
    known = {t.name: t.name if t.name in names else t.name.rstrip("_") for t in tensors}
    if sorted(known.values()) != sorted(names):
        raise Failure(f"the function has {known}, the model {names}")
    return known


def digest(*parts):
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).digest()


def dim_flags(sizes):
    return [x for name, n in sizes.items() for x in ("-D", f"{name}={n}")]


def dims_of(flags):
    """Of "-D N=3 -D M=4"."""
    return {name: int(n) for name, n in re.findall(r"-D (\w+)=(\d+)", flags)}


class EmittedModel:
    """What one object has asked `fusec run` for, no other asks again."""
    known = {}  # dims and tensors by (text of the model, and function, known dims)
    inputs = {}  # by (text and function, sizes, seed)
    agreed = {}  # by digest of (text, sizes, inputs, outputs): what was said of them

    def __init__(self, fusec, model, flags, suffix, folder):
        """flags: -D, -O and --fn of the compilation. folder: empty, for this model alone."""
        self.fusec, self.model, self.flags, self.folder = fusec, model, flags, folder
        which = list(map(str, flags))
        at = which.index("--fn") if "--fn" in which else len(which)
        self.which = which[at:at + 2]
        self.text = pathlib.Path(model).read_bytes() + " ".join(self.which).encode()
        self.emitted_file = folder / f"{pathlib.Path(model).stem}{suffix}"
        command([fusec, model, *flags, "-o", self.emitted_file])
        self.function = emulate.functions(self.emitted_file.read_text())[-1]
        fixed = dims_of(" ".join(map(str, flags)))
        key = self.text, str(fixed)  # on known dims depends what functions of `train` keep
        if key not in self.known:
            self.known[key] = model_names(fusec, model, [*self.which, *dim_flags(fixed)])
        dims, names = self.known[key]
        self.names = names_of(self.function.tensors, names)
        self.dims = dict(zip(self.function.sizes, (d for d in dims if d not in fixed), strict=True))

    def run(self, sizes, data, skew, in_place):
        """The bytes of each output by its name. sizes: by the names of the emitted function's
        arguments. data: the bytes of the inputs. skew: elements behind an aligned address at which
        tensors start. in_place: outputs are in the memory of inputs, where they may be."""
        raise NotImplementedError

    def tensors(self, kind):
        return [t for t in self.function.tensors if t.kind == kind]

    def emitted(self, sizes):
        """The sizes by the names of the model, which shapes in comments have, and by those of the
        emitted function's arguments."""
        return {**sizes, **{emitted: sizes[name] for emitted, name in self.dims.items()}}

    def shape(self, tensor, sizes):
        return [emulate.value(size, self.emitted(sizes)) for size in tensor.shape]

    def write_inputs(self, sizes, path, seed=0):
        """Random ones, as `fusec run` makes them."""
        if not self.tensors("input"):
            return
        key = self.text, str(sizes), seed
        if key in self.inputs:
            path.write_bytes(self.inputs[key])
            return
        command([tool(self.fusec), "run", self.model, *self.which, *dim_flags(sizes), "--seed", seed,
                 "--save-in", path])
        self.inputs[key] = path.read_bytes()

    def check(self, sizes, inputs, skew=0):
        """Runs on the tensors of a file (None: it has no inputs), and compares, unless the same outputs
        of the same inputs have passed before; the same again with outputs in the memory of inputs,
        where they may be. Raises Failure."""
        in_place = any(t.over for t in self.tensors("output"))
        said = self.check_once(sizes, inputs, skew, False)
        if in_place:
            try:
                self.check_once(sizes, inputs, skew, True)
            except Failure as failure:
                raise Failure(f"in place: {failure}") from failure
        return said

    def check_once(self, sizes, inputs, skew, in_place):
        given = safetensors.read_bytes(inputs) if inputs else {}
        data = {t.name: given[self.names[t.name]][2] for t in self.tensors("input")}
        outputs = self.run(self.emitted(sizes), data, skew, in_place)
        path = self.folder / "outputs.safetensors"
        safetensors.write_bytes(path, {
            self.names[t.name]: (t.dtype, self.shape(t, sizes), outputs[t.name])
            for t in self.tensors("output")})
        key = digest(self.text, str(sizes).encode(), inputs.read_bytes() if inputs else b"",
                     path.read_bytes())
        if key not in self.agreed:
            dims = [*dim_flags(sizes), *(["--in", inputs] if inputs else [])]
            self.agreed[key] = command([tool(self.fusec), "run", self.model, *self.which, *dims,
                                        "--against", path])
        return self.agreed[key]


class CudaModel(EmittedModel):
    def __init__(self, fusec, model, flags, runtime, folder, edit=None):
        """edit: from the emitted text to the one that is compiled."""
        super().__init__(fusec, model, flags, ".cu", folder)
        if edit:
            self.emitted_file.write_text(edit(self.emitted_file.read_text()))
        self.program = folder / "program"
        emulate.build(self.emitted_file, emulate.caller(self.function), runtime, self.program)

    def run(self, sizes, data, skew, in_place):
        # With few, the blocks of a persistent kernel have several tiles each.
        multiprocessors = 132 if sum(sizes.values()) % 2 else 2
        return emulate.run([self.program], self.function, sizes, data, [skew, multiprocessors],
                           self.folder, in_place)
