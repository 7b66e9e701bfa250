// Shares of a total end in exactly 1: an element of running sums that is read again is the same number.
// run: fusec run %s --check -D N=200 -D D=1000
fn shares[N, D](x: f32[N, D]) -> (wrong: i32) {
    c = cumsum(abs(x));
    y = c / c[:, D - 1:];
    wrong = sum((y[:, D - 1] != 1) as i32);
}
// ---- expect
// wrong: i32  mean 0  max 0  checksum b87af8dc9a95beeb
// wrong: ok
// fusec: remark: random inputs, seed 0: x
