// Rotary position embedding: turns the pairs (x[i], x[i + D/2]) by an angle that grows with the
// position and falls with i. Applied to queries and keys before attention.
//
//     angle = position * theta^(-2i / D)
//     y = x * cos(angle) + rotate_half(x) * sin(angle),  rotate_half([a b]) = [-b a]
//
// Two kernels: the cosines and sines are the same for every head, and computed once.
//
// try: -D B=1 -D H=12 -D S=1024 -D D=64
// small: -D B=2 -D H=3 -D S=5 -D D=14
// small: -D B=1 -D H=1 -D S=1 -D D=2
// kernels: 2
const theta = 10000.0;

fn rope[B, H, S, D](x: bf16[B, H, S, D]) -> (y: bf16[B, H, S, D]) {
    assert D % 2 == 0;
    i = (iota(D) % (D / 2)) as f32;
    angle = (iota(S) as f32)[:, None] * theta ** (-2 * i / D);
    a, b = split(x, 2);
    y = x * cos(angle) + concat(-b, a) * sin(angle);
}
