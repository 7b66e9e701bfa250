// Quotients of dims that are whole for one size only are errors, as 1 / D is; for few sizes, warnings.
// The sizes of the first two outputs are meant.
// run: fusec %s --emit=graph
// exit: 1
fn meant[B, D, H](x: f32[B, D]) -> (a: f32[64 / H], b: f32[B * D / H], c: f32[D * B / (B - 1)]) {
    a = x[0, :64 / H];
    b = reshape(x, B * D / H, H)[:, 0];
    c = x[0, : D * B / (B - 1)];
}
fn rare[B, D](x: f32[B, D]) -> (y: f32[D], z: f32[D]) {
    y = mean(x, axis = 0) * (B / (B - 2));
    z = mean(x, axis = 0) * (1.0 * B / (B - 2));
}
fn never[B, D](x: f32[B, D]) -> (y: f32[D]) {
    m = mean(x * x, axis = 0);
    a = m * (B / (B - 1));
    b = m * ((2*B - 1) / B);
    c = m * (B*B / (B + 1));
    y = a + b + c;
}
// ---- expect
// rarely_whole.fx:11:30: warning: B / (B - 2) is a whole number only where B - 2 divides 2: integers and dims divide exactly, '1.0 * B / (B - 2)' is a fraction
//       y = mean(x, axis = 0) * (B / (B - 2));
//                                ^~~~~~~~~~~
// rarely_whole.fx:16:14: error: B / (B - 1) is not a whole number: integers and dims divide exactly, '1.0 * B / (B - 1)' is a fraction
//       a = m * (B / (B - 1));
//                ^~~~~~~~~~~
// rarely_whole.fx:17:14: error: (2*B - 1) / B is not a whole number: integers and dims divide exactly, '1.0 * (2*B - 1) / B' is a fraction
//       b = m * ((2*B - 1) / B);
//                ^~~~~~~~~~~~~
// rarely_whole.fx:18:14: error: B*B / (B + 1) is not a whole number: integers and dims divide exactly, '1.0 * B*B / (B + 1)' is a fraction
//       c = m * (B*B / (B + 1));
//                ^~~~~~~~~~~~~
