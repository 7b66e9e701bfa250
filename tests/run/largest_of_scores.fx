// Scores of an attention are computed again in its backward, and may round otherwise: the derivative of
// a maximum compares those that it was found among.
// run: fusec run %s --fn back --check --device=cpu
// run: fusec run %s --fn back_of_exponentials --check --device=cpu
fn attention(
    q: f32[3, 5, 4],
    k: f32[1, 7, 4],
    v: f32[1, 7, 64],
    w: f32[8, 5]
) -> (o: bf16[3, 5, 64], r: f32[8, 3, 5, 7]) {
    s = q @ k.T;
    r = einsum("abc,kb->kabc", s - max(s, axis = 0, keep = true), w);
    o = (softmax(s) as bf16) @ v;
}

fn back = vjp(attention);

fn exponentials(
    k: f32[2, 2, 7, 8],
    q: f32[2, 2, 1, 16],
    v: f32[2, 2, 7, 8],
    kp: f32[2, 7, 8]
) -> (o: f32[2, 2, 1, 8], most: f32[2, 2, 1], t: f32[2, 2, 1, 8]) {
    s = q @ concat(k, broadcast(kp[:, None], 2, 2, 7, 8)).T;
    p = exp(s - 2);
    most = max(s);
    t = p @ (v * 2);
    o = p @ v;
}

fn back_of_exponentials = vjp(exponentials);
