// Layers whose weights are slices of one tensor call one function, each with its place in the tensor: from
// the first slice on or back from the last, where slices start at whole cache lines, and the same slice
// for two layers; not where they start within lines, or where sizes are open.
// run: fusec run %s --fn layers --check -D N=9 -D D=16 > checks
// run: fusec run %s --fn layers --check -D N=5 -D D=5 > checks
// run: fusec run %s --check --fn two_places -D N=9 -D D=16 > checks
// run: fusec %s --fn layers --target=c -D D=16 -o %t.c
// run: grep -o "layers_[0-9](.*packed);" %t.c
// run: fusec %s --fn layers --emit=kernel --target=c -D D=16 -o %t.kernel
// run: grep -A2 "^kernel" %t.kernel
// run: fusec %s --fn layers --target=c -D D=5 -o %t.c
// run: grep -o "layers_[0-9](.*packed);" %t.c
// run: fusec %s --fn layers --target=c -o %t.c
// run: grep -o "layers_[0-9](.*packed);" %t.c
fn layers[N, D](x: f32[N, D], w: f32[5*D, D]) -> (y: f32[N, D]) {
    a = relu(x @ w[2*D:3*D].T);
    b = relu(a @ w[4*D:].T);
    c = relu(b @ w[:D].T);
    y = relu(c @ w[4*D:].T);
}
fn two_places[N, D](x: f32[N, D], w: f32[5*D, D]) -> (y: f32[N, D]) {
    a = relu(x @ w[2*D:3*D].T + w[D]);
    y = relu(a @ w[3*D:4*D].T + w[2*D]);
}
// ---- expect
// fusec: remark: random inputs, seed 0: x, w
// fusec: remark: random inputs, seed 0: x, w
// fusec: remark: random inputs, seed 0: x, w
// layers_0(x, w + 512, a, N, packed);
// layers_0(a, w + 1024, b, N, packed);
// layers_0(b, w, c, N, packed);
// layers_0(c, w + 1024, y, N, packed);
// kernel layers_0: contraction
//   in  x: f32
//   in  w + 512: f32
// --
// kernel layers_1: contraction, calls layers_0 with
//   in  a: f32
//   in  w + 1024: f32
// --
// kernel layers_2: contraction, calls layers_0 with
//   in  b: f32
//   in  w: f32
// --
// kernel layers_3: contraction, calls layers_0 with
//   in  c: f32
//   in  w + 1024: f32
// layers_0(x, w, a, N, packed);
// layers_1(w, a, b, N, packed);
// layers_2(w, b, c, N, packed);
// layers_1(w, c, y, N, packed);
// layers_0(x, w, a, N, D, packed);
// layers_1(w, a, b, N, D, packed);
// layers_2(w, b, c, N, D, packed);
// layers_1(w, c, y, N, D, packed);
