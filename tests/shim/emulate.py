"""Runs an emitted .cu file on the CPU: rewrites its launches, compiles it with cuda.h before it and
the shim's runtime beside it, and gives it tensors.

The text is changed in two ways only, where it is not C++: `k<<<grid, block, shared, stream>>>(..)`
becomes `shim::launcher(k, "k", bounds, grid, block, shared, stream)(..)`, where bounds is what
k's __launch_bounds__ and __cluster_dims__ say, and `asm("text" : "=f"(x) : "r"(y))` becomes `shim_ptx("text", "=f,r",
x, y)`. What calls the function, and the arrays that `extern __shared__` speaks
of, are added behind it.
"""
import fcntl
import hashlib
import pathlib
import re
import shutil
import subprocess
from dataclasses import dataclass

SHIM = pathlib.Path(__file__).resolve().parent
COMPILER = "g++"
LINKER = ["-fuse-ld=gold"] if shutil.which("ld.gold") else [] # takes half the time of ld
BOUNDS = 1024  # threads of a block, where __launch_bounds__ does not say
SHARED = 227 << 10  # most bytes of dynamic shared memory
RUNTIME_FLAGS = ["-std=c++17", "-O3", "-Wall", "-Wextra"]
# Without optimisation nothing is merged or left out before it is checked. Without PIE addresses
# of instructions fit 32 bits; addr2line misreads the files of inlined calls in DWARF 5. Variables
# that nothing has set hold huge numbers. C's <math.h>: that of C++17 instantiates templates for 40 ms.
# tests/examples.py looks for warnings.
FLAGS = ["-std=c++17", "-nostdinc++", "-O0", "-g1", "-gdwarf-4", "-fno-pie",
         "-fno-extern-tls-init", "-fsanitize=thread", "-ftrivial-auto-var-init=pattern",
         "-fsanitize=bounds,alignment,shift,signed-integer-overflow,integer-divide-by-zero,"
         "float-cast-overflow,bool", "-fsanitize-undefined-trap-on-error", "-w"]
BYTES = {"f64": 8, "f32": 4, "f16": 2, "bf16": 2, "f8e4m3": 1, "f8e5m2": 1, "i64": 8, "i32": 4,
         "i8": 1, "u8": 1, "bool": 1}
TIMEOUT = 600  # seconds


class Failure(Exception):
    def kind(self):
        """What went wrong, without the names and numbers of this program."""
        text = str(self)
        found = (re.search(r"wrong \(.*?\)", text) or
                 re.search(r"error: (?:[a-z]+ )*(?:[a-z]+:)?", text))
        return found[0] if found else text.split("\n")[0][:40]


def command(arguments, **options):
    arguments = [str(a) for a in arguments]
    result = subprocess.run(arguments, capture_output=True, text=True, timeout=TIMEOUT, **options)
    if result.returncode:
        raise Failure(f"exit status {result.returncode}: {' '.join(arguments)[:400]}\n"
                      f"{result.stdout[-4000:]}{result.stderr[-4000:]}")
    return result.stdout


# ---- the text -------------------------------------------------------------------------------------

@dataclass
class Parameter:
    kind: str  # "input" or "output"
    name: str
    dtype: str
    shape: list  # expressions of sizes
    consumed: bool = False  # an input that a call may overwrite
    over: str | None = None  # an output: the consumed input whose memory may be given for it


@dataclass
class Function:
    """The function of an emitted file that an application calls."""
    name: str
    called: list  # of Parameter
    sizes: list  # names
    prepared: list | None = None  # parameters of NAME_prepare; None: there is none
    prepared_sizes: list | None = None

    @property
    def tensors(self):
        """All, each once: constants that calls do not take come last."""
        names = {t.name for t in self.called}
        return self.called + [t for t in self.prepared or [] if t.name not in names]


def parameters(comment):
    """(tensors, names of sizes)"""
    tensors = [Parameter("input" if kind == "in" else "output", name, dtype,
                         shape.split(", ") if shape else [])
               for name, kind, dtype, shape in
               re.findall(r"^ \*   (\w+) +(in|out) +(\w+)(?:\[(.*?)\]|, a pointer to one)?$",
                          comment, re.M)]
    consumed = re.search(r"What\s[* ]*is\s[* ]*in\s(.*?)\safter\s[* ]*a\s", comment, re.S)
    for t in tensors:
        t.consumed = bool(consumed) and t.name in re.findall(r"\w+", consumed[1])
    words = " ".join(re.sub(r"^ \*", "", comment, flags=re.M).split())
    over = dict(re.findall(r"(\w+) (?:may have the memory|that) of (\w+)", words))
    for t in tensors:
        t.over = over.get(t.name)
    sizes = re.search(r"^ \*   (\w+(?:, \w+)*) +sizes$", comment, re.M)
    return tensors, sizes[1].split(", ") if sizes else []


def functions(text):
    """Those of an emitted file, by the comment that stands above each."""
    prepare = {match[1]: parameters(match[2]) for match in
               re.finditer(r"^/\* (\w+)_prepare: (?:comput|prepar)es (.*?)\*/", text, re.M | re.S)}
    return [Function(match[1], *parameters(match[2]), *prepare.get(match[1], (None, None)))
            for match in re.finditer(r"^/\* (\w+): tensors are row-major and contiguous(?:, in device "
                                     r"memory)?\.\n(.*?)\*/", text, re.M | re.S)]


def bounds_of(text):
    """By the names of kernels."""
    kernels = re.findall(r"(?:__cluster_dims__\((\d+), 1, 1\) )?__launch_bounds__\((\d+)(?:, \d+)?\)"
                         r"\s*void (\w+)\(", text)
    return {name: f"shim::Bounds({threads}, {cluster or 1})" for cluster, threads, name in kernels}


def with_launches(text):
    bounds = bounds_of(text)

    def rewrite(match):
        name = match[1]
        return f'shim::launcher({name}, "{name}", {bounds.get(name, BOUNDS)}, {match[2]})'
    return re.sub(r"(\w+)<<<(.*?)>>>", rewrite, text, flags=re.S)


def top_level(text, separator):
    """Parts of a text between separators that are in no parentheses, brackets or string."""
    parts, depth, string, start = [], 0, False, 0
    for i, c in enumerate(text):
        string ^= c == '"'
        depth += (c in "([{") - (c in ")]}") if not string else 0
        if c == separator and not depth and not string:
            parts.append(text[start:i])
            start = i + 1
    return [*parts, text[start:]]


def with_instructions(text):
    def operands(part):
        return [re.fullmatch(r'\s*"(.+?)"\((.*)\)\s*', x, re.S).groups()
                for x in top_level(part, ",") if x.strip()]

    def rewrite(match):
        parts = top_level(match[2], ":")
        pairs = [pair for part in parts[1:3] for pair in operands(part)]
        values = "".join(f", {value}" for _, value in pairs)
        lines = "\n" * (match[0].count("\n") - parts[0].count("\n") - values.count("\n"))
        return f'shim_ptx({parts[0]}, "{",".join(c for c, _ in pairs)}"{values});{lines}'
    return re.sub(r"\basm( volatile)?\((.*?)\);(?=\s*(?:$|\}))", rewrite, text, flags=re.S | re.M)


def dynamic_arrays(text):
    """Defines those that `extern __shared__` declares, and a list of them."""
    arrays = dict((name, kind) for kind, name in
                  re.findall(r"extern __shared__ (?:__align__\(\d+\) )?([\w ]+?) (\w+)\[\]", text))
    lines = [f"alignas(1024) thread_local {kind} {name}[{SHARED} / sizeof({kind})];"
             for name, kind in arrays.items()]
    cases = "".join(f" case {i}: return {name};" for i, name in enumerate(arrays))
    lines.append(f'extern "C" void *shim_dynamic(int i) {{ switch (i) {{{cases} }} return nullptr; }}')
    return "\n".join(lines)


def caller(function):
    """Prepared memory is behind the workspace."""
    def tensors(of):
        return "".join(f"tensors[{[t.name for t in function.tensors].index(p.name)}], " for p in of)

    def sizes(of):
        return "".join(f"sizes[{function.sizes.index(name)}], " for name in of)

    name = f"::{function.name}"  # parameters of the caller may have the same name
    given, workspace = sizes(function.sizes), f"{name}_workspace"
    prepared, prepare, bytes_ = "", "", f"{workspace}({given[:-2]})"
    if function.prepared is not None:
        known = sizes(function.prepared_sizes)
        prepared = "prepared, "
        bytes_ = f"({bytes_} + 255) / 256 * 256"
        prepare = (f"    void *const prepared = (char *)workspace + {bytes_};\n"
                   f"    const int status = {name}_prepare({tensors(function.prepared)}"
                   f"{known}prepared, nullptr);\n    if (status) return status;\n")
        bytes_ += f" + {name}_prepared_size({known[:-2]})"
    return (f'extern "C" long long shim_workspace([[maybe_unused]] const long long *sizes) {{\n'
            f"    return {bytes_};\n}}\n"
            f'extern "C" int shim_call([[maybe_unused]] void *const *tensors,\n'
            f"                         [[maybe_unused]] const long long *sizes, void *workspace) {{\n"
            f"{prepare}    return {name}({tensors(function.called)}{given}{prepared}"
            f"workspace, nullptr);\n}}\n")


# ---- compiling ------------------------------------------------------------------------------------

def build_runtime(main=SHIM / "program.cpp"):
    """An object file of all of it, with `main`; beside it cuda.h, precompiled. They stay in a folder
    named by a hash of what they are made of; who comes meanwhile waits."""
    files = sorted({*SHIM.glob("*.cpp")} - {SHIM / "program.cpp"} | {main})
    made_of = [repr((FLAGS, RUNTIME_FLAGS, files, command([COMPILER, "--version"]))).encode()]
    made_of += [path.read_bytes() for path in [*files, *sorted(SHIM.glob("*.h"))]]
    folder = SHIM.parents[1] / "build/shim" / hashlib.sha256(b"".join(made_of)).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    target, unfinished = folder / "runtime.o", folder / "unfinished.o"
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not target.exists():
            source = folder / "runtime.cpp"
            source.write_text("".join(f'#include "{path}"\n' for path in files))
            command([COMPILER, *FLAGS, "-x", "c++-header", SHIM / "cuda.h", "-o",
                     folder / "cuda.h.gch"])
            command([COMPILER, *RUNTIME_FLAGS, "-I", SHIM, "-c", source, "-o", unfinished])
            unfinished.rename(target)
    return target


def build(cu, call, runtime, program):
    """Compiles the emitted file `cu`, and behind it the text that `caller` makes, to `program`."""
    text = cu.read_text()
    source = program.with_suffix(".cpp")
    source.write_text(f'# 1 "{cu.name}"\n{with_instructions(with_launches(text))}\n# 1 "caller"\n'
                      f"{dynamic_arrays(text)}\n{call}")
    command([COMPILER, *FLAGS, "-include", runtime.with_name("cuda.h"), "-c", source, "-o",
             program.with_suffix(".o")])
    command([COMPILER, *LINKER, "-no-pie", program.with_suffix(".o"), runtime, "-o", program])


# ---- running --------------------------------------------------------------------------------------

def value(expression, sizes):
    return int(eval(expression.replace("/", "//"), {}, sizes))


def run(program, function, sizes, inputs, more, folder, in_place=False):
    """The bytes of each output by its name. program: its command, as that of program.cpp, `more` the
    arguments before the sizes. inputs: name -> bytes. in_place: outputs are in the memory of inputs,
    where they may be. Raises Failure with the message of the shim."""
    lines, counts = [], {}
    names = [t.name for t in function.tensors]
    for t in function.tensors:
        count = 1
        for size in t.shape:
            count *= value(size, sizes)
        counts[t.name] = count * BYTES[t.dtype]
        kind = "consumed" if t.consumed else t.kind
        if in_place and t.over:
            kind = f"over:{names.index(t.over)}"
        lines.append(f"{kind} {t.name} {BYTES[t.dtype]} {count}\n")
    files = [pathlib.Path(folder, name) for name in ("inputs.bin", "outputs.bin")]
    files[0].write_bytes(b"".join(inputs[t.name] for t in function.tensors if t.kind == "input"))
    command([*program, *files, *more, *(sizes[name] for name in function.sizes)], input="".join(lines))
    data, at, outputs = files[1].read_bytes(), 0, {}
    for t in function.tensors:
        if t.kind == "output":
            outputs[t.name] = data[at:at + counts[t.name]]
            at += counts[t.name]
    return outputs
