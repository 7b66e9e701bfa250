#!/usr/bin/env python3
"""Runs emitted C for arm64 under qemu, and compares with the evaluator: every model in examples/,
compiled for any size, with each of the small ones that its comments name.

    python3 tests/arm64/models.py FUSEC [NAME..]
"""
import os
import pathlib
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "shim")]
import emulate  # noqa: E402
from cuda_model import EmittedModel, dims_of  # noqa: E402
from emulate import Failure, command  # noqa: E402
from examples import EXAMPLES, Example, has_libclang  # noqa: E402

MAIN = pathlib.Path(__file__).with_name("program.c")
COMPILER, EMULATOR = "aarch64-linux-gnu-gcc", "qemu-aarch64"
# -O1 compiles in half the time of -O2; the loops whose code matters are those of instructions.py.
FLAGS = ["-O1", "-ffp-contract=fast", "-Wall", "-Wextra", "-Werror", "-fopenmp"]
SKIPPED = 77


def caller(function):
    """The functions that program.c calls. Constants are prepared in the end of the workspace."""
    def tensors(parameters):
        return "".join(f"tensors[{function.tensors.index(t)}], " for t in parameters)

    def sizes(names):
        return "".join(f"sizes[{function.sizes.index(name)}], " for name in names)
    given = sizes(function.sizes)
    prepared, prepare, bytes_ = "", "", f"{function.name}_workspace({given[:-2]})"
    if function.prepared is not None:
        known, prepared = sizes(function.prepared_sizes), "prepared, "
        prepare = (f"    void *const prepared = (char *)workspace + ({bytes_} + 63) / 64 * 64;\n"
                   f"    if ({function.name}_prepare({tensors(function.prepared)}{known}prepared))\n"
                   "        return 1;\n")
        bytes_ = f"({bytes_} + 63) / 64 * 64 + {function.name}_prepared_size({known[:-2]})"
    return ("long long program_workspace(const long long *sizes);\n"
            "int program_call(void *const *tensors, const long long *sizes, void *workspace);\n"
            "long long program_workspace(const long long *sizes) {\n    (void)sizes;\n"
            f"    return {bytes_};\n}}\n"
            "int program_call(void *const *tensors, const long long *sizes, void *workspace) {\n"
            f"    (void)tensors, (void)sizes;\n{prepare}"
            f"    return {function.name}({tensors(function.called)}{given}{prepared}workspace);\n}}\n")


class Arm64Model(EmittedModel):
    def __init__(self, fusec, model, main, folder):
        """main: program.c as an object file."""
        super().__init__(fusec, model, [], ".c", folder)
        with open(self.emitted_file, "a") as file:
            file.write(caller(self.function))
        self.program = folder / "program"
        command([COMPILER, *FLAGS, "-static", self.emitted_file, main, "-o", self.program, "-lm"])

    def run(self, sizes, data, _skew, _in_place):
        return emulate.run([EMULATOR, self.program], self.function, sizes, data, [], self.folder)


def attempt(fusec, example, main, folder):
    """A message for each size, empty where it passes."""
    try:
        model = Arm64Model(fusec, example.path, main, folder)
    except Failure as failure:
        return [f"FAIL {example.name}: {failure}"]
    messages = []
    for flags in example.small:
        try:
            sizes, inputs = dims_of(flags), folder / "inputs.safetensors"
            model.write_inputs(sizes, inputs)
            model.check(sizes, inputs if model.tensors("input") else None)
            messages.append("")
        except Failure as failure:
            messages.append(f"FAIL {example.name}, {flags}: {failure}")
    return messages


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if not all(shutil.which(tool) for tool in (COMPILER, EMULATOR)):
        print(f"skipped: {COMPILER} or {EMULATOR} is missing")
        sys.exit(SKIPPED)
    fusec, names = sys.argv[1], sys.argv[2:]
    examples = [Example(path) for path in sorted(EXAMPLES.glob("*.fx"))
                if not names or path.stem in names]
    if not has_libclang(fusec):
        examples = [example for example in examples if not example.imports]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = pathlib.Path(name)
        main_object = folder / "main.o"
        command([COMPILER, "-O1", "-c", MAIN, "-o", main_object])

        def in_folder(example):
            (folder / example.name).mkdir()
            return attempt(fusec, example, main_object, folder / example.name)
        for messages in pool.map(in_folder, examples):
            for message in messages:
                passed, failed = passed + (not message), failed + bool(message)
                if message:
                    print(message, flush=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
