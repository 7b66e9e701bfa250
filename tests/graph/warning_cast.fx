// run: fusec %s --emit=graph -o /dev/null
fn f[N](a: f32[N], b: f32[N], h: bf16[N], w: bf16[N, N], i: i32[N], u: u8[N]) -> (
    p: f32[N],
    q: f32[N],
    r: f32[N],
    s: f32[N],
    t: bool[N],
    c: f32[N],
    d: bf16[N],
    e: f32[N],
    g: f32[N],
    k: i32[N],
    m: f32[N]
) {
    p = a * b as bf16;
    q = a + 2 as bf16;
    r = h @ w as f32;
    s = (a + b) * -b as bf16;
    t = a > b as f16;
    // as these are, they mean what they seem to
    c = a * (b as bf16);
    d = (a * b) as bf16;
    e = a * i as f32;
    g = h * b as f32;
    k = i / u as i32;
    m = a * mul(a, b as bf16);
}
// ---- expect
// warning_cast.fx:15:9: warning: 'as bf16' casts only the right operand: write 'a * (b as bf16)', or '(a * b) as bf16' for all
//       p = a * b as bf16;
//           ^~~~~~~~~~~~~
// warning_cast.fx:16:9: warning: 'as bf16' casts only the right operand: write 'a + (2 as bf16)', or '(a + 2) as bf16' for all
//       q = a + 2 as bf16;
//           ^~~~~~~~~~~~~
// warning_cast.fx:17:9: warning: 'as f32' casts only the right operand: write 'h @ (w as f32)', or '(h @ w) as f32' for all
//       r = h @ w as f32;
//           ^~~~~~~~~~~~
// warning_cast.fx:18:9: warning: 'as bf16' casts only the right operand: write '(a + b) * (-b as bf16)', or '((a + b) * -b) as bf16' for all
//       s = (a + b) * -b as bf16;
//           ^~~~~~~~~~~~~~~~~~~~
// warning_cast.fx:19:9: warning: 'as f16' casts only the right operand: write 'a > (b as f16)', or '(a > b) as f16' for all
//       t = a > b as f16;
//           ^~~~~~~~~~~~
