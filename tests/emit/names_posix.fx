// run: fusec %s -o t.c
// run: grep "^int " t.c
// An application that links these still calls the functions of its system.
fn open[N](x: f32[N], random: f32[N], std: f32[N]) -> (y: f32[N]) {
    y = x + random * std;
}

fn close[N](x: f32[N]) -> (select: f32[N]) {
    select = -x;
}
// ---- expect
// names_posix.fx:4:4: warning: function 'open' is emitted as 'open_': it is a function or a type of the library
//   fn open[N](x: f32[N], random: f32[N], std: f32[N]) -> (y: f32[N]) {
//      ^~~~
// names_posix.fx:8:4: warning: function 'close' is emitted as 'close_': it is a function or a type of the library
//   fn close[N](x: f32[N]) -> (select: f32[N]) {
//      ^~~~~
// int open_(const float *x, const float *random, const float *std_, float *y, int64_t N,
// int open_(const float *x, const float *random, const float *std_, float *y, int64_t N,
// int close_(const float *x, float *select, int64_t N, void *workspace);
// int close_(const float *x, float *select, int64_t N, void *workspace)
// int main(int argc, char **argv)
