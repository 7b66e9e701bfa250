"""Other processors of this family, as C compilers that compile for them what asks for this machine:
emitted C has lanes and micro-kernels for each width of vectors, and -march=native chooses but one."""
import pathlib
import platform

SCRIPT = """#!/usr/bin/env bash
exec cc "${{@/#-march=native/-march={name}}}" {more} {warnings}
"""
# No text may have a warning; -Wno-psabi: of GCC about vectors, which stay in their file.
WARNINGS = "-Wall -Wextra -Werror -Wno-psabi"
AVX2 = {"avx2", "fma", "bmi2", "f16c"}
AVX512 = {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}
AMX = "-mamx-tile -mamx-bf16 -mamx-int8"  # its layouts; where it is not, products of tiles are computed without
NEEDS = {"x86-64": set(), "haswell": AVX2, "x86-64-v4": AVX2 | AVX512}  # v4: no products of narrow types


def features():
    """Of this processor, by Linux's names; None of another family."""
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    if platform.machine() != "x86_64" or not cpuinfo.exists():
        return None
    lines = cpuinfo.read_text().splitlines()
    return set(next((line for line in lines if line.startswith("flags")), "").split())


def compilers(folder):
    """Paths for $CC: those of the processors whose code runs here, by the widths of their vectors. What
    has no AVX-512 takes 16 lanes in narrower registers."""
    has = features()
    if has is None:
        return []
    chosen = [(name, "") for name, needed in NEEDS.items() if needed <= has]
    if not AVX512 <= has:
        chosen.append(("x86-64", "-DVL=16"))
    else:
        chosen.append(("x86-64-v4", AMX))
    paths = []
    for name, more in chosen:
        path = pathlib.Path(folder) / f"cc_{name}{more.replace(' ', '')}"
        path.write_text(SCRIPT.format(name=name, more=more, warnings=WARNINGS))
        path.chmod(0o755)
        paths.append(str(path))
    return paths
