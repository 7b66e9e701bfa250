// run: fusec --help
// run: fusec run --help
// run: fusec bench --help
// run: fusec fmt -h
// run: fusec doctor --help
// ---- expect
// usage: fusec [OPTION..] MODEL.fx [-o FILE]
//
// Fuses the model and writes its source: CUDA C++ to standard output, or what -o says.
//
// commands (fusec COMMAND --help says more)
//   run               Compiles the model for this machine, runs it, and prints a line about each output.
//   bench             Times every kernel of the model on this machine, on random inputs.
//   tune              Measures the legal tiles of the model's kernels on this machine, and keeps the fastest.
//   cache             Shows and manages what is kept between runs: compiled code, and tiles that were measured.
//   explain           Shows what was fused, what was not and why, and what each kernel moves and computes.
//   report            Makes a page of HTML: the model and its kernels, what limits each, memory, the emitted source.
//   graph             Draws the kernels and the buffers between them, for Graphviz.
//   fmt               Formats models in place; `-` filters standard input.
//   machines          Lists the machines that --machine knows: peak rates, bandwidth, links, and their sources.
//   doctor            Reports what works on this machine, and why the rest does not.
//
// options
//   -o FILE           where to write; - is standard output. Its suffix chooses what:
//                     .cu .c .h (source), .ptx .cubin .sass .so (compiled), .json (plan), .dot (drawing);
//                     a second one, FILE.h, writes the header of the source, too
//   --target=NAME     what to write, whatever the suffix: cuda c ptx cubin sass so json dot;
//                     with -o FILE.h, the target of the header: cuda or c
//   --fn=NAME         only this function (default: those that no other function calls)
//   -D DIM=N          fix a dim, as in -D N=4096
//   -I DIR            where headers that the model imports may be, after the model's own folder
//   -O LEVEL          0: a kernel per op, 1: producers into readers, 2: siblings too (default), 3: as 2
//   --arch=ARCH       GPU architecture for CUDA, as in sm_90a (default sm_80)
//   --machine=NAME    plan for this machine: one of `fusec machines`, or a file of figures (docs/roofline.md)
//   --assume-aligned  CUDA: tensors are 16-byte aligned: kernels do not test it, and compile faster
//   --no-test         source without the test program of -DFUSEC_MAIN, half of the text of a small model
//   --emit=STAGE      print the result of a stage instead: ast graph plan kernel tile source
//   --json            with --emit=plan: as JSON
//   --tune-lock=FILE  use the decisions of `fusec tune` in this file (docs/tuning.md)
//   --explain         show what was fused and why, as `fusec explain` does, in addition to -o
//   --time-passes     print the time of each pass
//   --keep=DIR        write the text of every stage into DIR
//   -MD               write a make rule with the files that were read
//   -MF FILE          where to (default: -o with suffix .d)
//   -Werror           warnings are errors
//   -Wgrad            warnings where a derivative is zero by convention
//   -Wperf            remarks on what makes the model slow
//   --tile=[KERNEL:]KEY=N,.. pin tile parameters of kernels, as in --tile geglu_0:m=128,n=256 (docs/tiles.md)
//   --keep-bytes=N    functions of train keep at most so many bytes, if computing again can save them
//   --limit=NAME=N    change a limit, as in --limit nodes=5000000
//   --color=WHEN      auto (default), always or never
//   --help            print this
//   --version         print version and build
//
// exit status: 0 done, 1 a file or a result is wrong, 2 the command line is wrong, 3 the machine refused
// usage: fusec run [OPTION..] MODEL.fx
//
// Compiles the model for this machine, runs it, and prints a line about each output.
//
// options
//   --fn=NAME         this function, if there are several that no other function calls
//   -D DIM=N          fix a dim, as in -D N=4096
//   -I DIR            where headers that the model imports may be, after the model's own folder
//   -O LEVEL          0: a kernel per op, 1: producers into readers, 2: siblings too (default), 3: as 2
//   --in=FILE         .npy or .safetensors with inputs, by name; may be given several times
//   --out=FILE        .npy or .safetensors for the outputs
//   --seed=N          seed of the random inputs, those that no file gives (default 0)
//   --range=X=A..B    range of a random input, from A to below B, numbers or dims (default: the range in a
//                     comment of the model, as in // inputs: labels 0..V)
//   --save-in=FILE    run nothing: write the inputs, as .npy or .safetensors
//   --check           compare with the reference evaluator; exit status 1 when wrong
//   --against=FILE    run nothing: check the outputs in this file, which another program made
//   --device=NAME     cpu, cuda, or auto (default): cuda if there is a usable GPU
//   --threads=N       CPU threads (default: all)
//   --cache=DIR       folder of the cache, or off (default: $FUSEC_CACHE_DIR, else $XDG_CACHE_HOME/fusec,
//                     else ~/.cache/fusec)
//   --repeat=N        run N times more, and print the median time and bandwidth
//   --trace=FILE      write when passes and kernels ran, for Perfetto or chrome://tracing
//   --tuning=WHEN     cached (default): use the tiles that `fusec tune` has chosen for these sizes; or never
//   --tune-lock=FILE  use the decisions of `fusec tune` in this file (docs/tuning.md)
//   --time-passes     print the time of each pass
//   --keep=DIR        write the text of every stage into DIR
//   -Werror           warnings are errors
//   -Wgrad            warnings where a derivative is zero by convention
//   -Wperf            remarks on what makes the model slow
//   --tile=[KERNEL:]KEY=N,.. pin tile parameters of kernels, as in --tile geglu_0:m=128,n=256 (docs/tiles.md)
//   --keep-bytes=N    functions of train keep at most so many bytes, if computing again can save them
//   --limit=NAME=N    change a limit, as in --limit nodes=5000000
//   --color=WHEN      auto (default), always or never
//   --help            print this
//
// exit status: 0 done, 1 a file or a result is wrong, 2 the command line is wrong, 3 the machine refused
// usage: fusec bench [OPTION..] MODEL.fx | --calibrate
//
// Times every kernel of the model on this machine, on random inputs.
//
// options
//   --fn=NAME         only this function (default: those that no other function calls)
//   -D DIM=N          fix a dim, as in -D N=4096
//   -I DIR            where headers that the model imports may be, after the model's own folder
//   -O LEVEL          0: a kernel per op, 1: producers into readers, 2: siblings too (default), 3: as 2
//   --seed=N          seed of the random inputs, those that no file gives (default 0)
//   --range=X=A..B    range of a random input, from A to below B, numbers or dims (default: the range in a
//                     comment of the model, as in // inputs: labels 0..V)
//   --device=NAME     cpu, cuda, or auto (default): cuda if there is a usable GPU
//   --threads=N       CPU threads (default: all)
//   --cache=DIR       folder of the cache, or off (default: $FUSEC_CACHE_DIR, else $XDG_CACHE_HOME/fusec,
//                     else ~/.cache/fusec)
//   --repeat=N        time each kernel N times (default: about a second for all of them)
//   --diagnose        what limits each kernel: overhead, memory, compute, latency; predicted against measured
//                     times (docs/bench.md)
//   --advice          measure sizes that might be faster beside those that -D gives (docs/roofline.md)
//   --calibrate       no model: measure the figures of this CPU, for --machine (docs/roofline.md)
//   -o FILE           --calibrate: where to write (default: standard output)
//   --json            print JSON (docs/bench.md)
//   --tuning=WHEN     cached (default): use the tiles that `fusec tune` has chosen for these sizes; or never
//   --tune-lock=FILE  use the decisions of `fusec tune` in this file (docs/tuning.md)
//   --time-passes     print the time of each pass
//   --keep=DIR        write the text of every stage into DIR
//   -Werror           warnings are errors
//   -Wgrad            warnings where a derivative is zero by convention
//   -Wperf            remarks on what makes the model slow
//   --tile=[KERNEL:]KEY=N,.. pin tile parameters of kernels, as in --tile geglu_0:m=128,n=256 (docs/tiles.md)
//   --keep-bytes=N    functions of train keep at most so many bytes, if computing again can save them
//   --limit=NAME=N    change a limit, as in --limit nodes=5000000
//   --color=WHEN      auto (default), always or never
//   --help            print this
//
// exit status: 0 done, 1 a file or a result is wrong, 2 the command line is wrong, 3 the machine refused
// usage: fusec fmt [--check] FILE..
//
// Formats models in place; `-` filters standard input.
//
// options
//   --check           change nothing, list the files that would change; exit status 1 if there are any
//   --limit=NAME=N    change a limit, as in --limit nodes=5000000
//   --color=WHEN      auto (default), always or never
//   --help            print this
//
// exit status: 0 done, 1 a file or a result is wrong, 2 the command line is wrong, 3 the machine refused
// usage: fusec doctor
//
// Reports what works on this machine, and why the rest does not.
//
// options
//   --color=WHEN      auto (default), always or never
//   --help            print this
//
// exit status: 0 done, 1 a file or a result is wrong, 2 the command line is wrong, 3 the machine refused
