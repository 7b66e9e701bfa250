// Token and position embedding: the first layer of GPT-2. C is the longest context, S this one.
//
//     x[b, s] = wte[tokens[b, s]] + wpe[s]
//
// try: -D B=1 -D S=1024 -D C=1024 -D V=50257 -D D=64
// small: -D B=2 -D S=3 -D C=5 -D V=11 -D D=7
// small: -D B=1 -D S=1 -D C=1 -D V=1 -D D=1
// inputs: tokens 0..V
fn embedding[B, S, C, V, D](
    tokens: i32[B, S],
    wte: bf16[V, D],
    wpe: bf16[C, D]
) -> (x: bf16[B, S, D]) {
    assert S <= C;
    x = take(wte, tokens, axis = 0) + wpe[:S];
}
