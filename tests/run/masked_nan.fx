// NaN in v and k where a mask hides them, in tiles that are hidden as a whole: kernels skip these, and
// one kernel for each operation does not: both are right; forward and backward.
// run: fusec run %s --check --fn=forward -D S=24 -D T=200 --range seen=-2..-1
// run: fusec run %s --check --fn=forward -D S=24 -D T=200 --range seen=-2..-1 -O 0
// run: fusec run %s --check --fn=forward -D S=24 -D T=200 --range seen=39..40
// run: fusec run %s --check --fn=backward -D S=24 -D T=200 --range seen=39..40
// run: fusec run %s --check --fn=backward -D S=24 -D T=200 --range seen=39..40 -O 0
// run: fusec run %s --check --fn=backward -D S=24 -D T=200 --range seen=-2..-1
// run: fusec run %s --check --fn=backward -D S=24 -D T=200 --range seen=-2..-1 -O 0
fn poisoned[T](x: f32[2, T, 16]) -> (y: f32[2, T, 16]) {
    y = where(iota(T)[:, None] < 128, x, log(-1 - abs(x)));
}

fn attention[S, T](q: f32[2, S, 16], k: f32[2, T, 16], v: f32[2, T, 16], seen: i32)
    -> (o: f32[2, S, 16]) {
    o = softmax(where(iota(T) < seen, q @ k.T, -inf)) @ v;
}

fn derived = vjp(attention);

fn forward[S, T](q: f32[2, S, 16], k: f32[2, T, 16], v: f32[2, T, 16], seen: i32)
    -> (o: f32[2, S, 16]) {
    o = attention(q, poisoned(k), poisoned(v), seen);
}

fn backward[S, T](q: f32[2, S, 16], k: f32[2, T, 16], v: f32[2, T, 16], seen: i32, do: f32[2, S, 16])
    -> (dq: f32[2, S, 16], dk: f32[2, T, 16], dv: f32[2, T, 16]) {
    dq, dk, dv = derived(q, poisoned(k), poisoned(v), seen, do);
}
