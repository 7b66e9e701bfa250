// A kernel of too little work for threads is run by its caller's thread, which may be any of an application's own: it
// takes the first part of the scratch memory. Where threads share the rows, each has its own part.
// run: fusec %s -o %t.c
// run: grep "const mine = " %t.c
fn alone(x: f32[1, 30000], z: f32[1, 30000]) -> (y: f32[1, 30000], w: f32[1, 30000]) {
    e = exp(gelu(x) * z - max(x, axis = 1, keep = true));
    y = e / sum(e, axis = 1, keep = true);
    w = e * max(y, axis = 1, keep = true);
}
fn shared[N](x: f32[N, 30000], z: f32[N, 30000]) -> (y: f32[N, 30000], w: f32[N, 30000]) {
    e = exp(gelu(x) * z - max(x, axis = 1, keep = true));
    y = e / sum(e, axis = 1, keep = true);
    w = e * max(y, axis = 1, keep = true);
}
fn whole[N](x: f32[N], z: f32[N]) -> (y: f32[N], w: f32[N]) {
    e = exp(gelu(x) * z - max(x));
    y = e / sum(e);
    w = e * max(y);
}
// ---- expect
//     char *const mine = scratch;
//         char *const mine = scratch + fx_thread() * (4 * PADDED(30000));
//     char *const mine = scratch;
