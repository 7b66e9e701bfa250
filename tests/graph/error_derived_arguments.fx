// Derivations of derivations count their inputs and outputs as written functions do.
// run: fusec --limit arguments=5 %s --emit=graph
// exit: 1
fn f[N](x: f32[N]) -> (y: f32[N]) {
    y = sin(x) * x;
}
fn g = vjp(f);
fn h = jvp(g);
fn too_many = vjp(h);
fn of_it = vjp(too_many);
fn pair = jvp(jvp(jvp(f)));
// ---- expect
// error_derived_arguments.fx:10:12: error: a function has more inputs than 5 ('--limit arguments=N' changes this)
//   fn of_it = vjp(too_many);
//              ^~~~~~~~~~~~~
// error_derived_arguments.fx:11:11: error: a function has more inputs than 5 ('--limit arguments=N' changes this)
//   fn pair = jvp(jvp(jvp(f)));
//             ^~~~~~~~~~~~~~~~
