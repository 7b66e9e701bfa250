// run: fusec run %s --fn right --device=cpu --check
// run: fusec run %s --fn right --device=cpu --check -O0
// run: fusec run %s --fn right --device=cpu --check --threads=1 --repeat=2
// run: fusec run %s --fn left --device=cpu --check
// run: fusec run %s --fn both --device=cpu --check
// run: fusec run %s --fn narrow --device=cpu --check
// run: fusec run %s --fn bytes --device=cpu --check
// run: fusec run %s --fn quantised --device=cpu --check
// run: fusec run %s --fn quantised --device=cpu --check -O0
// run: fusec run %s --fn mixed --device=cpu --check
// run: fusec run %s --fn twice --device=cpu --check
// run: fusec run %s --fn batches --device=cpu --check
// run: fusec run %s --fn rows --device=cpu --check
// run: fusec run %s --fn merged --device=cpu --check
// run: fusec run %s --fn added --device=cpu --check
// run: fusec run %s --fn only_widened --device=cpu --check
// run: fusec run %s --fn not_products --device=cpu --check
// run: fusec run %s --fn rows_of_products --device=cpu --check
// run: fusec run %s --fn attends --device=cpu --check
// run: fusec run %s --fn unread --device=cpu --check
// run: fusec run %s --fn unread_copy --device=cpu --check

// Products whose right operand is a constant, an expression of constants, or a view of one.
@constant(w, b)
fn right(x: f32[37, 401], w: f32[401, 70], b: f32[70]) -> (y: f32[37, 70], z: f32[37, 401]) {
    y = x @ w + b;
    z = relu(y @ (w * 2).T);
}

@constant(w)
fn left(x: f32[401, 21], w: f32[37, 401]) -> (y: f32[37, 21]) {
    y = w @ x;
}

// What is computed from constants alone is an output, too.
@constant(w)
fn both(x: f32[65, 65], w: f32[65, 65]) -> (y: f32[65, 65], z: f32[65, 65]) {
    y = w @ w.T;
    z = y @ x;
}

// Kept narrow, and widened when it is read; right and left.
@constant(w, h, e)
fn narrow(x: bf16[15, 70], w: bf16[70, 33], h: f16[17, 15], e: f8e4m3[33, 40])
    -> (y: f32[15, 33], z: f32[17, 33], u: f32[15, 40]) {
    y = x @ w;
    z = (h as f32) @ y;
    u = y @ (e as f32);
}

@constant(w, u, h)
fn bytes(x: i8[15, 71], w: i8[71, 33], u: u8[71, 33], h: i8[30, 15])
    -> (y: i32[15, 33], z: i32[15, 33], s: i32[30, 33]) {
    y = x @ w;
    z = (x as i32) @ (u as i32);
    s = (h as i32) @ y;
}

// Bytes whose products are of floats stay bytes, too.
@constant(w, u)
fn quantised(x: f32[15, 71], w: i8[33, 71], u: u8[71, 33], s: f32[33]) -> (y: f32[15, 33], z: f32[15, 33]) {
    y = x @ (w as f32).T * s;
    z = x @ (u as f32);
}

// Right operands of one kernel, of several types.
@constant(gate, up)
fn mixed(x: f32[19, 70], gate: f32[70, 33], up: bf16[70, 33]) -> (y: f32[19, 33]) {
    y = silu(x @ gate) * (x @ (up as f32));
}

// Right operands of one kernel that are parts of one constant, in panels that stay as they are.
@constant(w)
fn twice(x: f32[19, 70], w: f32[70, 66]) -> (y: f32[19, 33]) {
    v, g = split(x @ w, 2);
    y = v * gelu(g);
}

@constant(w)
fn batches(x: f32[3, 19, 70], w: f32[3, 70, 33]) -> (y: f32[3, 19, 33], z: f32[3, 33, 19]) {
    y = x @ w;
    z = einsum("bkn,bmk->bnm", w, x);
}

// Reductions of constants run once.
@constant(w, s, t)
fn rows(x: f32[19, 70], w: f32[70, 33], s: f32[70], t: f32) -> (y: f32[19, 33]) {
    v = w * rsqrt(sum(w * w, axis = 0, keep = true));
    y = (x * softmax(s / t)) @ v;
}

// A product of constants, which another product reads.
@constant(w, a, b)
fn merged(x: f32[19, 70], w: f32[70, 33], a: f32[70, 4], b: f32[4, 33]) -> (y: f32[19, 33]) {
    y = x @ (w + a @ b);
}

@constant(gain, bias, table)
fn not_products(x: f32[19, 70], gain: f32[70], bias: f32[70], table: bf16[50, 70], ids: i32[19])
    -> (y: f32[19, 70], z: f32[70]) {
    y = layer_norm(x + take(table, ids, axis = 0), gain, bias);
    z = gain;
}

@constant(w)
fn rows_of_products(x: f32[37, 70], w: bf16[70, 48]) -> (y: f32[37, 48]) {
    y = softmax(x @ (w as f32));
}

@constant(k, v)
fn attends(q: f32[2, 37, 16], k: f32[2, 41, 16], v: f32[2, 41, 24]) -> (y: f32[2, 37, 24]) {
    y = softmax(q @ k.T) @ v;
}

@constant(w, u)
fn added(x: f32[19, 70], h: f32[19, 33], w: f32[70, 33], u: f32[33, 33]) -> (y: f32[19, 33]) {
    y = tanh(x @ w + h @ u);
}

@constant(x)
fn only_widened(x: f8e4m3[20, 30]) -> (y: f32[20, 20]) {
    t = x as bf16;
    y = t @ t.T;
}

// No computation is left that reads a constant.
@constant(w, m)
fn unread(x: f32[5, 7], w: f32[7, 7], m: bool[5]) -> (y: f32[5, 7]) {
    p = x @ w;
    y = where(m[:, None], p, p);
}

// Every row that is taken is the same.
@constant(i)
fn unread_copy(i: i32[8]) -> (y: f32[8, 2]) {
    y = take(softplus(full(0.5, 5, 2)), clamp(i, 0, 4), axis = 0);
}
