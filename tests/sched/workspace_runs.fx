// run: fusec run %s --check
// The temps of a chain of contractions take turns in two pieces of workspace.
fn f(x: f32[16, 16], w: f32[16, 16]) -> (y: f32[16, 16]) {
    y = tanh(tanh(tanh(tanh(x @ w) @ w) @ w) @ w);
}
