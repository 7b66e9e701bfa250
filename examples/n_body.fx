// Gravity between N bodies, each pulled by all others. Softening keeps close pairs finite, and a
// body does not pull itself: its distance is zero.
//
//     a[i] = sum over j of mass[j] * d / (|d|² + softening²)^(3/2),  d = position[j] - position[i]
//
// try: -D N=512
// small: -D N=1
// small: -D N=13
// small: -D N=67
// inputs: mass 0.1..1
const softening = 0.1;

fn n_body[N](position: f64[N, 3], mass: f64[N]) -> (acceleration: f64[N, 3]) {
    d = position[None, :, :] - position[:, None, :];
    r2 = sum(d * d, axis = -1, keep = true) + softening * softening;
    acceleration = sum(mass[:, None] * d * rsqrt(r2) ** 3, axis = 1);
}
