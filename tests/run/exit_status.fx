// run: fusec %s --machine=%t.json
// exit: 3
// run: fusec explain %s > %t.json
// run: fusec %s --machine=./%t.json
// exit: 1
// run: fusec report %s --machine=./%t.json
// exit: 1
// run: fusec %s --tune-lock=%t.json
// exit: 1
// run: fusec report %s --times=%t.json
// exit: 1
// run: fusec cache import %t.json --cache=%t.cache
// exit: 1
// run: fusec run %s -D N=3 --against=%t.json
// exit: 2
// run: cp %t.json %t.npy
// run: fusec run %s --in=%t.npy
// exit: 1
// run: fusec run %s --in=%t.json
// exit: 2
// run: fusec run %s --in=x=%t.npy
// exit: 2
// run: fusec %s --machine=.
// exit: 3
// run: fusec %s --tune-lock=.
// exit: 3
// run: mkdir folder.npy
// run: fusec run %s --in=folder.npy
// exit: 3
// run: fusec cache import . --cache=%t.cache
// exit: 3
// run: fusec fmt .
// exit: 3
// run: fusec %s --machine=H2000
// exit: 2
// run: fusec report %s --machine=H2000
// exit: 2
// run: fusec report %s --machine=H200 --arch=sm_80
// exit: 2
// run: fusec run %s -D N=3 --save-in=%t.npy --check
// exit: 2
// run: fusec run %s -D N=3 --save-in=%t.npy --repeat=3
// exit: 2
// run: fusec run %s
// exit: 1
// run: fusec bench %s --device=cpu
// exit: 1
// run: fusec bench %s --device=cpu --diagnose
// exit: 1
// run: fusec tune %s --device=cpu
// exit: 1
// run: fusec cache ls --cache=off
// exit: 3
fn f[N](x: f32[N]) -> (y: f32[N]) { y = exp(x); }
// ---- expect
// fusec: error: open out.json: No such file or directory
// fusec: error: ./out.json: no JSON object with figures of a machine: '[' or '{' expected near 'fn'
// fusec: error: ./out.json: no JSON object with figures of a machine: '[' or '{' expected near 'fn'
// out.json:1:1: error: this is no tune lock of version 1: those start with 'fusec-tune-lock 1'
//   fn f at -O2: 1 op in 1 kernel
//   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// fusec: error: --times 'out.json': line 1: '[' or '{' expected near 'fn'
// fusec: error: out.json: line 1: '[' or '{' expected near 'fn'
// fusec: error: out.json: the name ends in neither .npy nor .safetensors
// fusec: error: out.npy: is not a .npy file
// fusec: error: out.json: the name ends in neither .npy nor .safetensors
// fusec: error: --in wants a file, named after its input as in x.npy, not 'x=out.npy'
// fusec: error: .: is a directory
// fusec: error: .: is a directory
// fusec: error: folder.npy: is a directory
// fusec: error: .: is a directory
// fusec: error: .: is a directory
// fusec: error: there is no machine 'H2000': `fusec machines` lists them; a file of figures has a name with a dot or a slash
// fusec: note: did you mean 'H200'?
// fusec: error: there is no machine 'H2000': `fusec machines` lists them; a file of figures has a name with a dot or a slash
// fusec: note: did you mean 'H200'?
// fusec: error: H200 is sm_90a, and --arch is sm_80
// fusec: error: --save-in runs nothing and cannot be combined with --check
// fusec: error: --save-in runs nothing and cannot be combined with --repeat
// fusec: error: the size of N is not known: give it a value, as in -D N=64
// fusec: error: the size of N is not known: give it a value, as in -D N=64
// fusec: error: the size of N is not known: give it a value, as in -D N=64
// fusec: error: the size of N is not known: give it a value, as in -D N=64
// fusec: error: there is no cache: it is off
