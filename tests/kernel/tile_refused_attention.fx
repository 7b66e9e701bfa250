// run: fusec %s --tile threads_n=64
// exit: 1
// run: fusec %s --tile threads_n=32,threads_m=2
// exit: 1
// run: fusec %s --tile threads_n=32,threads_m=8,m=1024
// exit: 1
// run: fusec %s --tile n=64,columns=100
// exit: 1
// run: fusec %s --tile n=16,k=32
// exit: 1
// run: fusec %s --tile threads_m=16,blocks=1,m=128,n=128,columns=512
// exit: 1
// The threads, queries, keys and columns of an attention without tensor cores.
fn attention[S](q: f32[S, 16], k: f32[S, 16], v: f32[S, 64]) -> (y: f32[S, 64]) {
    y = softmax(q @ transpose(k)) @ v;
}
// ---- expect
// fusec: error: kernel 'attention_0' cannot have the tile threads_n=64: 8, 16 or 32 threads of a warp share a row, not 64
// fusec: note: without --tile it has kind=fma,m=16,n=128,columns=64,k=32,threads_m=8,threads_n=16,blocks=2
// fusec: error: kernel 'attention_0' cannot have the tile threads_n=32,threads_m=2: threads_m must be a power of 2 from 4 to 64 that makes 64 to 512 threads with threads_n=32, not 2
// fusec: note: without --tile it has kind=fma,m=16,n=128,columns=64,k=32,threads_m=8,threads_n=16,blocks=2
// fusec: error: kernel 'attention_0' cannot have the tile threads_n=32,threads_m=8,m=1024: m and n are 1, 2, 4 or 8 times threads_m=8 and threads_n=32, and not 1024 and 128
// fusec: note: without --tile it has kind=fma,m=16,n=128,columns=64,k=32,threads_m=8,threads_n=16,blocks=2
// fusec: error: kernel 'attention_0' cannot have the tile n=64,columns=100: columns must be 1 to 32 times threads_n=16, not 100
// fusec: note: without --tile it has kind=fma,m=16,n=128,columns=64,k=32,threads_m=8,threads_n=16,blocks=2
// fusec: error: kernel 'attention_0' cannot have the tile n=16,k=32: k must be a power of 2 from 8 to 32 that divides n=16, not 32
// fusec: note: without --tile it has kind=fma,m=16,n=128,columns=64,k=32,threads_m=8,threads_n=16,blocks=2
// fusec: error: kernel 'attention_0' cannot have the tile threads_m=16,blocks=1,m=128,n=128,columns=512: a thread takes about 510 registers, and blocks=1 of 256 threads leave it 255
// fusec: note: without --tile it has kind=fma,m=16,n=128,columns=64,k=32,threads_m=8,threads_n=16,blocks=2
