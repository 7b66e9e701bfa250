"""For tests that run Python with packages of others, which the Python that runs the tests may lack."""
import subprocess
import sys


def python_with(*packages):
    """The command of a Python here that has all of these; None: there is none."""
    for name in (sys.executable, "/usr/bin/python3"):
        if not subprocess.run([name, "-c", f"import {', '.join(packages)}"],
                              stderr=subprocess.DEVNULL).returncode:
            return name
    return None


def sanitizer_environment(library):
    """What a Python needs that loads a library which was built with AddressSanitizer; {} for another."""
    if b"__asan_init" not in library.read_bytes():
        return {}
    asan = subprocess.run(["gcc", "-print-file-name=libasan.so"], stdout=subprocess.PIPE, text=True)
    return {"LD_PRELOAD": asan.stdout.strip(), "ASAN_OPTIONS": "detect_leaks=0"}
