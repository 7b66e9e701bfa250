// run: fusec %s --emit=graph --limit errors=60
// exit: 1
fn f[N, D](x: f32[N, D], w: f32[D, D], i: i32[N], s: f32[D]) -> (y: f32[N, D]) {
    // names that are spelled like others, which mean something else
    a = asinh(x) + acosh(x) + atanh(x) + sinc(x) + selu(x);
    b = median(x) + mode(x) + cov(x) + expm(w) + swiglu(x);
    // what a few operations do
    c = cross(x, x) + popcount(i) + fft(x) + kron(w, w) + diag(w);
    d = searchsorted(s, x) + topk(x, 2) + argsort(x) + interp(x, s, s);
    e = scatter_max(x, i, x) + scatter_mean(x, i, x) + segment_min(x, i);
    g = reflect_pad(x, 1) + pixel_shuffle(x, 2) + grid_sample(x, x);
    h = multinomial(x) + logaddexp(x, x) + cdist(x, x) + huber_loss(x, x);
    // what nothing does
    j = inv(w) + unique(i) + scan(x) + complex(x, x) + lgamma(x) + randperm(N);
    // arguments
    k = softmax(x, -1, dtype = 32) + pad(x, 1, 1, 1, mode = 1) + relu(x, inplace = true);
    l = cross_entropy(x, i, ignore_index = -100) + var(x, unbiased = true);
    m = scatter(x, i, x, reduce = add);
    y = x;
}
// ---- expect
// error_foreign_idioms.fx:5:9: error: no function is called 'asinh': write 'sign(x) * log1p(abs(x) + x * x / (1 + sqrt(1 + x * x)))'
//       a = asinh(x) + acosh(x) + atanh(x) + sinc(x) + selu(x);
//           ^~~~~
// error_foreign_idioms.fx:5:20: error: no function is called 'acosh': write 'log(x + sqrt(x * x - 1))'
//       a = asinh(x) + acosh(x) + atanh(x) + sinc(x) + selu(x);
//                      ^~~~~
// error_foreign_idioms.fx:5:31: error: no function is called 'atanh': write '(log1p(x) - log1p(-x)) / 2'
//       a = asinh(x) + acosh(x) + atanh(x) + sinc(x) + selu(x);
//                                 ^~~~~
// error_foreign_idioms.fx:5:42: error: no function is called 'sinc': write 'where(x == 0, 1, sin(pi * x) / (pi * x))'
//       a = asinh(x) + acosh(x) + atanh(x) + sinc(x) + selu(x);
//                                            ^~~~
// error_foreign_idioms.fx:5:52: error: no function is called 'selu': write '1.0507009873554805 * max(x, 0) + 1.7580993408473766 * expm1(min(x, 0))'
//       a = asinh(x) + acosh(x) + atanh(x) + sinc(x) + selu(x);
//                                                      ^~~~
// error_foreign_idioms.fx:6:9: error: no function is called 'median': there is no sorting: of few numbers, 'sum((x[:, None] > x) as i32)' is how many are less than each
//       b = median(x) + mode(x) + cov(x) + expm(w) + swiglu(x);
//           ^~~~~~
// error_foreign_idioms.fx:6:21: error: no function is called 'mode': there is no sorting: of few numbers, 'sum((x[:, None] > x) as i32)' is how many are less than each
//       b = median(x) + mode(x) + cov(x) + expm(w) + swiglu(x);
//                       ^~~~
// error_foreign_idioms.fx:6:31: error: no function is called 'cov': write 'd = x - mean(x, axis = 0);', then 'd.T @ d / (N - 1.0)'
//       b = median(x) + mode(x) + cov(x) + expm(w) + swiglu(x);
//                                 ^~~
// error_foreign_idioms.fx:6:40: error: no function is called 'expm': there is none of a matrix: write that of a small one by its elements, such as 'a[:, 0, 1]'
//       b = median(x) + mode(x) + cov(x) + expm(w) + swiglu(x);
//                                          ^~~~
// error_foreign_idioms.fx:6:50: error: no function is called 'swiglu': write 'a, b = split(x, 2);', then 'silu(a) * b'
//       b = median(x) + mode(x) + cov(x) + expm(w) + swiglu(x);
//                                                    ^~~~~~
// error_foreign_idioms.fx:8:9: error: no function is called 'cross': with 'a1 = concat(a[:, 1:], a[:, :1]);', 'a2 = concat(a[:, 2:], a[:, :2]);' and so b1 and b2, write 'a1 * b2 - a2 * b1'
//       c = cross(x, x) + popcount(i) + fft(x) + kron(w, w) + diag(w);
//           ^~~~~
// error_foreign_idioms.fx:8:23: error: no function is called 'popcount': for x >= 0, write 'sum(x[:, None] / 2 ** iota(31) % 2)'
//       c = cross(x, x) + popcount(i) + fft(x) + kron(w, w) + diag(w);
//                         ^~~~~~~~
// error_foreign_idioms.fx:8:37: error: no function is called 'fft': write '@' with matrices of 'cos' and 'sin' of (iota(N)[:, None] * iota(N) % N) as f32
//       c = cross(x, x) + popcount(i) + fft(x) + kron(w, w) + diag(w);
//                                       ^~~
// error_foreign_idioms.fx:8:46: error: no function is called 'kron': write 'reshape(a[:, None, :, None] * b[:, None], N * P, M * Q)'
//       c = cross(x, x) + popcount(i) + fft(x) + kron(w, w) + diag(w);
//                                                ^~~~
// error_foreign_idioms.fx:8:59: error: no function is called 'diag': write 'einsum("ii->i", x)', and for a matrix of a vector 'where(iota(N)[:, None] == iota(N), x, 0)'
//       c = cross(x, x) + popcount(i) + fft(x) + kron(w, w) + diag(w);
//                                                             ^~~~
// error_foreign_idioms.fx:9:9: error: no function is called 'searchsorted': write 'sum((x[:, None] >= edges) as i32)', how many edges are not above x
//       d = searchsorted(s, x) + topk(x, 2) + argsort(x) + interp(x, s, s);
//           ^~~~~~~~~~~~
// error_foreign_idioms.fx:9:30: error: no function is called 'topk': there is no sorting: 'at = argmax(x);' finds the largest of a row, and 'where(iota(N) == at, -inf, x)' is what is left
//       d = searchsorted(s, x) + topk(x, 2) + argsort(x) + interp(x, s, s);
//                                ^~~~
// error_foreign_idioms.fx:9:43: error: no function is called 'argsort': there is no sorting: of few numbers, 'sum((x[:, None] > x) as i32)' is how many are less than each
//       d = searchsorted(s, x) + topk(x, 2) + argsort(x) + interp(x, s, s);
//                                             ^~~~~~~
// error_foreign_idioms.fx:9:56: error: no function is called 'interp': write 'take(y, i) + t * (take(y, i + 1) - take(y, i))'
//       d = searchsorted(s, x) + topk(x, 2) + argsort(x) + interp(x, s, s);
//                                                          ^~~~~~
// error_foreign_idioms.fx:10:9: error: no function is called 'scatter_max': write 'scatter(base, indices, x, with = max)'
//       e = scatter_max(x, i, x) + scatter_mean(x, i, x) + segment_min(x, i);
//           ^~~~~~~~~~~
// error_foreign_idioms.fx:10:32: error: no function is called 'scatter_mean': write 'scatter(base, indices, x)', divided by the counts 'scatter(full(0, S), indices, 1)'
//       e = scatter_max(x, i, x) + scatter_mean(x, i, x) + segment_min(x, i);
//                                  ^~~~~~~~~~~~
// error_foreign_idioms.fx:10:56: error: no function is called 'segment_min': write 'scatter(base, indices, x, with = min)'
//       e = scatter_max(x, i, x) + scatter_mean(x, i, x) + segment_min(x, i);
//                                                          ^~~~~~~~~~~
// error_foreign_idioms.fx:11:9: error: no function is called 'reflect_pad': write 'concat(flip(x[1:k+1]), x, flip(x[N-k-1:N-1]))'
//       g = reflect_pad(x, 1) + pixel_shuffle(x, 2) + grid_sample(x, x);
//           ^~~~~~~~~~~
// error_foreign_idioms.fx:11:29: error: no function is called 'pixel_shuffle': write 'reshape(permute(reshape(x, C, r, r, H, W), 0, 3, 1, 4, 2), C, H * r, W * r)'
//       g = reflect_pad(x, 1) + pixel_shuffle(x, 2) + grid_sample(x, x);
//                               ^~~~~~~~~~~~~
// error_foreign_idioms.fx:11:51: error: no function is called 'grid_sample': write 'take(reshape(x, H * W), i * W + j)' at the corners of a pixel, times weights
//       g = reflect_pad(x, 1) + pixel_shuffle(x, 2) + grid_sample(x, x);
//                                                     ^~~~~~~~~~~
// error_foreign_idioms.fx:12:9: error: no function is called 'multinomial': write 'argmax(logits - log(-log(u)))', with 'u = random_uniform(seed, n, ..)'
//       h = multinomial(x) + logaddexp(x, x) + cdist(x, x) + huber_loss(x, x);
//           ^~~~~~~~~~~
// error_foreign_idioms.fx:12:26: error: no function is called 'logaddexp': write 'max(a, b) + log1p(exp(-abs(a - b)))'
//       h = multinomial(x) + logaddexp(x, x) + cdist(x, x) + huber_loss(x, x);
//                            ^~~~~~~~~
// error_foreign_idioms.fx:12:44: error: no function is called 'cdist': write 'sqrt(max(sum(a * a)[:, None] + sum(b * b) - 2 * (a @ b.T), 0))'
//       h = multinomial(x) + logaddexp(x, x) + cdist(x, x) + huber_loss(x, x);
//                                              ^~~~~
// error_foreign_idioms.fx:12:58: error: no function is called 'huber_loss': write 'd = abs(a - b);', then 'where(d < 1, 0.5 * d * d, d - 0.5)'
//       h = multinomial(x) + logaddexp(x, x) + cdist(x, x) + huber_loss(x, x);
//                                                            ^~~~~~~~~~
// error_foreign_idioms.fx:14:9: error: no function is called 'inv': there is none of a matrix: write that of a small one by its elements, such as 'a[:, 0, 1]'
//       j = inv(w) + unique(i) + scan(x) + complex(x, x) + lgamma(x) + randperm(N);
//           ^~~
// error_foreign_idioms.fx:14:18: error: no function is called 'unique': no size depends on values: 'cumsum(mask as i32) - 1' is the place of each among those to keep, and 'scatter' with 'set' puts it there
//       j = inv(w) + unique(i) + scan(x) + complex(x, x) + lgamma(x) + randperm(N);
//                    ^~~~~~
// error_foreign_idioms.fx:14:30: error: no function is called 'scan': there are no loops: 'cumsum', 'cumprod', 'cummax' and 'cummin' run along an axis, and steps of a known number are calls
//       j = inv(w) + unique(i) + scan(x) + complex(x, x) + lgamma(x) + randperm(N);
//                                ^~~~
// error_foreign_idioms.fx:14:40: error: no function is called 'complex': there are no complex numbers: keep their real and imaginary parts apart
//       j = inv(w) + unique(i) + scan(x) + complex(x, x) + lgamma(x) + randperm(N);
//                                          ^~~~~~~
// error_foreign_idioms.fx:14:56: error: no function is called 'lgamma': write it in a C header, and import that (docs/language.md)
//       j = inv(w) + unique(i) + scan(x) + complex(x, x) + lgamma(x) + randperm(N);
//                                                          ^~~~~~
// error_foreign_idioms.fx:14:68: error: no function is called 'randperm': there is no sorting: an order is an input, of indices
//       j = inv(w) + unique(i) + scan(x) + complex(x, x) + lgamma(x) + randperm(N);
//                                                                      ^~~~~~~~
// error_foreign_idioms.fx:16:24: error: 'softmax' has no argument 'dtype': 'as T' converts the result
//       k = softmax(x, -1, dtype = 32) + pad(x, 1, 1, 1, mode = 1) + relu(x, inplace = true);
//                          ^~~~~
// error_foreign_idioms.fx:16:9: note: it is 'softmax(x, axis = -1)'
//       k = softmax(x, -1, dtype = 32) + pad(x, 1, 1, 1, mode = 1) + relu(x, inplace = true);
//           ^~~~~~~
// error_foreign_idioms.fx:16:54: error: 'pad' has no argument 'mode': for a mirror, write 'concat(flip(x[1:k+1]), x, flip(x[N-k-1:N-1]))'
//       k = softmax(x, -1, dtype = 32) + pad(x, 1, 1, 1, mode = 1) + relu(x, inplace = true);
//                                                        ^~~~
// error_foreign_idioms.fx:16:38: note: it is 'pad(x, axis, before, after, value = 0)'
//       k = softmax(x, -1, dtype = 32) + pad(x, 1, 1, 1, mode = 1) + relu(x, inplace = true);
//                                        ^~~
// error_foreign_idioms.fx:16:74: error: 'relu' has no argument 'inplace': omit it: values do not change
//       k = softmax(x, -1, dtype = 32) + pad(x, 1, 1, 1, mode = 1) + relu(x, inplace = true);
//                                                                            ^~~~~~~
// error_foreign_idioms.fx:16:66: note: it is 'relu(x)'
//       k = softmax(x, -1, dtype = 32) + pad(x, 1, 1, 1, mode = 1) + relu(x, inplace = true);
//                                                                    ^~~~
// error_foreign_idioms.fx:17:29: error: 'cross_entropy' has no argument 'ignore_index': write 'where(labels >= 0, cross_entropy(logits, labels), 0)'
//       l = cross_entropy(x, i, ignore_index = -100) + var(x, unbiased = true);
//                               ^~~~~~~~~~~~
// error_foreign_idioms.fx:17:9: note: it is 'cross_entropy(logits, labels)'
//       l = cross_entropy(x, i, ignore_index = -100) + var(x, unbiased = true);
//           ^~~~~~~~~~~~~
// error_foreign_idioms.fx:17:59: error: 'var' has no argument 'unbiased': 'var' divides by the count N; times 'N / (N - 1.0)', it divides by N - 1
//       l = cross_entropy(x, i, ignore_index = -100) + var(x, unbiased = true);
//                                                             ^~~~~~~~
// error_foreign_idioms.fx:17:52: note: it is 'var(x, axis = -1, keep = false)'
//       l = cross_entropy(x, i, ignore_index = -100) + var(x, unbiased = true);
//                                                      ^~~
// error_foreign_idioms.fx:18:26: error: 'scatter' has no argument 'reduce'; did you mean 'with'?
//       m = scatter(x, i, x, reduce = add);
//                            ^~~~~~
// error_foreign_idioms.fx:18:9: note: it is 'scatter(base, indices, x, axis = 0, with = add)'
//       m = scatter(x, i, x, reduce = add);
//           ^~~~~~~
