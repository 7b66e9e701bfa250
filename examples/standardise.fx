// Every column of a table to mean 0 and variance 1, as statistics and machine learning like their
// features; the means and deviations are kept. Reduces along the first axis.
//
//     y = (x - mean) / deviation,  deviation = sqrt(var(x) + 1e-12)
//
// try: -D N=4096 -D F=256
// small: -D N=7 -D F=3
// small: -D N=1 -D F=1
// small: -D N=131 -D F=37
fn standardise[N, F](x: f32[N, F]) -> (y: f32[N, F], mean: f32[F], deviation: f32[F]) {
    mean = mean(x, axis = 0);
    deviation = sqrt(var(x, axis = 0) + 1e-12);
    y = (x - mean) / deviation;
}
