// A comparison of a comparison is in parentheses: in C++, < binds more than == and !=.
// run: fusec run %s --check -D N=100
// run: fusec %s --target=cuda -o %t.cu
// run: grep "_pack.at.l. = .* ?" %t.cu
fn f[N](x: f32[N], y: f32[N], c: bool[N]) -> (p: i32[N], q: i32[N], r: i32[N]) {
    p = where((x == y) < c, 1, 2);
    q = where((x < y) == c, 1, 2);
    r = where(c != (x <= y), 1, 2);
}
// ---- expect
// p: i32[100]  mean 1.45  max 2  checksum dfed05c85529a6de
// q: i32[100]  mean 1.53  max 2  checksum ae74d8605b110dce
// r: i32[100]  mean 1.47  max 2  checksum 104a274337c23df5
// p: ok
// q: ok
// r: ok
// fusec: remark: random inputs, seed 0: x, y, c
//             p_pack.at[l] = (x_items[item].at[l] == y_items[item].at[l]) < c_1 ? 1 : 2;
//             q_pack.at[l] = c_1 == (x_items[item].at[l] < y_items[item].at[l]) ? 1 : 2;
//             r_pack.at[l] = c_1 != (x_items[item].at[l] <= y_items[item].at[l]) ? 1 : 2;
