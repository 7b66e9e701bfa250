// A function one of whose kernels would have the name of a function of the emitted text, st_8, gets another name.
// run: fusec run %s --check --device=cpu -O0 -D N=70 --color=never
fn st[N](x: u8[N]) -> (y: u8[N]) {
    a = x + 1;
    b = (a * 3) as u8;
    c = b + 5;
    d = (c * 7) as u8;
    e = d + x;
    f = (e * 9) as u8;
    y = f;
}
// ---- expect
// y: u8[70]  mean 131.6  max 248  checksum 9386a741b5db89ec
// y: ok
// names_of_kernels.fx:3:4: warning: function 'st' is emitted as 'st_': a kernel of it would have the name of a function of the emitted text
//   fn st[N](x: u8[N]) -> (y: u8[N]) {
//      ^~
// fusec: remark: random inputs, seed 0: x
