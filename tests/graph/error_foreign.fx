// run: fusec %s --emit=graph --limit errors=40
// exit: 1
fn f[N, D](x: f32[N, D], w: f32[N, D], i: i32[N]) -> (y: f32[N, D]) {
    a = clip(x, 0, 1);
    b = arange(N) + zeros(N) + ones(N);
    c = erfc(x) + elu(x);
    d = rand(N, D);
    e = expand(x, 2, N, D);
    f = view(x, D, N);
    g = transpose(x, 0, 1);
    h = mm(x, w);
    j = embedding(w, i);
    k = one_hot(i, 10);
    m = std(x) + norm(x);
    n = masked_fill(x, x > 0, 0.0);
    o = exb(x);
    p = eslu(x);
    q = detach(x) * remainder(x, w) + nanmax(x)[:, None] + gather(x, i);
    y = x;
}
// ---- expect
// error_foreign.fx:4:9: error: no function is called 'clip': write 'clamp(x, lo, hi)'
//       a = clip(x, 0, 1);
//           ^~~~
// error_foreign.fx:5:9: error: no function is called 'arange': write 'iota(n)'
//       b = arange(N) + zeros(N) + ones(N);
//           ^~~~~~
// error_foreign.fx:5:21: error: no function is called 'zeros': write 'full(0.0, n, ..)'
//       b = arange(N) + zeros(N) + ones(N);
//                       ^~~~~
// error_foreign.fx:5:32: error: no function is called 'ones': write 'full(1.0, n, ..)'
//       b = arange(N) + zeros(N) + ones(N);
//                                  ^~~~
// error_foreign.fx:6:9: error: no function is called 'erfc': write '1 - erf(x)', which loses digits where erf(x) is near 1
//       c = erfc(x) + elu(x);
//           ^~~~
// error_foreign.fx:6:19: error: no function is called 'elu': write 'max(x, 0) + expm1(min(x, 0))'
//       c = erfc(x) + elu(x);
//                     ^~~
// error_foreign.fx:7:9: error: no function is called 'rand': write 'random_uniform(seed, n, ..)'
//       d = rand(N, D);
//           ^~~~
// error_foreign.fx:8:9: error: no function is called 'expand': write 'broadcast(x, n, ..)'
//       e = expand(x, 2, N, D);
//           ^~~~~~
// error_foreign.fx:9:9: error: no function is called 'view': write 'reshape(x, n, ..)'
//       f = view(x, D, N);
//           ^~~~
// error_foreign.fx:10:22: error: 'transpose' takes 1 argument, and this is number 2
//       g = transpose(x, 0, 1);
//                        ^
// error_foreign.fx:10:9: note: 'permute(x, axis..)' gives any order of axes
//       g = transpose(x, 0, 1);
//           ^~~~~~~~~
// error_foreign.fx:10:9: note: it is 'transpose(x)'
//       g = transpose(x, 0, 1);
//           ^~~~~~~~~
// error_foreign.fx:11:9: error: no function is called 'mm': write 'a @ b'
//       h = mm(x, w);
//           ^~
// error_foreign.fx:12:9: error: no function is called 'embedding': write 'take(x, indices, axis = 0)'
//       j = embedding(w, i);
//           ^~~~~~~~~
// error_foreign.fx:13:9: error: no function is called 'one_hot': write '(labels[:, None] == iota(C)) as f32'
//       k = one_hot(i, 10);
//           ^~~~~~~
// error_foreign.fx:14:9: error: no function is called 'std': write 'sqrt(var(x))'; 'var' divides by the count N, not by N - 1
//       m = std(x) + norm(x);
//           ^~~
// error_foreign.fx:14:18: error: no function is called 'norm': write 'sqrt(sum(x * x))'
//       m = std(x) + norm(x);
//                    ^~~~
// error_foreign.fx:15:9: error: no function is called 'masked_fill': write 'where(mask, value, x)'
//       n = masked_fill(x, x > 0, 0.0);
//           ^~~~~~~~~~~
// error_foreign.fx:16:9: error: no function is called 'exb'; did you mean 'exp'?
//       o = exb(x);
//           ^~~
// error_foreign.fx:17:9: error: no function is called 'eslu'
//       p = eslu(x);
//           ^~~~
// error_foreign.fx:18:9: error: no function is called 'detach': write 'stop_gradient(x)'
//       q = detach(x) * remainder(x, w) + nanmax(x)[:, None] + gather(x, i);
//           ^~~~~~
// error_foreign.fx:18:21: error: no function is called 'remainder': write '(a % b + b) % b'; 'a % b' has the sign of a, as C's fmod
//       q = detach(x) * remainder(x, w) + nanmax(x)[:, None] + gather(x, i);
//                       ^~~~~~~~~
// error_foreign.fx:18:39: error: no function is called 'nanmax': write 'max(where(isnan(x), -inf, x))'
//       q = detach(x) * remainder(x, w) + nanmax(x)[:, None] + gather(x, i);
//                                         ^~~~~~
// error_foreign.fx:18:60: error: no function is called 'gather': write 'take(x, indices, axis = 0)' for whole rows, and for one element of each row 'sum(where(at[:, None] == iota(C), x, 0))'
//       q = detach(x) * remainder(x, w) + nanmax(x)[:, None] + gather(x, i);
//                                                              ^~~~~~
