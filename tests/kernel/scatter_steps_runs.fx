// Sorts of many indices, in steps: of rows that are a group each, of groups of a few rows, and of more rows than a block
// has at a time; and of many more rows than indices. Scatters that count: with a sort that others need, and without one.
// run: fusec run %s --check --fn=sorted -D N=8195 -D V=130
// run: fusec run %s --check --fn=sorted -D N=8500 -D V=700
// run: fusec run %s --check --fn=few -D N=300 -D V=600
// run: fusec run %s --check --fn=few -D N=8200 -D V=140000
// run: fusec run %s --check --fn=counted -D N=9001 -D V=3
// run: fusec run %s --check --fn=counted -D N=301 -D V=13000
fn sorted[V, N](i: i32[N], x: f32[N, 2]) -> (y: f32[V, 2], last: f32[V, 2], n: i32[V], half: f32[3, V]) {
    y = scatter(full(1.0, V, 2), i, x);
    last = scatter(full(0.0, V, 2), i, x, with = set);
    n = scatter(full(1, V), i, 1);
    half = scatter(full(2.0, 3, V), i, -0.5, axis = 1);
}

fn few[V, N](i: i64[N], x: f64[N]) -> (y: f64[V], n: f32[V], m: f64[V]) {
    y = scatter(full(1.0, V) as f64, i, x);
    n = scatter(full(0.0, V), i, 1.0);
    m = scatter(full(0.0, V) as f64, i, 1.0) + y;
}

fn counted[V, N](a: i8[N], b: i32[N], base: i64[V]) -> (n: i32[V], m: f32[V], c: i64[V], e: i32[V, 2]) {
    n = scatter(full(0, V), b, 1);
    m = scatter(full(0.0, V), b, 0.25) / N;
    c = scatter(base, clamp(a as i32, 0, V - 1), 3);
    e = scatter(full(0, V, 2), b, 1);
}
