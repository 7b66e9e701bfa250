// run: fusec %s --emti=ast
// exit: 2
// run: fusec %s --emit=grpah
// exit: 2
// run: fusec %s --target=cude
// exit: 2
// run: fusec %s --target=sm_90a
// exit: 2
// run: fusec %s -o out.exe
// exit: 2
// run: fusec %s -D N
// exit: 2
// run: fusec %s -DN=x
// exit: 2
// run: fusec %s -O4
// exit: 2
// run: fusec %s --limit node=3
// exit: 2
// run: fusec %s --limit elements=281474976710657
// exit: 2
// run: fusec %s --arch sm_9
// exit: 2
// run: fusec %s --arch sm_999
// exit: 2
// run: fusec %s --arch 90
// exit: 2
// run: fusec %s --arch sm_99
// exit: 2
// run: fusec %s --arch compute_90
// exit: 2
// run: fusec %s --arch sm_90a --arch=sm_80
// exit: 2
// run: fusec run %s --seed 1 --seed=2
// exit: 2
// run: fusec run %s --range x=0..1 --range x=0..2
// exit: 2
// run: fusec %s --limit nodes=500 --limit nodes=600
// exit: 2
// run: fusec %s --tile m=64 --tile f_0:m=64 --tile m=128
// exit: 2
// run: fusec %s -o out.cu -o out.cu -o out.c
// exit: 2
// run: fusec %s --color=sometimes
// exit: 2
// run: fusec run %s -d N=3
// exit: 2
// run: fusec run %s N=3
// exit: 2
// run: fusec run %s x.npy
// exit: 2
// run: fusec help
// exit: 2
// run: fusec %s --fn h
// exit: 1
// run: fusec %s --json
// exit: 2
// run: fusec bench %s --advice --json
// exit: 2
// run: fusec bench %s --advice --diagnose
// exit: 2
// run: fusec bench %s -o out.json
// exit: 2
// run: fusec explain %s --memory --roofline
// exit: 2
// run: fusec explain %s --memory --json
// exit: 2
// run: fusec graph %s -o out.svg
// exit: 2
// run: fusec run %s --check=3
// exit: 2
// run: fusec %s -Wgrad=no
// exit: 2
// run: fusec %s -MD
// exit: 2
// run: fusec %s -MD -o -
// exit: 2
// run: fusec %s -MF out.d -o out.c
// exit: 2
// run: fusec %s --target=so
// exit: 2
// run: fusec %s --target=c --arch=sm_90a
// exit: 2
// run: fusec %s -o out.so --assume-aligned
// exit: 2
// run: fusec explain %s --machine=core --arch sm_80
// exit: 2
// run: fusec %s --target=c -o usage_errors.fx
// exit: 2
// run: fusec %s -o out.c -MD -MF ./usage_errors.fx
// exit: 2
// run: fusec %s -Wpref
// exit: 2
// run: fusec %s -o
// exit: 2
// run: fusec %s other.fx
// exit: 2
// run: fusec
// exit: 2
// run: fusec rnu %s
// exit: 2
// run: fusec run
// exit: 2
// run: fusec run %s --emit=ast
// exit: 2
// run: fusec run %s --verbose
// exit: 2
// run: fusec run %s -D N=4 -D N=5
// exit: 2
// run: fusec run %s --device=gpu
// exit: 2
// run: fusec run %s --threads 0
// exit: 2
// run: fusec run %s --seed x
// exit: 2
// run: fusec run %s
// exit: 1
fn f[N](x: f32[N]) -> (y: f32[N]) { y = exp(x); }
fn g[N](x: f32[N]) -> (y: f32[N]) { y = log(x); }
// ---- expect
// fusec: error: unknown option '--emti'
// fusec: note: did you mean '--emit'?
// fusec: error: --emit wants ast, graph, plan, kernel, tile or source, not 'grpah'
// fusec: note: did you mean 'graph'?
// fusec: error: there is no target 'cude'; there are cuda c ptx cubin sass so json dot
// fusec: note: did you mean 'cuda'?
// fusec: error: there is no target 'sm_90a'; there are cuda c ptx cubin sass so json dot
// fusec: note: architectures are given by --arch=sm_90a
// fusec: error: 'out.exe' has no suffix of .cu .c .h .ptx .cubin .sass .so .json .dot: give it one, or add --target
// fusec: error: -D wants NAME=N with a whole number N, not 'N'
// fusec: error: -D wants NAME=N with a whole number N, not 'N=x'
// fusec: error: -O wants 0, 1, 2 or 3, not '4'
// fusec: error: there is no limit 'node'; there are source_bytes import_bytes name_bytes depth statements nodes calls arguments dim_terms elements kernels kernel_ops kernel_buffers emitted_bytes memory_bytes errors
// fusec: note: did you mean 'nodes'?
// fusec: error: --limit wants at most 281474976710656 elements, not 'elements=281474976710657'
// fusec: error: --arch wants sm_75, sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_100f, sm_101, sm_101a, sm_101f, sm_103, sm_103a, sm_103f, sm_110, sm_110a, sm_110f, sm_120, sm_120a, sm_120f, sm_121, sm_121a or sm_121f, not 'sm_9'
// fusec: note: did you mean 'sm_89'?
// fusec: error: --arch wants sm_75, sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_100f, sm_101, sm_101a, sm_101f, sm_103, sm_103a, sm_103f, sm_110, sm_110a, sm_110f, sm_120, sm_120a, sm_120f, sm_121, sm_121a or sm_121f, not 'sm_999'
// fusec: note: did you mean 'sm_89'?
// fusec: error: --arch wants sm_75, sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_100f, sm_101, sm_101a, sm_101f, sm_103, sm_103a, sm_103f, sm_110, sm_110a, sm_110f, sm_120, sm_120a, sm_120f, sm_121, sm_121a or sm_121f, not '90'
// fusec: error: --arch wants sm_75, sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_100f, sm_101, sm_101a, sm_101f, sm_103, sm_103a, sm_103f, sm_110, sm_110a, sm_110f, sm_120, sm_120a, sm_120f, sm_121, sm_121a or sm_121f, not 'sm_99'
// fusec: note: did you mean 'sm_89'?
// fusec: error: --arch wants sm_75, sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_100f, sm_101, sm_101a, sm_101f, sm_103, sm_103a, sm_103f, sm_110, sm_110a, sm_110f, sm_120, sm_120a, sm_120f, sm_121, sm_121a or sm_121f, not 'compute_90'
// fusec: error: --arch is given twice, as sm_90a and as sm_80
// fusec: error: --seed is given twice, as 1 and as 2
// fusec: error: --range gives x twice, as 0..1 and as 0..2
// fusec: error: --limit gives nodes twice, as 500 and as 600
// fusec: error: --tile gives two values: m=64 and m=128
// fusec: error: -o is given twice: only a header may be written with something else, as in -o x.cu -o x.h
// fusec: error: --color wants auto, always or never, not 'sometimes'
// fusec: error: unknown option '-d' of fusec run
// fusec: note: did you mean '-D'?
// fusec: error: one file too many: 'N=3'; sizes are given by -D
// fusec: note: usage: fusec run [OPTION..] MODEL.fx
// fusec: error: one file too many: 'x.npy'; inputs are given by --in
// fusec: note: usage: fusec run [OPTION..] MODEL.fx
// fusec: error: 'help' is neither a command nor a file
// fusec: note: `fusec --help` lists the commands
// fusec: error: --fn h: the file has no function of that name; it has f, g
// fusec: error: --json needs --emit=plan
// fusec: error: --advice prints text: leave --json out
// fusec: error: --calibrate, --advice and --diagnose are three things: choose one
// fusec: error: -o needs --calibrate
// fusec: error: --resources, --memory and --roofline or --sweep are three things: choose one
// fusec: error: --json needs --sweep; the plan, `fusec MODEL.fx -o FILE.json`, has all that --roofline and --memory tell
// fusec: error: 'out.svg' does not end in .dot or .gv: fusec graph writes text for Graphviz, which draws it, as in dot -Tsvg
// fusec: error: --check takes no value, and '3' is given
// fusec: error: -Wgrad takes no value, and 'no' is given
// fusec: error: -MD needs -o FILE, to name it in the rule
// fusec: error: -MD needs -o FILE, to name it in the rule
// fusec: error: -MF needs -MD
// fusec: error: --target=so needs -o FILE
// fusec: error: --arch is for CUDA, and the target is C
// fusec: error: --assume-aligned is for CUDA, and the target is C
// fusec: error: --arch is for CUDA, and the target is C
// fusec: error: the output 'usage_errors.fx' is the model itself
// fusec: error: the output 'usage_errors.fx' is the model itself
// fusec: error: unknown option '-Wpref'
// fusec: note: did you mean '-Wperf'?
// fusec: error: -o wants a value: -o FILE
// fusec: error: one file too many: 'other.fx'
// fusec: note: usage: fusec [OPTION..] MODEL.fx [-o FILE]
// fusec: error: no file is given
// fusec: note: usage: fusec [OPTION..] MODEL.fx [-o FILE]
// fusec: error: 'rnu' is neither a command nor a file
// fusec: note: did you mean 'run'?
// fusec: error: no file is given
// fusec: note: usage: fusec run [OPTION..] MODEL.fx
// fusec: error: unknown option '--emit' of fusec run
// fusec: note: did you mean '--limit'?
// fusec: error: unknown option '--verbose' of fusec run
// fusec: note: `fusec run --help` lists the options
// fusec: error: -D gives N twice, as 4 and as 5
// fusec: error: --device wants auto, cpu or cuda, not 'gpu'
// fusec: note: did you mean 'cuda'?
// fusec: error: --threads wants a number from 1 to 65536, not '0'
// fusec: error: --seed wants a whole number of at least 0, not 'x'
// fusec: error: usage_errors.fx has 2 functions: choose one with --fn: f, g
