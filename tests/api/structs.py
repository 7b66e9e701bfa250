#!/usr/bin/env python3
"""Compares the structs of the Python package (ctypes) with those of fusec.h: offsets and sizes of all
fields, as the C compiler tells them, and the sizes of the structs. Those that begin with their own size
may leave out the last fields.

    python3 tests/api/structs.py [CC]
"""
import ctypes
import importlib.util
import pathlib
import subprocess
import sys
import tempfile
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Where the names are not alike.
STRUCTS = {"DLDevice": "DLDevice", "DLDataType": "DLDataType", "DLTensor": "DLTensor",
           "MessageRecord": "FusecMessage", "ArgumentRecord": "FusecArgument",
           "DimRecord": "FusecDimInfo"}
FIELDS = {"DLDevice.type": "device_type", "DLDevice.number": "device_id"}


def structs():
    """Classes by the names in fusec.h; no library is loaded."""
    spec = importlib.util.spec_from_file_location("library", ROOT / "python/fusec/_library.py")
    module = importlib.util.module_from_spec(spec)
    with mock.patch("ctypes.CDLL"):
        spec.loader.exec_module(module)
    return {STRUCTS.get(name, f"Fusec{name}"): kind for name, kind in vars(module).items()
            if isinstance(kind, type) and issubclass(kind, ctypes.Structure)
            and hasattr(kind, "_fields_") and kind is not ctypes.Structure}


def by_ctypes(kind):
    """(name in fusec.h, offset, size) of each field."""
    for field, _type in kind._fields_:
        at = getattr(kind, field)
        yield FIELDS.get(f"{kind.__name__}.{field}", field), at.offset, at.size


def by_compiler(kinds, cc):
    """{struct: (size, {field: (offset, size)})}"""
    lines = []
    for name, kind in kinds.items():
        lines.append(f'    printf("{name} - 0 %zu\\n", sizeof({name}));')
        lines += [f'    printf("{name} {field} %zu %zu\\n", offsetof({name}, {field}), '
                  f"sizeof((({name} *)0)->{field}));" for field, _, _ in by_ctypes(kind)]
    text = ("#include <fusec.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void) {\n" +
            "\n".join(lines) + "\n}\n")
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "structs.c"), pathlib.Path(folder, "structs")
        source.write_text(text)
        subprocess.run([cc, "-I", ROOT / "runtime/include", source, "-o", program], check=True)
        told = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    found = {}
    for line in told.splitlines():
        name, field, offset, size = line.split()
        if field == "-":
            found[name] = int(size), {}
        else:
            found[name][1][field] = int(offset), int(size)
    return found


def faults(kind, size, fields):
    for field, offset, bytes_ in by_ctypes(kind):
        if (offset, bytes_) != fields[field]:
            yield f"{field}: offset {offset}, {bytes_} bytes; in fusec.h {fields[field]}"
    if "struct_size" not in fields and ctypes.sizeof(kind) != size:
        yield f"{ctypes.sizeof(kind)} bytes; in fusec.h {size}"


def main():
    kinds = structs()
    told = by_compiler(kinds, sys.argv[1] if len(sys.argv) > 1 else "cc")
    failed = 0
    for name, kind in kinds.items():
        wrong = list(faults(kind, *told[name]))
        failed += bool(wrong)
        for text in wrong:
            print(f"FAIL {name}, {kind.__name__} in Python: {text}")
    print(f"{len(kinds) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
