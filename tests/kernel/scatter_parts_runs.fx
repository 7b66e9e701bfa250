// Sums of many elements in few rows: on a CPU in eight parts, whatever the number of threads, on a GPU by blocks.
// run: fusec run %s --check --fn=few -D N=40001 -D G=10
// run: fusec run %s --check --fn=few --device=cpu --threads 3 -D N=70000 -D G=300
// inputs: g 0..G
fn few[N, G](x: f32[N], g: i32[N], h: f64[N], q: i64[N, 2]) -> (a: f32[G], b: f32[G], c: f64[G], d: i64[G, 2], n: i32[G]) {
    a = scatter(full(1.0, G), g, x * 2);
    b = scatter(full(0.0, G), g, x * x) / max(a, 1);
    c = scatter(full(0.0, G) as f64, g, h);
    d = scatter(full(0, G, 2) as i64, g, q);
    n = scatter(full(0, G), g, 1);
}
