// A condition that is part of another is one of its own: "K % 4 == 0" of "BK % 4 == 0".
// run: fusec %s -o %t.cu
// run: grep -E "^    if .*is_aligned" %t.cu
fn f[N, K, BK](a: f32[N, BK], b: f32[N, K]) -> (y: f32[N, BK]) {
    assert BK <= K;
    y = a + b[:, 0:BK];
}
// ---- expect
//     if (BK % 4 == 0 && is_aligned(a, 16) && K % 4 == 0 && is_aligned(b, 16) && is_aligned(y, 16)) {
