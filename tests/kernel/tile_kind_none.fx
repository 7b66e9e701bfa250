// A kind of tiles of which none is legal, for reasons that differ from tile to tile.
// run: fusec %s --arch=sm_90a --tile=kind=wgmma
// exit: 1
fn t(x: f16[3, 40, 200], w: f16[40, 160]) -> (y: f16[3, 200]) { y = sum(transpose(x) @ w); }
// ---- expect
// fusec: error: kernel 't_0' cannot have the tile kind=wgmma: no tile of this kind is legal
// fusec: note: without --tile it has kind=mma,m=16,n=256,k=32,warps_m=1,warps_n=4,stages=3,group=8,blocks=4,row_threads=8,vector=4,keep=registers,unroll=4,operand_unroll=4
