// Layers whose weights are slices of one tensor call one function, each with its place in the tensor: from
// the first slice on or back from the last, where slices start at whole cache lines, and the same slice
// for two layers; not where they start within lines, or where sizes are open. Slices of two shapes have
// two places: the function is given the tensor twice, also if both are the same for all that call it.
// run: fusec run %s --fn layers --check -D N=9 -D D=16 > checks
// run: fusec run %s --fn layers --check -D N=5 -D D=5 > checks
// run: fusec run %s --check --fn two_places -D N=9 -D D=16 > checks
// run: fusec run %s --check --fn two_places -D N=9 -D D=5 > checks
// run: fusec %s --fn layers --target=c -D D=16 -o %t.c
// run: grep -o "layers_[0-9](.*packed);" %t.c
// run: fusec %s --fn layers --emit=kernel --target=c -D D=16 -o %t.kernel
// run: grep -A2 "^kernel" %t.kernel
// run: fusec %s --fn layers --target=c -D D=5 -o %t.c
// run: grep -o "layers_[0-9](.*packed);" %t.c
// run: fusec %s --fn layers --target=c -o %t.c
// run: grep -o "layers_[0-9](.*packed);" %t.c
// run: fusec %s --fn two_places --target=c -D D=16 -o %t.c
// run: grep -oE "(ld_f32\(w|two_places_[0-9]).*\)" %t.c
// run: fusec %s --fn two_places --emit=kernel --target=c -D D=16 -o %t.kernel
// run: grep -A5 "^kernel" %t.kernel
// run: fusec run %s --check --fn same_place -D M=67 > checks
// run: fusec %s --fn same_place --target=c -o %t.c
// run: grep -o "same_place_0(.*packed);" %t.c
fn layers[N, D](x: f32[N, D], w: f32[5*D, D]) -> (y: f32[N, D]) {
    a = relu(x @ w[2*D:3*D].T);
    b = relu(a @ w[4*D:].T);
    c = relu(b @ w[:D].T);
    y = relu(c @ w[4*D:].T);
}
fn two_places[N, D](x: f32[N, D], w: f32[5*D, D], w_slice: f32[D]) -> (y: f32[N, D]) {
    a = relu(x @ w[2*D:3*D].T + w[D]) * w_slice;
    y = relu(a @ w[3*D:4*D].T + w[2*D]) * w_slice;
}
fn same_place[M](x: f32[M, M], w: f32[M, M]) -> (y: f32[M], z: f32[M, M]) {
    z = w + x[:, 64] @ x;
    y = x[:, 64] @ z;
}
// ---- expect
// fusec: remark: random inputs, seed 0: x, w
// fusec: remark: random inputs, seed 0: x, w
// fusec: remark: random inputs, seed 0: x, w, w_slice
// fusec: remark: random inputs, seed 0: x, w, w_slice
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
// ld_f32(w_slice_slice + i2, VL)
// ld_f32(w_slice + i2, VL)
// two_places_0_tile, 1, N, 16, 16, 1, 4, 1)
// two_places_0(x, w + 512, w_slice, a, w + 256, N, packed)
// two_places_0(a, w + 768, w_slice, y, w + 512, N, packed)
// kernel two_places_0: contraction
//   in  x: f32
//   in  w + 512: f32
//   in  w_slice: f32
//   out a: f32
//   in  w_slice = w + 256: f32
// --
// kernel two_places_1: contraction, calls two_places_0 with
//   in  a: f32
//   in  w + 768: f32
//   in  w_slice: f32
//   out y: f32
//   in  w_slice = w + 512: f32
// fusec: remark: random inputs, seed 0: x, w
// same_place_0(x + 64, matmul_temp, x, M, packed);
// same_place_0(x + 64, y, z, M, packed);
