// run: fusec fmt -
const  eps=1e-5 ;import   "ops.h";
fn f [ N,D ] ( x:f32 [ N , 4 * D ],w : bf16[ D-1,2 ** D ],s:f32[ ] )->( y:f32[N] ){ a,b=split(x,2,axis=-1);
y=x+-w*( - b )@ c.T ;z=! a&&c||d<=e; assert D%8==0;
w = x [ 1 : - 1 ,None , ... , : , a + 1 : 2 * b , f( a+b )*2 ] ; l=[ [ 1,2 ],[ 3 , - 4 ],[] ] ; c = x  as  f32 as bf16; d = - - x ** - 2; e = 1 .T + ( a ) . T [ 0 ] ;
}fn g=vjp ( f ,wrt=x ) ;
fn h ( ) -> ( y : f32 ) { }
// ---- expect
// // run: fusec fmt -
// const eps = 1e-5;
// import "ops.h";
// fn f[N, D](x: f32[N, 4*D], w: bf16[D-1, 2**D], s: f32[]) -> (y: f32[N]) {
//     a, b = split(x, 2, axis = -1);
//     y = x + -w * (-b) @ c.T;
//     z = !a && c || d <= e;
//     assert D % 8 == 0;
//     w = x[1:-1, None, ..., :, a+1:2*b, f(a + b)*2];
//     l = [[1, 2], [3, -4], []];
//     c = x as f32 as bf16;
//     d = --x ** -2;
//     e = 1 .T + (a).T[0];
// }
// fn g = vjp(f, wrt = x);
// fn h() -> (y: f32) {
// }
