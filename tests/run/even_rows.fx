// Few rows are divided evenly among the panels of the micro-kernel, whatever its registers hold.
// Functions of a file share the micro-kernels that are equal.
// run: fusec run %s --fn product --check -D M=9 > checks
// run: fusec run %s --fn product --check -D M=16 > checks
// run: fusec %s --target=c -o %t.c -D M=16
// run: cc -Og -march=x86-64 -DVL=16 -DFUSEC_MAIN -Wno-psabi %t.c -o %t -lm
// run: ./%t > checks
// run: cc -Og -march=x86-64 -DVL=4 -DFUSEC_MAIN -Wno-psabi %t.c -o %t -lm
// run: ./%t > checks
fn product[M](x: f32[M, 50], w: f32[50, 70], r: f64[M, 50], s: f64[50, 40]) -> (y: f32[M, 70], z: f64[M, 40]) {
    y = x @ w;
    z = r @ s;
}

fn product_and_more[M](x: f32[M, 50], w: f32[50, 70]) -> (y: f32[M, 70]) {
    y = exp(x @ w);
}
