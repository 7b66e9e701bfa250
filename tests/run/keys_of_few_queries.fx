// Operands of products with few rows: one of each has the name k.
// run: fusec run %s --check --fn scores -D N=130
// run: fusec run %s --check --fn queries -D N=130
// run: fusec run %s --check --fn across -D N=130
fn scores[N](q: bf16[2, 8, 64], k: bf16[2, N, 64]) -> (y: f32[2, 8, N]) {
    y = q @ k.T;
}

fn queries[N](q: bf16[2, N, 64], k: bf16[2, 8, 64]) -> (y: f32[2, 8, N]) {
    y = k @ q.T;
}

fn across[N](q: bf16[2, 8, 64], k: bf16[2, 64, N]) -> (y: f32[2, 8, N]) {
    y = q @ k;
}
