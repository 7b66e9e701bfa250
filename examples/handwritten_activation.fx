// A gated unit whose activations the language does not have: functions of a C header, fused like any
// operator.
// small: -D N=3 -D D=7
// small: -D N=1 -D D=64
// try: -D N=8192 -D D=4096
// inputs: slope 0.5..2
// kernels: 1
import "activations.h";

@one_kernel
fn handwritten_activation[N, D](x: bf16[N, 2*D], slope: f32[D]) -> (y: bf16[N, D]) {
    value, gate = split(x, 2);
    y = snake(value, slope) * squareplus(gate, b = 4.0);
}
