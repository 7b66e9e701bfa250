#!/usr/bin/env python3
"""threads.py FUSEC CC: emitted C of every way in which threads share work, for open sizes, or known ones
where columns are split along their length. A small call wakes no threads. Results have the same bits
whatever omp_set_num_threads says, and within a parallel region of the application, whose threads call at
the same time."""
import pathlib
import subprocess
import sys
import tempfile

MODEL = """
fn columns[M, N](x: f32[M, N]) -> (y: f32[N]) { y = sum(x, axis = 0); }
fn variance[M, N](x: f32[M, N]) -> (y: f32[N]) { y = var(x, axis = 0); }
fn few_columns[M, N](x: f32[8192, 64], z: f32[M, N]) -> (y: f32[M, N]) { y = z + sum(var(x, axis = 0)); }
fn turned[M, N](x: f32[M, N]) -> (y: f32[N, M]) { y = x.T; }
fn padded[M, N](x: f32[M, N]) -> (y: f32[M, N + 2]) { y = pad(x, 1, 1, 1); }
fn rows[M, N](x: f32[M, N]) -> (y: f32[M, N]) { y = softmax(x); }
fn product[M, N](x: f32[M, N]) -> (y: f32[M, M]) { y = x @ x.T; }
fn across[M, N](x: f32[M, N], v: f32[M]) -> (y: f32[N]) { y = v @ x; }
fn along[M, N](x: f32[M, N], v: f32[N]) -> (y: f32[M]) { y = x @ v; }
fn bytes[M, N](v: f32[2, N], w: i8[M, N]) -> (y: f32[2, M]) { y = v @ (w as f32).T; }
fn nibbles[M, N](v: f32[1, 2*N], w: u8[M, N]) -> (y: f32[1, M]) {
    y = v @ ((concat(w % 16, w / 16, axis = 1) - 8) as f32).T;
}
"""
CALLS = {"columns": "x", "variance": "x", "few_columns": "x, x", "turned": "x", "padded": "x", "rows": "x", "product": "x",
         "across": "x, x", "along": "x, x", "bytes": "x, (const int8_t *)x",
         "nibbles": "x, (const uint8_t *)x"}
KNOWN = ("few_columns",)  # of work whose size does not depend on that of a call

MAIN = """
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
enum { MOST = 1 << 20 };
static float x[MOST], y[4][MOST];
static int woken;
void GOMP_parallel(void (*run)(void *), void *data, unsigned threads, unsigned flags) {
    void (*real)(void (*)(void *), void *, unsigned, unsigned);
    *(void **)&real = dlsym(RTLD_NEXT, "GOMP_parallel");
    woken += threads != 1;
    real(run, data, threads, flags);
}
static void call(float *to, int64_t M, int64_t N) {
    const int64_t size = NAME_workspace(M, N);
    void *workspace = aligned_alloc(64, (size_t)(size + 127) / 64 * 64);
    if (!workspace || NAME(ARGUMENTS, to, M, N, workspace)) exit(2);
    free(workspace);
}
static void compare(const char *how, int threads) {
    for (int i = 1; i < 4; i++)
        if (memcmp(y[0], y[i], sizeof y[0])) printf("NAME: %s, %d threads: other bits\\n", how, threads);
}
int main(void) {
    for (int i = 0; i < MOST; i++) x[i] = (float)(i * 7919 % 1009) / 512 - 1;
    omp_set_num_threads(4);
    call(y[0], 16, 24);
    if (woken && !KNOWN) printf("NAME: a small call wakes %d teams\\n", woken);
    for (int threads = 1; threads <= 7; threads += 2) {
        omp_set_num_threads(threads);
        for (int i = threads > 1; i < 4; i++) call(y[i], 611, 903);
        compare("one call", threads);
#pragma omp parallel for num_threads(3)
        for (int i = 1; i < 4; i++) {
            omp_set_num_threads(threads);
            call(y[i], 611, 903);
        }
        compare("calls at the same time", threads);
    }
    if (!woken) printf("NAME: a large call wakes no team\\n");
}
"""


def main():
    fusec, cc = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2]
    if "Free Software Foundation" not in subprocess.run([cc, "--version"], capture_output=True, text=True).stdout:
        sys.exit(77)  # GOMP_parallel is gcc's
    failed = False
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "model.fx").write_text(MODEL)
        for function, arguments in CALLS.items():
            subprocess.run([fusec, "model.fx", "--fn", function, "--target=c", "--no-test", "-o", "f.c"],
                           cwd=folder, check=True)
            text = MAIN.replace("NAME", function).replace("ARGUMENTS", arguments)
            text = text.replace("KNOWN", str(int(function in KNOWN)))
            (folder / "main.c").write_text('#define _GNU_SOURCE\n#include "f.c"\n' + text)
            subprocess.run([cc, "-O1", "-march=native", "-fopenmp", "-w", "-Wno-psabi", "main.c", "-o", "main", "-lm",
                            "-ldl"], cwd=folder, check=True)
            done = subprocess.run(["./main"], cwd=folder, capture_output=True, text=True)
            print(done.stdout, end="")
            failed |= done.returncode != 0 or bool(done.stdout)
    sys.exit(failed)


if __name__ == "__main__":
    main()
