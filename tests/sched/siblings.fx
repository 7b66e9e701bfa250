// run: fusec run %s --check
// kernels: 1
// Reductions that read one tensor and do not need each other.
fn f(x: f32[8, 12]) -> (most: f32[8], least: f32[8], total: f32[8], first: i32[8]) {
    most = max(x);
    least = min(x);
    total = sum(x);
    first = argmax(x);
}
