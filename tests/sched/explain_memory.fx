// Lives of buffers: what is kept for the backward function, values that share a slot, the peak.
// run: fusec explain %s --memory --fn=fwd -D N=64 -D D=1024
// run: fusec explain %s --memory --fn=bwd
// run: fusec explain %s --memory --fn=rows -o -
// run: fusec explain %s --memory --fn=rows -o %t.svg
// run: cat < %t.svg
fn mlp[N, D](x: f32[N, D], w: f32[D, D], v: f32[D, D]) -> (y: f32[N, D]) {
    y = tanh(x @ w) @ v;
}

fn fwd, bwd = train(mlp);

fn rows[N, D](x: f32[N, D], w: f32[D, D]) -> (y: f32[N, D]) {
    a = softmax(x) @ w;
    b = softmax(a) @ w;
    y = softmax(b);
}
// ---- expect
// fn fwd at -O2: memory over 4 kernels
//
//   x             ####   256.0 KiB  input
//   w             ####     4.0 MiB  input
//   v             ####     4.0 MiB  input
//   y             ####   256.0 KiB  output
//   keep_1        ####   256.0 KiB  kept
//   matmul_parts  ##..     1.0 MiB  slot 0
//   y_parts       ..##     1.0 MiB  slot 0
//
// in memory while a kernel runs
//   fwd_0     9.8 MiB  ################################ peak
//   fwd_1     9.8 MiB  ################################
//   fwd_2     9.8 MiB  ################################
//   fwd_3     9.8 MiB  ################################
//
// total
//   input     8.2 MiB
//   output    256.0 KiB
//   kept      256.0 KiB
//   workspace 1.0 MiB in 1 slot, which 2.0 MiB of values share
//   peak      9.8 MiB in fwd_0: w, v, matmul_parts, x, y, keep_1
//   one kernel per op: peak 10.0 MiB, workspace 1.2 MiB in 2 slots, 9 kernels
// fn bwd at -O2: memory over 4 kernels
// sizes are for N = 1024, D = 1024 (-D gives others)
//
//   x         ####     4.0 MiB  input
//   w         ####     4.0 MiB  input
//   v         ####     4.0 MiB  input
//   keep_1    ####     4.0 MiB  kept
//   dy        ####     4.0 MiB  input
//   dx        ####     4.0 MiB  output
//   dw        ####     4.0 MiB  output
//   dv        ####     4.0 MiB  output
//   mul_temp  ####     4.0 MiB  slot 0
//
// in memory while a kernel runs
//   bwd_0    36.0 MiB  ################################ peak
//   bwd_1    36.0 MiB  ################################
//   bwd_2    36.0 MiB  ################################
//   bwd_3    36.0 MiB  ################################
//
// total
//   input     16.0 MiB
//   output    12.0 MiB
//   kept      4.0 MiB
//   workspace 4.0 MiB in 1 slot
//   peak      36.0 MiB in bwd_0: x, w, v, keep_1, dy, dx, ..
//   one kernel per op: peak 44.0 MiB, workspace 12.0 MiB in 3 slots, 8 kernels
// fn rows at -O2: memory over 3 kernels
// sizes are for N = 1024, D = 1024 (-D gives others)
//
//   x          ###     4.0 MiB  input
//   w          ###     4.0 MiB  input
//   y          ###     4.0 MiB  output
//   exp2_temp  ##.     4.0 MiB  slot 0
//   sum_temp   ##.     4.0 KiB  slot 1
//   sum_temp2  .##     4.0 KiB  slot 2
//   b          .##     4.0 MiB  slot 3
//
// in memory while a kernel runs
//   rows_0    16.0 MiB  ##########################
//   rows_1    20.0 MiB  ################################ peak
//   rows_2    16.0 MiB  ##########################
//
// total
//   input     8.0 MiB
//   output    4.0 MiB
//   workspace 8.0 MiB in 4 slots
//   peak      20.0 MiB in rows_1: x, w, y, exp2_temp, b, sum_temp, ..
//   one kernel per op: peak 20.0 MiB, workspace 8.0 MiB in 3 slots, 38 kernels
// <svg class="memory" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 440" role="img" aria-label="memory of rows over its kernels">
// <style>
// .memory text { font: 11px sans-serif; fill: #222 }
// .memory rect { stroke: #fff; stroke-width: 1 }
// .memory .input { fill: #b8c4d6 } .memory .output { fill: #9cb3d8 }
// .memory .kept { fill: #e0b25c }
// .memory .prepared { fill: #c9b7dc } .memory .temp { fill: #7cb798 }
// .memory .axis { stroke: #888 } .memory .peak { stroke: #c03a2b; stroke-dasharray: 4 3 }
// @media (prefers-color-scheme: dark) {
// .memory text { fill: #ddd } .memory rect { stroke: #16181c }
// .memory .input { fill: #46536a } .memory .output { fill: #3f5f96 }
// .memory .kept { fill: #93702a }
// .memory .prepared { fill: #6b5585 } .memory .temp { fill: #3b7458 } }
// </style>
// <rect class="input" x="76.0" y="280.8" width="812.0" height="63.2"><title>x, input, 4.0 MiB</title></rect>
// <text x="80.0" y="316.4">x</text>
// <rect class="input" x="76.0" y="217.6" width="812.0" height="63.2"><title>w, input, 4.0 MiB</title></rect>
// <text x="80.0" y="253.2">w</text>
// <rect class="output" x="76.0" y="154.5" width="812.0" height="63.2"><title>y, output, 4.0 MiB</title></rect>
// <text x="80.0" y="190.1">y</text>
// <rect class="temp" x="76.0" y="91.3" width="541.3" height="63.2"><title>exp2_temp, temp, 4.0 MiB</title></rect>
// <text x="80.0" y="126.9">exp2_temp</text>
// <rect class="temp" x="76.0" y="91.2" width="541.3" height="0.1"><title>sum_temp, temp, 4.0 KiB</title></rect>
// <rect class="temp" x="346.7" y="91.2" width="541.3" height="0.1"><title>sum_temp2, temp, 4.0 KiB</title></rect>
// <rect class="temp" x="346.7" y="28.0" width="541.3" height="63.2"><title>b, temp, 4.0 MiB</title></rect>
// <text x="350.7" y="63.6">b</text>
// <text x="70" y="348.0" text-anchor="end">0 bytes</text>
// <text x="70" y="269.0" text-anchor="end">5.0 MiB</text>
// <text x="70" y="190.0" text-anchor="end">10.0 MiB</text>
// <text x="70" y="111.0" text-anchor="end">15.0 MiB</text>
// <text x="70" y="32.0" text-anchor="end">20.0 MiB</text>
// <text text-anchor="end" transform="translate(215.3 360) rotate(-35)">rows_0</text>
// <text text-anchor="end" transform="translate(486.0 360) rotate(-35)">rows_1</text>
// <text text-anchor="end" transform="translate(756.7 360) rotate(-35)">rows_2</text>
// <path class="axis" fill="none" d="M76 28 V344 H888"/>
// <rect class="input" x="76" y="6" width="12" height="12"/><text x="92" y="16">input</text>
// <rect class="output" x="160" y="6" width="12" height="12"/><text x="176" y="16">output</text>
// <rect class="temp" x="244" y="6" width="12" height="12"/><text x="260" y="16">temp</text>
// <text x="888" y="16" text-anchor="end">peak 20.0 MiB in rows_1</text>
// <path class="peak" d="M482.0 28 V344"/>
// </svg>
