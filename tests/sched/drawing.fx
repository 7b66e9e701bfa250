// run: fusec graph %s
// run: fusec %s -o %t.dot
fn f[N](x: f32[N]) -> (y: f32[N], z: f32) {
    h = exp(x[None, :] + 1);
    y = h[0];
    z = sum(y);
}
// ---- expect
// digraph fusec {
//     node [shape=box, fontname="monospace"];
//     p0_1 [shape=ellipse];
//     p0_1 [label="x\nf32[N]"];
//     subgraph cluster_p0_k0 {
//         label="f_0 (row)";
//         p0_6 [label="add\nf32[1, N]"];
//         p0_7 [label="exp\nf32[1, N]"];
//         p0_9 [label="sum\nf32[1]"];
//     }
//     p0_1 -> p0_6 [style=dashed];
//     p0_6 -> p0_7;
//     p0_7 -> p0_9;
//     p0_out0 [shape=ellipse, label="y"];
//     p0_8 -> p0_out0 [style=dashed];
//     p0_out1 [shape=ellipse, label="z"];
//     p0_10 -> p0_out1 [style=dashed];
// }
