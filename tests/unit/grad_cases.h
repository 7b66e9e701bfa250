/* grad_cases.h: functions whose derivatives test_grad.c compares with central differences: their
 * text, the sizes of their dims, and the range of their inputs (away from where they jump). */
#ifndef FUSEC_GRAD_CASES_H
#define FUSEC_GRAD_CASES_H

#include <math.h>
#include <stdint.h>

typedef struct GradCase {
    const char *text; /* of the function f; of an example, its name */
    int64_t symbols[8];
    double lo, hi;
    const char *function; /* of an example */
} GradCase;

#define ONE(body) "fn f[N](x: f64[N]) -> (y: f64[N]) { y = " body "; }"
#define TWO(body) "fn f[N](a: f64[N], b: f64[N]) -> (y: f64[N]) { y = " body "; }"
#define ROWS(body) "fn f[N, D](x: f64[N, D]) -> (y: f64[N, D]) { y = " body "; }"
#define TO_ROW(body) "fn f[N, D](x: f64[N, D]) -> (y: f64[N]) { y = " body "; }"

#define SCATTER(body)                                                                              \
    "fn f[N, D](x: f64[N, D], a: f64[N, D], k: i32[N]) -> (y: f64[N, D]) { y = " body "; }"

static const GradCase grad_cases[] = {
    /* one operand */
    {ONE("-x"), {7}, -2, 2, 0},
    {ONE("abs(x)"), {7}, -2, 2, 0},
    {ONE("sqrt(x)"), {7}, 0.5, 2, 0},
    {ONE("rsqrt(x)"), {7}, 0.5, 2, 0},
    {ONE("cbrt(x)"), {7}, 0.5, 2, 0},
    {ONE("exp(x)"), {7}, -2, 2, 0},
    {ONE("exp2(x)"), {7}, -2, 2, 0},
    {ONE("expm1(x)"), {7}, -2, 2, 0},
    {ONE("log(x)"), {7}, 0.5, 2, 0},
    {ONE("log2(x)"), {7}, 0.5, 2, 0},
    {ONE("log10(x)"), {7}, 0.5, 2, 0},
    {ONE("log1p(x)"), {7}, -0.5, 2, 0},
    {ONE("sin(x) + cos(2 * x)"), {7}, -2, 2, 0},
    {ONE("tan(x)"), {7}, -1, 1, 0},
    {ONE("asin(x) + acos(x * x)"), {7}, -0.75, 0.75, 0},
    {ONE("atan(x)"), {7}, -2, 2, 0},
    {ONE("sinh(x) + cosh(2 * x)"), {7}, -1, 1, 0},
    {ONE("tanh(x)"), {7}, -2, 2, 0},
    {ONE("erf(x)"), {7}, -2, 2, 0},
    {ONE("relu(x)"), {7}, -2, 2, 0},
    {ONE("sigmoid(x)"), {7}, -3, 3, 0},
    {ONE("silu(x)"), {7}, -3, 3, 0},
    {ONE("gelu(x)"), {7}, -3, 3, 0},
    {ONE("gelu_tanh(x)"), {7}, -3, 3, 0},
    {ONE("softplus(x)"), {7}, -3, 3, 0},
    {ONE("x ** 3 + x ** 1 - x ** 0 + x ** 2"), {7}, -2, 2, 0},
    {ONE("x ** -2 + x ** 1.5"), {7}, 0.5, 2, 0},
    {ONE("sign(x) * x + floor(x + 0.5) * x + round(x) + ceil(x)"), {3}, 0.125, 0.375, 0},
    /* two operands, three */
    {TWO("a * b + a - b * b"), {7}, -2, 2, 0},
    {TWO("a / b"), {7}, 0.5, 2, 0},
    {TWO("(3 * a) % b"), {7}, 0.75, 2, 0},
    {TWO("a ** b"), {7}, 0.5, 2, 0},
    {TWO("atan2(a, b)"), {7}, 0.5, 2, 0},
    {TWO("max(a, 2 * b) * min(a, b)"), {9}, -2, 2, 0},
    {TWO("where(a < b, a * b, exp(a))"), {9}, -2, 2, 0},
    {TWO("clamp(a * b, -0.5, 0.75)"), {9}, -1, 1, 0},
    {"fn f[N](x: f64[N], lo: f64[N], hi: f64[N]) -> (y: f64[N]) { y = clamp(x, lo, hi); }",
     {16},
     -1,
     1,
     0},
    {"fn f[N](x: f64[N], c: bool[N], k: i32[N]) -> (y: f64[N]) "
     "{ y = where(c, x, 2 * x) * (k as f64) + (argmax(x) as f64); }",
     {9},
     -1,
     1,
     0},
    {"fn f[N, D](x: f64[N, D], s: f64, b: f64[D]) -> (y: f64[N, D]) { y = x * s + b * s * b; }",
     {3, 4},
     -2,
     2,
     0},
    {"fn f[N](x: f64[N]) -> (y: f64[N], z: f64, k: i32) "
     "{ z = sum(sin(x)); y = x * z; k = argmax(x); }",
     {5},
     -2,
     2,
     0},
    /* views */
    {"fn f[N, D](x: f64[N, D]) -> (y: f64[D, 2*N]) { y = reshape(x.T, D, N)[:, :] @ full(0.5 as "
     "f64, N, 2 * N) + broadcast(sum(x, axis = 0), 2 * N, D).T; }",
     {3, 4},
     -2,
     2,
     0},
    {"fn f[N, D](x: f64[N, D], p: f64) -> (y: f64[N, D]) "
     "{ y = pad(x[:, 1:] * x[:, :D - 1], -1, 0, 1, value = p * p); }",
     {3, 4},
     -2,
     2,
     0},
    {"fn f[N, D](x: f64[N, D]) -> (y: f64[N, D]) "
     "{ a, b = split(x, 2); y = concat(b * a, -a, axis = -1); }",
     {3, 4},
     -2,
     2,
     0},
    {"fn f[A, B, C](x: f64[A, B, C]) -> (y: f64[C, A, B]) "
     "{ y = permute(x, 2, 0, 1) * permute(x * x, 2, 0, 1); }",
     {2, 3, 4},
     -2,
     2,
     0},
    {ROWS("flip(x * x, axis = [0, 1]) * cumsum(sin(x)) + cumsum(x * x, axis = 0, reverse = true)"),
     {3, 4},
     -2,
     2,
     0},
    {ROWS("cumprod(x + sin(x), axis = 0) * cumprod(x, reverse = true)"), {3, 4}, -2, 2, 0},
    {ROWS("cummax(x * sin(x)) + cummin(x * x, axis = 0, reverse = true) * x"), {3, 4}, -2, 2, 0},
    {"fn f[N, D](x: f64[N, D], k: i32[2, N]) -> (y: f64[2, N, D]) { y = take(x * x, k, axis = 0); }",
     {4, 3},
     -2,
     2,
     0},
    {SCATTER("scatter(sin(x), k, a * a)"), {4, 3}, -2, 2, 0},
    {SCATTER("scatter(x.T, k, a.T, axis = 1, with = set).T ** 2"), {4, 3}, -2, 2, 0},
    {SCATTER("scatter(x, k, a * 2, with = max) ** 2"), {4, 3}, -2, 2, 0},
    {ROWS("dropout(x * x, 0.25, 3) * random_normal(5, N, D)"), {3, 4}, -2, 2, 0},
    {ROWS("x * x + stop_gradient(floor(x))"), {3, 4}, 0.25, 0.75, 0},
    {ROWS("dropout(x * x, 0.25, 7) * random_normal(3, N, D) as f64"), {3, 4}, -2, 2, 0},
    {"fn f[M, N, D](q: f64[M, D], k: f64[N, D], v: f64[N, D]) -> (o: f64[M, D]) "
     "{ o = dropout(softmax(q @ k.T), 0.25, 11) @ v; }",
     {3, 4, 2},
     -1,
     1,
     0},
    /* reductions */
    {TO_ROW("sum(x * x)"), {3, 5}, -2, 2, 0},
    {TO_ROW("prod(x)"), {3, 5}, -2, 2, 0},
    {"fn f[A, B, C](x: f64[A, B, C]) -> (y: f64[B]) { y = prod(x, axis = [0, 2]); }",
     {2, 3, 2},
     -2,
     2,
     0},
    {TO_ROW("max(x) * min(x)"), {3, 5}, -2, 2, 0},
    {TO_ROW("mean(x) * var(x)"), {3, 5}, -2, 2, 0},
    {TO_ROW("logsumexp(2 * x)"), {3, 5}, -2, 2, 0},
    {"fn f[A, B, C](x: f64[A, B, C]) -> (y: f64[B]) "
     "{ y = logsumexp(x, axis = [0, 2]) + var(x, axis = [0, 2]) * mean(x, axis = [0, 2]); }",
     {2, 3, 2},
     -2,
     2,
     0},
    /* rows */
    {ROWS("softmax(2 * x)"), {3, 5}, -2, 2, 0},
    {ROWS("softmax(x, axis = 0) * log_softmax(x, axis = [0, 1])"), {3, 5}, -2, 2, 0},
    {"fn f[N, D](x: f64[N, D], g: f64[D], b: f64[D]) -> (y: f64[N, D], z: f64[N, D]) "
     "{ y = layer_norm(x, g, b); z = rms_norm(x, g); }",
     {3, 5},
     -2,
     2,
     0},
    {"fn f[D](x: f64[D], g: f64[D], b: f64[D]) -> (y: f64[D], z: f64[D]) "
     "{ y = layer_norm(x, g, b); z = rms_norm(x, g); }",
     {5},
     -2,
     2,
     0},
    {"fn f[N, D](x: f64[N, D], k: i32[N]) -> (y: f64[N]) { y = cross_entropy(x, k); }",
     {4, 5},
     -2,
     2,
     0},
    /* products */
    {"fn f[M, N, K](a: f64[M, K], b: f64[K, N]) -> (y: f64[M, N]) { y = a @ b; }",
     {3, 4, 5},
     -1,
     1,
     0},
    {"fn f[B, M, N, K](a: f64[B, M, K], b: f64[B, N, K], c: f64[K, N]) -> (y: f64[B, M, N]) "
     "{ y = a @ b.T + a @ c; }",
     {2, 3, 4, 5},
     -1,
     1,
     0},
    {"fn f[M, K](a: f64[M, K], b: f64[K]) -> (y: f64[M], z: f64) { y = a @ b; z = b @ b; }",
     {3, 5},
     -1,
     1,
     0},
    {"fn f[A, B, C, D, E](x: f64[A, B, C, D], w: f64[D, E, B]) -> (y: f64[C, E, A]) "
     "{ y = einsum(\"abcd,deb->cea\", x, w); }",
     {2, 3, 2, 3, 2},
     -1,
     1,
     0},
    {"fn f[A](x: f64[A, A], w: f64[A]) -> (y: f64[A], z: f64[A, A]) "
     "{ y = einsum(\"aa,a->a\", x, w); z = einsum(\"a,b->ab\", w, w); }",
     {4},
     -1,
     1,
     0},
    /* attention: from f32 on the rows of P and dP are not needed at once */
    {"fn f[H, M, N, D](q: f32[H, M, D], k: f32[H, N, D], v: f32[H, N, D]) -> (o: f64[H, M, D]) "
     "{ s = q @ k.T * rsqrt(D) as f32; o = softmax(where(iota(N) <= iota(M)[:, None], s, -inf)) @ v "
     "as f64; }",
     {2, 3, 4, 2},
     -1,
     1,
     0},
    {"fn f[M, N, D](q: f32[M, D], k: f32[N, D], v: f32[N, D], w: f32[N], b: f32[M, N]) "
     "-> (o: f64[M, D], a: f64[M], l: f64[M]) "
     "{ x = 2 * tanh(q @ k.T / 2) + b; p = softmax(x); o = p @ v as f64; a = p @ w as f64; "
     "l = logsumexp(x) as f64; }",
     {3, 4, 2},
     -1,
     1,
     0},
    /* calls, second derivatives */
    {"fn g[N](x: f64[N]) -> (l: f64) { l = sum(x ** 3 * sin(x)); } fn dg = grad(g); "
     "fn f[N](x: f64[N]) -> (y: f64[N]) { y = dg(2 * x) * x; }",
     {5},
     -1,
     1,
     0},
    {"fn g[N](x: f64[N], w: f64[N]) -> (l: f64) { l = logsumexp(x * w); } "
     "fn d = value_and_grad(g, wrt = [w]); "
     "fn f[N](x: f64[N], w: f64[N]) -> (l: f64, s: f64[N]) { l, s = d(x, w); }",
     {5},
     -1,
     1,
     0},
    {"fn g[N, D](x: f64[N, D]) -> (y: f64[N, D]) { y = softmax(gelu(x)); } fn f = vjp(g);",
     {2, 3},
     -1,
     1,
     0},
    {"fn g[N](x: f64[N]) -> (l: f64) { l = prod(x) + var(x) + max(x); } fn h = grad(g); "
     "fn i[N](x: f64[N]) -> (l: f64) { l = sum(h(x)); } fn f = grad(i);",
     {4},
     0.5,
     1,
     0},
    {"fn g[N](x: f64[N]) -> (y: f64[N]) { y = sin(x) * x; } fn f = vjp(vjp(g));", {3}, -1, 1, 0},
    /* a backward written by hand: two times the cotangent, of a function that doubles */
    {"fn back[N](x: f64[N], k: i32[N], dy: f64[N], dz: f64[N]) -> (dx: f64[N]) { dx = 2 * dy + dz * "
     "cos(x); } "
     "@vjp(back) fn twice[N](x: f64[N], k: i32[N]) -> (y: f64[N], n: i32[N], z: f64[N]) "
     "{ y = x + x; n = k; z = sin(x); } "
     "fn f[N](x: f64[N], k: i32[N]) -> (y: f64[N], z: f64[N]) { y, _, _ = twice(x * x, k); a, _, b "
     "= twice(y, k); z = a * b; }",
     {4},
     0.5,
     1,
     0},
};

static const GradCase grad_examples[] = {
    {"adamw", {2, 1}, 0.5, 1, "adamw"},
    {"attention", {1, 2, 3, 2}, -1, 1, "attention"},
    {"batch_norm", {2, 2, 1, 3}, 0.5, 1, "batch_norm"},
    {"black_scholes", {3}, 0.5, 1, "black_scholes"},
    {"constant_weights", {2, 3, 2}, -1, 1, "constant_weights"},
    {"cross_entropy", {3, 4}, -1, 1, "cross_entropy_rows"},
    {"embedding", {1, 3, 4, 3, 2}, -1, 1, "embedding"},
    {"geglu", {3, 2}, -1, 1, "geglu"},
    {"gelu_mlp", {2, 2}, -1, 1, "gelu_mlp"},
    {"grouped_query_attention", {1, 3, 2, 2, 2}, -1, 1, "grouped_query_attention"},
    {"heat", {3, 4}, -1, 1, "heat"},
    {"huber_loss", {7}, -2, 2, "huber_loss"},
    {"int8_dequantise", {3, 4}, -1, 1, "int8_dequantise"},
    {"kl_divergence", {2, 4}, -1, 1, "kl_divergence"},
    {"layer_norm", {3, 4}, -1, 1, "layer_norm_rows"},
    {"linear_cross_entropy", {3, 4, 2}, -1, 1, "linear_cross_entropy"},
    {"log_sum_exp", {3, 4}, -1, 1, "log_sum_exp"},
    {"lora", {2, 3, 4, 2}, -1, 1, "lora"},
    {"n_body", {3}, 0.25, 1, "n_body"},
    {"nucleus", {2, 4}, 0.5, 1, "nucleus"},
    {"projection_norm", {2, 3}, -1, 1, "projection_norm"},
    {"rms_norm", {3, 4}, -1, 1, "rms_norm_rows"},
    {"rope", {1, 2, 3, 4}, -1, 1, "rope"},
    {"softmax", {3, 4}, -1, 1, "softmax_rows"},
    {"standardise", {4, 2}, -1, 1, "standardise"},
    {"swiglu", {2, 3, 2}, -1, 1, "swiglu"},
    {"transformer_block", {1, 3, 2, 1}, -1, 1, "transformer_block"},
};

/* What docs/gradients.md states for ties, zeros, infinities and NaN: f of one or two vectors of n
 * elements, the cotangent dy of every element, and the cotangents of the vectors. */
typedef struct Convention {
    const char *text;
    int n;
    double dy, x[2][4], dx[2][4];
} Convention;

#define VECTOR(body) "fn f[N](x: f64[N]) -> (y: f64[N]) { y = " body "; }"
#define VECTORS(body) "fn f[N](a: f64[N], b: f64[N]) -> (y: f64[N]) { y = " body "; }"
#define NUMBER(body) "fn f[N](x: f64[N]) -> (y: f64) { y = " body "; }"

static const Convention grad_conventions[] = {
    {VECTOR("abs(x)"), 4, 3, {{0, -0.0, -2, NAN}}, {{0, 0, -3, NAN}}},
    {VECTOR("sqrt(x)"), 2, 3, {{0, 4}}, {{INFINITY, 0.75}}},
    {VECTOR("sqrt(x)"), 2, 0, {{0, 4}}, {{NAN, 0}}},
    {VECTOR("rsqrt(x)"), 2, 1, {{0, 4}}, {{-INFINITY, -0.0625}}},
    {VECTOR("log(x)"), 2, 1, {{0, 4}}, {{INFINITY, 0.25}}},
    {VECTOR("x ** 2 + x ** 1 + x ** 0"), 2, 1, {{0, -3}}, {{1, -5}}},
    {VECTORS("a ** b"), 4, 1, {{0, 0, 2, 0}, {2, 0, 0, 1}}, {{0, 0, 0, 1}, {0, 0, 0.69314718055994530942, 0}}},
    {VECTORS("max(a, b)"), 4, 4, {{1, 2, 1, NAN}, {1, 1, 2, 1}}, {{2, 4, 0, 4}, {2, 0, 4, 4}}},
    {VECTORS("min(a, b)"), 4, 4, {{1, 2, 1, NAN}, {1, 1, 2, 1}}, {{2, 0, 4, 4}, {2, 4, 0, 4}}},
    {VECTORS("where(a > 0, a, log(b))"), 2, 1, {{1, -1}, {0, 2}}, {{1, 0}, {NAN, 0.5}}},
    {VECTORS("where(a > 0, a, b)"), 2, INFINITY, {{1, -1}, {0, 2}}, {{INFINITY, 0}, {0, INFINITY}}},
    {VECTOR("relu(x)"), 4, 3, {{0, -1, 1, NAN}}, {{0, 0, 3, 3}}},
    {VECTOR("clamp(x, -1, 1)"), 4, 3, {{-1, 1, 2, -2}}, {{3, 3, 0, 0}}},
    {VECTOR("gelu(x) + gelu_tanh(x) + silu(x)"), 2, 1, {{100, -100}}, {{3, 0}}},
    {VECTOR("sigmoid(x) + softplus(x)"), 2, 1, {{1000, -1000}}, {{1, 0}}},
    {VECTOR("floor(x) + sign(x) + round(x)"), 2, 1, {{0, 1.5}}, {{0, 0}}},
    {VECTOR("stop_gradient(x) * x"), 2, 1, {{2, 3}}, {{2, 3}}},
    {NUMBER("max(x)"), 4, 6, {{1, 5, 5, 5}}, {{0, 2, 2, 2}}},
    {NUMBER("max(x)"), 2, 6, {{1, NAN}}, {{0, 0}}},
    {NUMBER("prod(x)"), 3, 1, {{2, 0, 3}}, {{0, 6, 0}}},
    {NUMBER("prod(x)"), 3, 1, {{2, 0, 0}}, {{0, 0, 0}}},
    {VECTOR("softmax(where(x > 0, x, -inf))"), 2, 1, {{-1, -2}}, {{0, 0}}},
    {NUMBER("logsumexp(x)"), 2, 1, {{-INFINITY, -INFINITY}}, {{0, 0}}},
    {NUMBER("logsumexp(x)"), 3, 1, {{1, INFINITY, 2}}, {{0, NAN, 0}}},
    {NUMBER("sqrt(sum(x * x))"), 2, 1, {{0, 0}}, {{NAN, NAN}}},
    {NUMBER("sqrt(sum(x * x) + 1e-6)"), 2, 1, {{0, 0}}, {{0, 0}}},
};

#endif
