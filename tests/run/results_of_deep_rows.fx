// Results of bf16 whose left operand is multiplied in place are stored by the micro-kernel only where all of
// k is one block.
// run: fusec run %s --check --device=cpu -D M=520 -D K=128 > checks
// run: fusec run %s --check --device=cpu -D M=520 -D K=136 --threads 2 > checks
// run: fusec run %s --check --device=cpu -D M=600 -D K=1024 > checks
// run: fusec %s --target=c -D M=520 -D K=136 --no-test -o %t.c
// run: cc -Og -march=haswell -ffp-contract=fast -fopenmp -Wno-psabi -Werror -c %t.c -o %t.o
fn deep[M, K](a: bf16[M, K], b: bf16[K, 64]) -> (y: bf16[M, 64]) { y = (a @ b) as bf16; }
// ---- expect
// fusec: remark: random inputs, seed 0: a, b
// fusec: remark: random inputs, seed 0: a, b
// fusec: remark: random inputs, seed 0: a, b
