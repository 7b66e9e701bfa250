// What is asked for early: 2 KB and 8 KB on in a single pass; of several, the next row in the one
// with the most special functions, else the last; 512 elements on in sums over four rows at a time;
// of a transpose the next block, and the rows that are read beside it unless there is a special
// function; no line twice, nothing of arrays that stay in a cache or of gathered rows.
// run: fusec %s -o %t.c
// run: grep -E "__builtin_prefetch\(.*i[01]|FETCH_LINES\([a-z]" %t.c
fn pass[N](x: f32[N], y: bf16[N], z: f32[4096]) -> (a: f32[N], b: f32[4096]) {
    a = x + y;
    b = z * 2;
}

fn rows[N, D](x: f32[N, D], y: bf16[N, D]) -> (a: f32[N, D], b: f32[N, D], c: f32[N, D]) {
    a = rms_norm(x, full(1.0, D));
    b = softmax(x);
    c = layer_norm(y, full(1.0, D), full(0.0, D));
}

fn gathered[N, M, D](x: f32[M, D], at: i32[N]) -> (a: f32[N, D]) {
    a = take(x, at, 0) + 1;
}

fn outer[B](x: f32[B, 8, 784], y: f32[4, 8, 64]) -> (a: f32[8], b: f32[8]) {
    a = sum(x, axis = [0, 2]);
    b = sum(y, axis = [0, 2]);
}

fn beside[M](x: f32[M, 4096], z: f32[4096, M], b: f32[M]) -> (a: f32[4096, M]) { a = x.T * b + z; }

fn beside_tanh[M](x: f32[M, 4096], z: f32[4096, M]) -> (a: f32[4096, M]) { a = tanh(x.T) + z; }
// ---- expect
// #define FETCH_LINES(p, bytes)                                                                      \
//         __builtin_prefetch(x + i0 + 512, 0, 3);
//         __builtin_prefetch(x + i0 + 2048, 0, 2);
//         __builtin_prefetch(y + i0 + 1024, 0, 3);
//         __builtin_prefetch(y + i0 + 4096, 0, 2);
//             __builtin_prefetch(x + (i0 + 1) * D + i1, 0, 2);
//             if (i1 / VL % 2 == 0) __builtin_prefetch(y + (i0 + 1) * D + i1, 0, 2);
//                 __builtin_prefetch(x + ahead2 * D + i1, 0, 3);
//             __builtin_prefetch(x + i1 * 6272 + i0 * 784 + i2 + 512, 0, 2);
//                     FETCH_LINES(x + (next_col + l) * 4096 + next_row, 256 + 63);
//                 FETCH_LINES(z + (next_row + row) * M + next_col, 256 + 63);
//                     FETCH_LINES(x + (next_col + l) * 4096 + next_row, 256 + 63);
