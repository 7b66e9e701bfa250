// How many bytes there are of each value.
fn histogram[N](x: u8[N]) -> (count: i32[256]) {
    count = scatter(full(0, 256), x as i32, 1);
}
