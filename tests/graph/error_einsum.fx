// run: fusec %s --emit=graph
// exit: 1
fn f[N, M](x: f32[N, M], i: i32[M], b: bool[N, M]) -> (y: f32[N, M]) {
    a = einsum(x, x);
    c = einsum("ij,j>i", x, x[0]);
    d = einsum("abcdefghi->a", x);
    e = einsum("ij,j->i", x);
    g = einsum("ij->i", x, x);
    h = einsum("ij->ii", x);
    j = einsum("ij->ik", x);
    k = einsum("ijk->i", x);
    l = einsum("ij,ij->j", x, x.T);
    m = einsum("ij,j->i", x, i);
    n = einsum("ij,ij->i", b, b);
    o = einsum("i1->i", x);
    p = einsum("ii->i", x);
    q = einsum("ij->i", x[0]);
    y = x;
}
// ---- expect
// error_einsum.fx:4:16: error: 'einsum' starts with a string, such as "ij,jk->ik"
//       a = einsum(x, x);
//                  ^
// error_einsum.fx:5:21: error: an einsum consists of letters, ',' and one '->'
//       c = einsum("ij,j>i", x, x[0]);
//                       ^
// error_einsum.fx:6:25: error: a tensor has at most 8 axes
//       d = einsum("abcdefghi->a", x);
//                           ^
// error_einsum.fx:7:19: error: the einsum names more operands than the 1 given
//       e = einsum("ij,j->i", x);
//                     ^
// error_einsum.fx:8:16: error: the einsum names 1 operand, and 2 are given
//       g = einsum("ij->i", x, x);
//                  ^~~~~~~
// error_einsum.fx:9:22: error: this label is already in the result
//       h = einsum("ij->ii", x);
//                        ^
// error_einsum.fx:10:22: error: no operand has this label
//       j = einsum("ij->ik", x);
//                        ^
// error_einsum.fx:11:26: error: f32[N, M] has 2 axes, and the einsum names 3: "ijk"
//       k = einsum("ijk->i", x);
//                            ^
// error_einsum.fx:12:31: error: label 'i' is M here and N there
//       l = einsum("ij,ij->j", x, x.T);
//                                 ^~~
// error_einsum.fx:12:28: note: there
//       l = einsum("ij,ij->j", x, x.T);
//                              ^
// error_einsum.fx:13:9: error: f32[N, M] and i32[M] do not mix: convert one with 'as'
//       m = einsum("ij,j->i", x, i);
//           ^~~~~~~~~~~~~~~~~~~~~~~
// error_einsum.fx:13:30: note: this is i32[M]: write 'as f32' after it for a float
//       m = einsum("ij,j->i", x, i);
//                                ^
// error_einsum.fx:13:27: note: this is f32[N, M]
//       m = einsum("ij,j->i", x, i);
//                             ^
// error_einsum.fx:14:31: error: bool[N, M] is not a number: write 'as i32' or 'as f32', or use 'where'
//       n = einsum("ij,ij->i", b, b);
//                                 ^
// error_einsum.fx:15:18: error: an einsum consists of letters, ',' and one '->'
//       o = einsum("i1->i", x);
//                    ^
// error_einsum.fx:16:25: error: label 'i' is M here and N there
//       p = einsum("ii->i", x);
//                           ^
// error_einsum.fx:16:25: note: there
//       p = einsum("ii->i", x);
//                           ^
// error_einsum.fx:17:25: error: f32[M] has 1 axis, and the einsum names 2: "ij"
//       q = einsum("ij->i", x[0]);
//                           ^~~~
