// 64-bit lanes fill two registers: their loads, stores, folds and running sums are of both halves, with
// fewer elements than one half, than both, and more. NaN is the largest and the smallest of f64.
// run: fusec run %s --fn=integers --check --device=cpu -D N=1 > checks
// run: fusec run %s --fn=integers --check --device=cpu -D N=7 > checks
// run: fusec run %s --fn=integers --check --device=cpu -D N=11 > checks
// run: fusec run %s --fn=integers --check --device=cpu -D N=37 > checks
// run: fusec run %s --fn=floats --check --device=cpu -D N=1 > checks
// run: fusec run %s --fn=floats --check --device=cpu -D N=7 > checks
// run: fusec run %s --fn=floats --check --device=cpu -D N=11 > checks
// run: fusec run %s --fn=floats --check --device=cpu -D N=37 > checks
// run: fusec %s --target=c -o %t.c
// run: cc -O2 -march=haswell -ffp-contract=fast -fopenmp -DFUSEC_MAIN -Wno-psabi %t.c -o %t -lm
// run: ./%t N=3 > checks
// run: grep -c ok checks
// run: ./%t N=37 > checks
// run: grep -c ok checks
// run: cc -O2 -march=x86-64 -fopenmp -DFUSEC_MAIN -Wno-psabi %t.c -o %t -lm
// run: ./%t N=37 > checks
// run: grep -c ok checks
fn integers[N](x: i64[9, N], y: i64[9, N])
    -> (most: i64[9], least: i64[9], at: i32[9], sums: i64[9, N], larger: i64[9, N]) {
    most = max(x - y, axis = 1);
    least = min(x - y, axis = 1);
    at = argmax(x - y, axis = 1);
    sums = cumsum(x * y, axis = 1);
    larger = max(x, abs(y - 5));
}
fn floats[N](x: f64[9, N], y: f64[9, N])
    -> (total: f64[9], most: f64[9], least: f64[9], at: i32[9], sums: f64[9, N], larger: f64[9, N]) {
    some = where(iota(N) == 4 && iota(9)[:, None] > 4, 0 / (x - x), x);
    total = sum(x, axis = 1);
    most = max(some, axis = 1);
    least = min(some, axis = 1);
    at = argmax(some, axis = 1);
    sums = cumsum(x, axis = 1);
    larger = max(some, y);
}
// ---- expect
// fusec: remark: random inputs, seed 0: x, y
// fusec: remark: random inputs, seed 0: x, y
// fusec: remark: random inputs, seed 0: x, y
// fusec: remark: random inputs, seed 0: x, y
// fusec: remark: random inputs, seed 0: x, y
// fusec: remark: random inputs, seed 0: x, y
// fusec: remark: random inputs, seed 0: x, y
// fusec: remark: random inputs, seed 0: x, y
// 2
// 2
// 2
