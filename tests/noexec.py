#!/usr/bin/env python3
"""Where TMPDIR is on a file system that forbids code, the error says so, and nothing is left there.
Skipped (77) where such a file system cannot be mounted without privileges.

    python3 tests/noexec.py FUSEC
"""
import os
import pathlib
import subprocess
import sys
import tempfile

MODEL = "fn f[N](x: f32[N]) -> (y: f32[N]) { y = x; }\n"
MOUNT = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
         'mount -t tmpfs -o noexec none "$0" && "$@"; status=$?; ls -A "$0"; exit $status']


def run_in(folder, *command):
    try:
        return subprocess.run([*MOUNT, folder, *command], capture_output=True, text=True,
                              env=dict(os.environ, TMPDIR=str(folder)), timeout=600)
    except FileNotFoundError:
        sys.exit(77)


def main():
    fusec = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as work:
        folder, model = pathlib.Path(work, "noexec"), pathlib.Path(work, "m.fx")
        folder.mkdir()
        model.write_text(MODEL)
        if run_in(folder, "true").returncode:
            sys.exit(77)
        done = run_in(folder, fusec, "run", model, "-D", "N=4")
    wanted = f"code cannot be run from {folder} (is it mounted noexec?): set TMPDIR to a folder"
    if done.returncode != 3 or wanted not in done.stderr or done.stdout:
        sys.exit(f"exit status {done.returncode}\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    main()
