// run: fusec %s --no-test -o %t_wide.cu -o ./%t_wide.cuh.h
// run: head -1 %t_wide.cu
// run: head -3 %t_wide.cuh.h
// run: fusec %s -o %t_wide.so -o %t.h
// run: head -3 %t.h
// run: fusec %s --target=c -o /dev/null
fn f[N](x: f32[N]) -> (y: f32[N]) { y = exp(x); }
// ---- expect
// /* out_wide.cu: made by fusec 0.1.0 from names_of_files.fx: fusec names_of_files.fx --no-test -o
// /* out_wide.cuh.h: for out_wide.cu, made by fusec 0.1.0:  fusec names_of_files.fx --no-test -o out_wide.cu -o ./out_wide.cuh.h */
// #ifndef FUSEC_out_wide_cuh_CUDA_H
// #define FUSEC_out_wide_cuh_CUDA_H
// /* out.h: for out_wide.so, made by fusec 0.1.0:  fusec names_of_files.fx -o out_wide.so -o out.h */
// #ifndef FUSEC_out_C_H
// #define FUSEC_out_C_H
