// run: fusec %s --fn=bwd -D S=1024 --emit=plan --arch=sm_90a --machine=h200 > small
// run: fusec %s --fn=bwd -D S=2048 --emit=plan --arch=sm_90a --machine=h200 > large
// run: fusec %s --fn=bwd --emit=plan --arch=sm_90a --machine=h200 > open
// run: grep -E "^kernel .* (chain|dot)" small large open
// The backward of an attention of f32 stores scores where they are few, and known to be.
fn attend[S](q: f32[8, S, 64], k: f32[8, S, 64], v: f32[8, S, 64]) -> (o: f32[8, S, 64]) {
    o = softmax(q @ k.T * 0.125) @ v;
}
fn fwd, bwd = train(attend);
// ---- expect
// small:kernel bwd_1 dot
// small:kernel bwd_2 dot
// small:kernel bwd_3 dot
// small:kernel bwd_4 dot
// small:kernel bwd_5 dot
// large:kernel bwd_1 chain
// large:kernel bwd_2 chain
// open:kernel bwd_1 chain
// open:kernel bwd_2 chain
