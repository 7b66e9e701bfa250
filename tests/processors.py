"""Earlier processors of this family, as C compilers that compile for them what asks for this machine:
emitted C has lanes and micro-kernels for each width of vectors, and -march=native chooses but one."""
import pathlib
import platform

SCRIPT = """#!/usr/bin/env bash
exec cc "${{@/#-march=native/-march={name}}}"
"""
NEEDS = {"x86-64": set(), "haswell": {"avx2", "fma", "bmi2", "f16c"}}


def compilers(folder):
    """Paths for $CC: those of the processors whose code runs here, by the widths of their vectors."""
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    if platform.machine() != "x86_64" or not cpuinfo.exists():
        return []
    has = set(next((line for line in cpuinfo.read_text().splitlines() if line.startswith("flags")),
                   "").split())
    paths = []
    for name, needed in NEEDS.items():
        if needed <= has:
            path = pathlib.Path(folder) / f"cc_{name}"
            path.write_text(SCRIPT.format(name=name))
            path.chmod(0o755)
            paths.append(str(path))
    return paths
