// What limits the occupancy of an attention's backward by warpgroups: they share out all registers.
// run: fusec explain --roofline --arch sm_90a %s -o %t.txt
// run: grep -E "^kernel|occupancy" %t.txt
fn backward(q: bf16[4, 1024, 64], k: bf16[4, 1024, 64], v: bf16[4, 1024, 64], lse: f32[4, 1024],
            d: f32[4, 1024], do: bf16[4, 1024, 64]) -> (dq: bf16[4, 1024, 64]) {
    p = exp(q @ permute(k, 0, 2, 1) - lse[:, :, None]);
    ds = (p * (do @ permute(v, 0, 2, 1) - d[:, :, None])) as bf16;
    dq = ds @ k;
}
// ---- expect
// kernel backward_0: chain
//   occupancy 1 block of 384 threads, 19 %, limited by registers
