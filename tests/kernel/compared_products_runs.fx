// run: fusec run %s --check -D N=5 -D D=33 --fn largest
// run: fusec run %s --check -D N=64 -D D=8 --fn largest
// run: fusec run %s --check -D D=8 --fn back
// A product that is stored is not contracted with the sum behind it, in the loop that stores it. The
// largest sum is found in another loop: it is equal to one of the sums there, too.
fn largest[N, D](
    x: f32[N, D],
    w: f32[N, D],
    c: f32[N, D]
) -> (product: f32[N, D], rows: f32[N, D], columns: f32[N, D]) {
    product = x * w;
    sums = product + c;
    rows = where(sums == max(sums, keep = true), 1.0, 0.0);
    columns = where(sums <= min(sums, axis = 0), 1.0, 0.0);
}

fn least[D](q: f32[2, 5, D], k: f32[2, 5, D], v: f32[2, 5, D]) -> (y: f32[2, 5, D]) {
    u = softmax(q @ k.T) @ v - q;
    y = u * min(u, axis = [0, 1], keep = true);
}

fn back = vjp(least);
