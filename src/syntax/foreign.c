/* foreign.c: what NumPy, PyTorch and C call things, and how to write them in fusec.
 * In: a name or a token that the language lacks. Out: the end of an error message. It comes before
 * spelling suggestions: a name that is only spelled alike misleads. */
#include "syntax/syntax.h"

#include <string.h>

typedef struct Foreign {
    const char *names; /* separated by a space */
    const char *advice;
} Foreign;

/* clang-format off */
static const Foreign functions[] = {
    /* elementwise */
    {"clip clip_by_value clamp_", "write 'clamp(x, lo, hi)'"},
    {"clamp_min", "write 'max(x, lo)'"},
    {"clamp_max", "write 'min(x, hi)'"},
    {"maximum", "write 'max(a, b)'"},
    {"minimum", "write 'min(a, b)'"},
    {"fmax fmaxf", "write 'max(a, b)', which is NaN if either is"},
    {"fmin fminf", "write 'min(a, b)', which is NaN if either is"},
    {"fabs fabsf absolute", "write 'abs(x)'"},
    {"ln", "write 'log(x)'"},
    {"rint nearbyint", "write 'round(x)'"},
    {"trunc fix", "write 'sign(x) * floor(abs(x))'"},
    {"frac", "write 'x % 1', which has the sign of x; 'x - floor(x)' is never below 0"},
    {"fract", "write 'x - floor(x)'"},
    {"square sqr", "write 'x * x'"},
    {"reciprocal recip", "write '1 / x'"},
    {"power powf", "write 'a ** b'"},
    {"expf", "write 'exp(x)'"},
    {"tanhf", "write 'tanh(x)'"},
    {"sqrtf", "write 'sqrt(x)'"},
    {"rsqrtf", "write 'rsqrt(x)'"},
    {"erff", "write 'erf(x)'"},
    {"erfc", "write '1 - erf(x)', which loses digits where erf(x) is near 1"},
    {"negative", "write '-x'"},
    {"fmod rem fmodf", "write 'a % b'"},
    {"exp10", "write '10.0 ** x'"},
    {"ldexp", "write 'x * exp2(n as f32)'"},
    {"asinh arcsinh", "write 'sign(x) * log1p(abs(x) + x * x / (1 + sqrt(1 + x * x)))'"},
    {"acosh arccosh", "write 'log(x + sqrt(x * x - 1))'"},
    {"atanh arctanh", "write '(log1p(x) - log1p(-x)) / 2'"},
    {"sinc", "write 'where(x == 0, 1, sin(pi * x) / (pi * x))'"},
    {"deg2rad radians", "write 'x * (pi / 180)', with 'const pi = 3.141592653589793;'"},
    {"log1pexp", "write 'softplus(x)'"},
    {"logaddexp", "write 'max(a, b) + log1p(exp(-abs(a - b)))'"},
    {"xlogy", "write 'where(x == 0, 0, x * log(y))'"},
    {"erfinv lgamma gammaln digamma polygamma betainc i0 nextafter frexp",
     "write it in a C header, and import that (docs/language.md)"},
    {"popcount popc bit_count bitcount", "for x >= 0, write 'sum(x[:, None] / 2 ** iota(31) % 2)'"},
    {"copysign", "write 'abs(a) * where(b < 0, -1.0, 1.0)'"},
    {"signbit", "write 'x < 0'"},
    {"heaviside", "write '(x > 0) as f32'"},
    {"remainder floor_mod floormod",
     "write '(a % b + b) % b'; 'a % b' has the sign of a, as C's fmod"},
    {"floor_divide floor_div floordiv", "write 'floor(a / b)'; '/' of integers truncates"},
    {"divide true_divide", "write 'a / b'"},
    {"multiply", "write 'a * b'"},
    {"subtract", "write 'a - b'"},
    {"lerp", "write 'a + t * (b - a)'"},
    {"fma addcmul", "write 'a * b + c'"},
    {"hypot", "write 'sqrt(a * a + b * b)'"},
    {"logit", "write 'log(p / (1 - p))'"},
    {"expit", "write 'sigmoid(x)'"},
    {"isinf", "write 'abs(x) == inf'"},
    {"isfinite", "write 'abs(x) < inf'"},
    {"nan_to_num", "write 'where(isnan(x), 0, x)', which keeps infinities"},
    {"isneginf", "write 'x == -inf'"},
    {"isposinf", "write 'x == inf'"},
    {"isclose allclose", "write 'abs(a - b) <= 1e-8 + 1e-5 * abs(b)', and 'all' of it"},
    {"equal not_equal greater greater_equal less less_equal", "write 'a == b', 'a < b' and so on"},
    {"complex view_as_complex view_as_real real imag conj polar",
     "there are no complex numbers: keep their real and imaginary parts apart"},
    {"logical_and bitwise_and", "write 'a && b', of bool"},
    {"logical_or bitwise_or", "write 'a || b', of bool"},
    {"logical_not bitwise_not", "write '!x', of bool"},
    {"logical_xor xor", "write 'a != b', of bool"},
    {"bitwise_left_shift left_shift", "write 'x * 2 ** n'"},
    {"bitwise_right_shift right_shift", "write 'x / 2 ** n', of x >= 0"},
    {"select ifelse cond choose", "write 'where(condition, a, b)'"},
    {"masked_fill", "write 'where(mask, value, x)'"},
    {"cast astype to type float half double int long", "write 'x as f32', or another type"},
    /* activations */
    {"swish", "write 'silu(x)'"},
    {"elu", "write 'max(x, 0) + expm1(min(x, 0))'"},
    {"leaky_relu leakyrelu", "write 'where(x > 0, x, 0.01 * x)'"},
    {"prelu", "write 'where(x > 0, x, slope * x)'"},
    {"relu6", "write 'clamp(x, 0, 6)'"},
    {"hardtanh", "write 'clamp(x, -1, 1)'"},
    {"hardsigmoid hard_sigmoid", "write 'clamp(x / 6 + 0.5, 0, 1)'"},
    {"hardswish hard_swish", "write 'x * clamp(x / 6 + 0.5, 0, 1)'"},
    {"mish", "write 'x * tanh(softplus(x))'"},
    {"softsign", "write 'x / (1 + abs(x))'"},
    {"logsigmoid log_sigmoid", "write '-softplus(-x)'"},
    {"glu", "write 'a, b = split(x, 2);', then 'a * sigmoid(b)'"},
    {"selu",
     "write '1.0507009873554805 * max(x, 0) + 1.7580993408473766 * expm1(min(x, 0))'"},
    {"celu", "write 'max(x, 0) + a * expm1(min(x, 0) / a)'"},
    {"quick_gelu", "write 'x * sigmoid(1.702 * x)'"},
    {"threshold", "write 'where(x > t, x, value)'"},
    {"softshrink", "write 'x - clamp(x, -t, t)'"},
    {"hardshrink", "write 'where(abs(x) > t, x, 0)'"},
    {"tanhshrink", "write 'x - tanh(x)'"},
    {"swiglu silu_and_mul", "write 'a, b = split(x, 2);', then 'silu(a) * b'"},
    {"geglu gelu_and_mul", "write 'a, b = split(x, 2);', then 'gelu(a) * b'"},
    {"rope rotary rotary_embedding apply_rotary_emb apply_rotary_pos_emb",
     "write 'a, b = split(x, 2);', then 'x * cos + concat(-b, a) * sin' (examples/rope.fx)"},
    {"softmin", "write 'softmax(-x)'"},
    /* creation */
    {"arange range", "write 'iota(n)'"},
    {"linspace", "write 'start + step * (iota(n) as f32)'"},
    {"zeros zeros_like empty empty_like", "write 'full(0.0, n, ..)'"},
    {"ones ones_like", "write 'full(1.0, n, ..)'"},
    {"full_like", "write 'full(value, n, ..)'"},
    {"eye identity", "write '(iota(n)[:, None] == iota(n)) as f32'"},
    {"one_hot onehot", "write '(labels[:, None] == iota(C)) as f32'"},
    {"tril", "write 'where(iota(M)[:, None] >= iota(N), x, 0)'"},
    {"triu", "write 'where(iota(M)[:, None] <= iota(N), x, 0)'"},
    {"rand rand_like random uniform", "write 'random_uniform(seed, n, ..)'"},
    {"randn randn_like normal", "write 'random_normal(seed, n, ..)'"},
    {"randint", "write '(random_uniform(seed, n, ..) * high) as i32'"},
    {"multinomial categorical",
     "write 'argmax(logits - log(-log(u)))', with 'u = random_uniform(seed, n, ..)'"},
    {"gumbel_softmax",
     "write 'softmax((x - log(-log(u))) / t)', with 'u = random_uniform(seed, n, ..)'"},
    {"randperm permutation shuffle", "there is no sorting: an order is an input, of indices"},
    {"meshgrid", "write 'a[:, None]' and 'b', which stretch to one shape"},
    {"bernoulli", "write 'random_uniform(seed, n, ..) < p'"},
    /* shapes */
    {"view flatten ravel squeeze", "write 'reshape(x, n, ..)'"},
    {"unsqueeze expand_dims", "write 'x[:, None]'"},
    {"expand expand_as broadcast_to", "write 'broadcast(x, n, ..)'"},
    {"repeat tile", "write 'reshape(broadcast(x, k, N), k * N)'"},
    {"repeat_interleave", "write 'reshape(broadcast(x[:, None], N, k), N * k)'"},
    {"mT mH adjoint", "write 'x.T', which swaps the last two axes"},
    {"swapaxes swapdims moveaxis movedim", "write 'permute(x, 1, 0, ..)'; '.T' swaps the last two"},
    {"t", "write 'x.T'"},
    {"cat concatenate append", "write 'concat(a, b, axis = 0)'"},
    {"stack vstack", "write 'concat(a[None], b[None], axis = 0)'"},
    {"hstack", "write 'concat(a, b)'"},
    {"chunk", "write 'split(x, parts, axis = -1)'"},
    {"narrow", "write 'x[a:b]'"},
    {"roll", "write 'concat(x[N - k:], x[:N - k])'"},
    {"fliplr", "write 'flip(x, axis = 1)'"},
    {"flipud", "write 'flip(x, axis = 0)'"},
    {"rot90", "write 'flip(x.T, axis = 0)'"},
    {"reflect_pad reflection_pad1d reflection_pad2d",
     "write 'concat(flip(x[1:k+1]), x, flip(x[N-k-1:N-1]))'"},
    {"replicate_pad replication_pad1d replication_pad2d",
     "write 'take(x, clamp(iota(N + 2 * k) - k, 0, N - 1))'"},
    {"pixel_shuffle", "write 'reshape(permute(reshape(x, C, r, r, H, W), 0, 3, 1, 4, 2), C, H * r, "
                      "W * r)'"},
    {"interpolate upsample resize",
     "write 'reshape(broadcast(x[:, None], N, k), N * k)' for the nearest, else 'take' at computed "
     "indices"},
    {"grid_sample map_coordinates",
     "write 'take(reshape(x, H * W), i * W + j)' at the corners of a pixel, times weights"},
    {"index_select embedding lookup", "write 'take(x, indices, axis = 0)'"},
    {"gather take_along_axis take_along_dim",
     "write 'take(x, indices, axis = 0)' for whole rows, and for one element of each row "
     "'sum(where(at[:, None] == iota(C), x, 0))'"},
    {"shape size len numel ndim", "a size is a dim: give it a name, as in 'fn f[N](x: f32[N])'"},
    {"print", "what is to be seen is an output"},
    {"checkpoint remat", "'train' decides what is computed again (docs/gradients.md)"},
    {"custom_vjp custom_gradient", "write '@vjp(backward)' before the function"},
    {"detach no_grad stop_grad", "write 'stop_gradient(x)'"},
    {"contiguous clone copy", "omit it: values have no layout and do not change"},
    /* along axes */
    {"reduce_sum", "write 'sum(x, axis = -1)'"},
    {"reduce_mean", "write 'mean(x, axis = -1)'"},
    {"reduce_max", "write 'max(x, axis = -1)'"},
    {"reduce_min", "write 'min(x, axis = -1)'"},
    {"ptp", "write 'max(x) - min(x)'"},
    {"amax", "write 'max(x, axis = -1)'"},
    {"amin", "write 'min(x, axis = -1)'"},
    {"nanmax", "write 'max(where(isnan(x), -inf, x))'"},
    {"nanmin", "write 'min(where(isnan(x), inf, x))'"},
    {"average avg", "write 'mean(x)'"},
    {"product", "write 'prod(x)'"},
    {"std", "write 'sqrt(var(x))'; 'var' divides by the count N, not by N - 1"},
    {"variance", "write 'var(x)', which divides by the count N, not by N - 1"},
    {"norm vector_norm", "write 'sqrt(sum(x * x))'"},
    {"l2_normalize normalize", "write 'x * rsqrt(sum(x * x, keep = true) + 1e-12)'"},
    {"argmin", "write 'argmax(-x)'"},
    {"std_mean var_mean", "call 'var' and 'mean': one kernel computes both"},
    {"cov corrcoef", "write 'd = x - mean(x, axis = 0);', then 'd.T @ d / (N - 1.0)'"},
    {"nanmean", "write 'sum(where(isnan(x), 0, x)) / sum((!isnan(x)) as f32)'"},
    {"entropy entr", "write '-sum(where(p > 0, p * log(p), 0))'"},
    {"nansum", "write 'sum(where(isnan(x), 0, x))'"},
    {"count_nonzero", "write 'sum((x != 0) as i32)'"},
    {"logcumsumexp", "write 'log(cumsum(exp(x)))', if that does not overflow"},
    {"cumulative_sum cum_sum prefix_sum", "write 'cumsum(x)'"},
    {"cumulative_prod cum_prod cumulative_product", "write 'cumprod(x)'"},
    {"cumulative_max cum_max prefix_max", "write 'cummax(x)'"},
    {"cumulative_min cum_min prefix_min", "write 'cummin(x)'"},
    {"accumulate", "write 'cumsum(x)', 'cumprod(x)', 'cummax(x)' or 'cummin(x)'"},
    {"scan associative_scan fori_loop while_loop",
     "there are no loops: 'cumsum', 'cumprod', 'cummax' and 'cummin' run along an axis, and steps of "
     "a known number are calls"},
    {"vmap pmap", "omit it: operators take any leading axes"},
    {"diff", "write 'x[1:] - x[:-1]'"},
    {"gradient", "write '(x[2:] - x[:-2]) / 2'"},
    {"trapz trapezoid", "write 'sum(x[1:] + x[:-1]) / 2 * dx'"},
    {"topk top_k", "there is no sorting: 'at = argmax(x);' finds the largest of a row, and "
                   "'where(iota(N) == at, -inf, x)' is what is left"},
    {"sort argsort", "there is no sorting: of few numbers, 'sum((x[:, None] > x) as i32)' is how many "
                     "are less than each"},
    {"median nanmedian quantile percentile kthvalue mode",
     "there is no sorting: of few numbers, 'sum((x[:, None] > x) as i32)' is how many are less than "
     "each"},
    {"searchsorted bucketize digitize",
     "write 'sum((x[:, None] >= edges) as i32)', how many edges are not above x"},
    {"interp", "write 'take(y, i) + t * (take(y, i + 1) - take(y, i))'"},
    {"unique nonzero argwhere flatnonzero masked_select compress boolean_mask",
     "no size depends on values: 'cumsum(mask as i32) - 1' is the place of each among those to "
     "keep, and 'scatter' with 'set' puts it there"},
    {"scatter_max segment_max", "write 'scatter(base, indices, x, with = max)'"},
    {"scatter_min segment_min", "write 'scatter(base, indices, x, with = min)'"},
    {"scatter_reduce scatter_update",
     "write 'scatter(base, indices, x, with = max)', or 'add', 'min', 'set'"},
    {"scatter_mean segment_mean",
     "write 'scatter(base, indices, x)', divided by the counts 'scatter(full(0, S), indices, 1)'"},
    {"embedding_bag", "write 'sum(take(table, ids, axis = 0), axis = -2)'"},
    {"spmm sparse_mm",
     "write 'scatter(base, rows, values[:, None] * take(x, columns, axis = 0))'"},
    {"index_add segment_sum", "write 'scatter(base, indices, x)'"},
    {"index_copy index_put", "write 'scatter(base, indices, x, with = set)'"},
    {"scatter_add", "write 'scatter(base, indices, x)', which adds whole rows"},
    {"bincount histogram histc", "write 'scatter(full(0, C), labels, 1)'"},
    /* products */
    {"dot mm bmm mv inner vdot", "write 'a @ b'"},
    {"linear", "write 'x @ w.T + b'"},
    {"addmm", "write 'c + a @ b'"},
    {"cross", "with 'a1 = concat(a[:, 1:], a[:, :1]);', 'a2 = concat(a[:, 2:], a[:, :2]);' and so b1 "
              "and b2, write 'a1 * b2 - a2 * b1'"},
    {"tensordot", "write 'einsum(\"ijk,jkl->il\", a, b)'"},
    {"kron", "write 'reshape(a[:, None, :, None] * b[:, None], N * P, M * Q)'"},
    {"trace", "write 'einsum(\"ii\", x)'"},
    {"diag diagonal", "write 'einsum(\"ii->i\", x)', and for a matrix of a vector "
                      "'where(iota(N)[:, None] == iota(N), x, 0)'"},
    {"matrix_power multi_dot", "write 'a @ b', once for each factor"},
    {"inv inverse pinv solve lstsq cholesky qr lu svd eig eigh eigvals eigvalsh det slogdet expm "
     "matrix_exp",
     "there is none of a matrix: write that of a small one by its elements, such as 'a[:, 0, 1]'"},
    {"fft ifft rfft irfft fft2 stft dft dct",
     "write '@' with matrices of 'cos' and 'sin' of (iota(N)[:, None] * iota(N) % N) as f32"},
    {"outer", "write 'a[:, None] * b'"},
    {"conv1d conv2d conv3d conv convolve correlate unfold im2col",
     "write it as a sum of slices (docs/idioms.md)"},
    {"avg_pool1d avg_pool2d max_pool1d max_pool2d",
     "write it as a reshape and a reduction (docs/idioms.md)"},
    {"adaptive_avg_pool1d adaptive_avg_pool2d", "write 'mean(x, axis = [2, 3])'"},
    {"attention scaled_dot_product_attention flash_attention flash_attn flash_attn_func sdpa",
     "write 'softmax(q @ k.T * rsqrt(D)) @ v', which becomes one kernel"},
    /* norms and losses */
    {"batch_norm", "write '(x - mean(x, axis = 0)) * rsqrt(var(x, axis = 0) + eps)'"},
    {"instance_norm", "write '(x - mean(x, keep = true)) * rsqrt(var(x, keep = true) + eps)'"},
    {"group_norm", "write it with a 'reshape' to groups (docs/idioms.md)"},
    {"mse_loss", "write 'mean((a - b) ** 2)'"},
    {"l1_loss", "write 'mean(abs(a - b))'"},
    {"nll_loss", "write 'cross_entropy(logits, labels)', with logits"},
    {"binary_cross_entropy_with_logits", "write 'softplus(x) - x * target'"},
    {"binary_cross_entropy bce bce_loss", "write '-(t * log(p) + (1 - t) * log(1 - p))'"},
    {"smooth_l1_loss huber_loss huber",
     "write 'd = abs(a - b);', then 'where(d < 1, 0.5 * d * d, d - 0.5)'"},
    {"cosine_similarity", "write 'sum(a * b) * rsqrt(sum(a * a) * sum(b * b) + 1e-12)'"},
    {"cdist pairwise_distance",
     "write 'sqrt(max(sum(a * a)[:, None] + sum(b * b) - 2 * (a @ b.T), 0))'"},
    {"triplet_margin_loss", "write 'relu(to_positive - to_negative + margin)'"},
    {"quantize quantize_per_tensor", "write 'clamp(round(x / scale), -128, 127) as i8'"},
    {"dequantize", "write '(q as f32) * scale'"},
    {"fake_quantize", "write 'clamp(round(x / scale), -128, 127) * scale'; 'round' has the derivative "
                      "0, and @vjp gives it another (docs/gradients.md)"},
    {"kl_div", "write 'sum(p * (log(p) - log(q)))'"},
};

/* Words where an operator or a statement is expected. */
static const Foreign words[] = {
    {"return", "there is no 'return': outputs are assigned by name"},
    {"let var auto val", "write 'name = value;'"},
    {"if else", "there is no 'if': 'where(condition, a, b)' selects by element"},
    {"for while", "there are no loops: operators work on whole tensors"},
    {"and", "write 'a && b'"},
    {"or", "write 'a || b'"},
    {"not", "write '!x'"},
    {"is", "write 'a == b'"},
    {"lambda def", "a function is 'fn name[dims](inputs) -> (outputs) { .. }'"},
};

/* Values. */
static const Foreign names[] = {
    {"pi PI M_PI", "write 'const pi = 3.141592653589793;'"},
    {"newaxis", "write 'None'"},
    {"infinity Infinity INFINITY", "write 'inf'"},
};

/* Arguments, and what they are called here. */
static const Foreign arguments[] = {
    {"dim dims axes", "axis"},    {"keepdim keepdims", "keep"}, {"min a_min", "lo"},
    {"max a_max", "hi"},          {"weight gamma", "gain"},     {"beta", "bias"},
    {"mask condition", "cond"},   {"index idx", "indices"},     {"target targets", "labels"},
    {"reduce op accumulate", "with"},
};

/* Arguments that nothing here is called. */
static const Foreign omitted[] = {
    {"mode padding_mode", "for a mirror, write 'concat(flip(x[1:k+1]), x, flip(x[N-k-1:N-1]))'"},
    {"dtype out_dtype acc_dtype", "'as T' converts the result"},
    {"inplace out", "omit it: values do not change"},
    {"reduction", "call 'mean' or 'sum' with the result"},
    {"ignore_index", "write 'where(labels >= 0, cross_entropy(logits, labels), 0)'"},
    {"unbiased correction ddof",
     "'var' divides by the count N; times 'N / (N - 1.0)', it divides by N - 1"},
    {"training train", "omit it: write a function for each"},
};

/* Pairs of tokens that are one operator in other languages. */
static const Foreign operators[] = {
    {">>", "there are no shifts: for x >= 0, 'x / 2 ** n' is x >> n"},
    {"<<", "there are no shifts: 'x * 2 ** n' is x << n"},
    {"+= -= *= /=", "a name is given once: give the result another"},
    {"++ --", "a name is given once: give the result another"},
};

/* Characters. */
static const Foreign characters[] = {
    {"&", "write 'a && b' for bool; for integers >= 0, 'x % 2 ** n' keeps the lowest n bits"},
    {"|", "write 'a || b' for bool; '+' combines bits that do not overlap"},
    {"^", "write 'x ** 2' for a power, 'a != b' for the exclusive or of bool"},
    {"~", "write '!x' for bool, '-x - 1' for integers"},
    {"?", "write 'where(condition, a, b)'"},
    {"#", "write '// ..' for a comment"},
};
/* clang-format on */

static bool has_word(const char *words_of, const char *word) {
    size_t size = strlen(word);
    for (const char *at = words_of; size && (at = strstr(at, word)); at += size) {
        bool starts = at == words_of || at[-1] == ' ';
        if (starts && (at[size] == ' ' || !at[size])) return true;
    }
    return false;
}

static const char *find(const Foreign *rows, size_t count, const char *word) {
    for (size_t i = 0; i < count; i++)
        if (has_word(rows[i].names, word)) return rows[i].advice;
    return NULL;
}
#define FIND(ROWS, WORD) find(ROWS, sizeof(ROWS) / sizeof *(ROWS), WORD)

const char *foreign_function(const char *name) { return FIND(functions, name); }
const char *foreign_word(const char *word) { return FIND(words, word); }
const char *foreign_name(const char *name) { return FIND(names, name); }
const char *foreign_argument(const char *name) { return FIND(arguments, name); }
const char *foreign_omitted(const char *name) { return FIND(omitted, name); }
const char *foreign_operator(const char *text) { return FIND(operators, text); }
const char *foreign_character(const char *text) { return FIND(characters, text); }
