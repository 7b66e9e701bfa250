// run: fusec %s -D N=8589934599 --target=c -o c.c
// run: fusec %s -D N=8589934599 --arch=sm_90a -o cuda.cu
// run: grep "^int [a-z]*(" c.c
// More positions along an axis than i32 counts: in a concatenation, in parts of an attention's keys, whose
// operands have more elements for all parts together than a value of the model may have, and of columns.
fn joined[N](x: i8[N], y: i8[N]) -> (z: i8[2*N]) {
    z = concat(x, y);
}

fn decode[N](q: f32[2, 3, 5], k: f32[2, N, 5], v: f32[2, N, 5]) -> (o: f32[2, 3, 5]) {
    o = softmax(q @ k.T) @ v;
}

fn columns[N](x: i8[N, 4], w: f32[N]) -> (s: i32[4], m: i8[4], v: f32) {
    s = sum(x, axis = 0);
    m = max(x, axis = 0);
    v = var(w);
}
// ---- expect
// int joined(const int8_t *x, const int8_t *y, int8_t *z, void *workspace);
// int joined(const int8_t *x, const int8_t *y, int8_t *z, void *workspace)
// int decode(const float *q, const float *k, const float *v, float *o, void *workspace);
// int decode(const float *q, const float *k, const float *v, float *o, void *workspace)
// int columns(const int8_t *x, const float *w, int32_t *s, int8_t *m, float *v, void *workspace);
// int columns(const int8_t *x, const float *w, int32_t *s, int8_t *m, float *v, void *workspace)
// int main(int argc, char **argv)
