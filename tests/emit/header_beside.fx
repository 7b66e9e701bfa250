// A source and its header, of its target, at once; a rule for make names both.
// run: fusec %s -o %t.h -o %t.cu -MD
// run: cat %t.d
// run: grep -c cudaStream_t %t.h
// run: fusec %s -o %t.c -o %t.h
// run: grep ^int %t.h
// run: fusec %s -o %t.c -o %t.cu
// exit: 2
// run: fusec %s -o %t.json -o %t.h
// exit: 2
// run: fusec %s -o %t.c -o %t.h -o %t.cu
// exit: 2
fn twice[N](x: f32[N]) -> (y: f32[N]) { y = x + x; }
// ---- expect
// out.cu out.h: header_beside.fx
// 2
// int twice(const float *x, float *y, int64_t N, void *workspace);
// int64_t twice_workspace(int64_t N);
// fusec: error: -o is given twice: only a header may be written with something else, as in -o x.cu -o x.h
// fusec: error: a header is written with a .cu, a .c or a .so
// fusec: error: -o is given twice: only a header may be written with something else, as in -o x.cu -o x.h
