// Sums of f32 and bytes whose last panel has at most 16 columns: one vector of them is multiplied, where
// the micro-kernel stores results, and where sums go through memory.
// run: fusec run %s --check -D M=200 -D N=48 -D K=300 > checks
// run: fusec run %s --check -D M=131 -D N=5 -D K=64 > checks
// run: fusec run %s --check -D M=101 -D N=45 -D K=1100 > checks
// run: fusec run %s --check -D M=300 -D N=16 -D K=700 --threads=2 > checks
// run: fusec %s --target=c -D M=200 -D N=48 -D K=64 -o %t.c
// run: cc -Og -march=haswell -ffp-contract=fast -fopenmp -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t > checks
// run: cc -O1 -march=sapphirerapids -fopenmp -Wall -Wextra -Werror -Wno-psabi -S %t.c -o %t.s
fn f[M, N, K](a: f32[M, K], b: f32[K, N], c: i8[M, K], d: i8[K, N], e: u8[M, K], g: f32[N])
    -> (y: f32[M, N], z: i32[M, N], x: i32[M, N], w: f32[M, N]) {
    y = a @ b;
    z = (c as i32) @ (d as i32);
    x = (e as i32) @ (d as i32);
    w = relu(a @ (b + 1) + g);
}
