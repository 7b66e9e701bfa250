// Two means are siblings in one kernel, which then computes what both read: bytes become floats there,
// and for the other kernel once more.
// run: fusec %s --emit=plan --target=cuda --arch=sm_90a -D N=8 -D H=1080 -D W=1920
// inputs: x 0..256
fn halved[N, H, W](x: u8[N, H, W, 3]) -> (y: u8[N, H, W], u: u8[N, H/2, W/2], v: u8[N, H/2, W/2]) {
    p = x as f32;
    l = 0.299 * p[..., 0] + 0.587 * p[..., 1] + 0.114 * p[..., 2];
    cb = mean(reshape((p[..., 2] - l) * 0.564 + 128, N, H / 2, 2, W / 2, 2), axis = [2, 4]);
    cr = mean(reshape((p[..., 0] - l) * 0.713 + 128, N, H / 2, 2, W / 2, 2), axis = [2, 4]);
    y = round(l) as u8;
    u = round(cb) as u8;
    v = round(cr) as u8;
}
// ---- expect
// plan halved -O2
// kernel halved_0 pointwise
//   reads x
//   writes y
//   over [8, 1080, 1920]
//     %5 as f32[8, 1080, 1920, 3]
//     %8 mul f32[8, 1080, 1920]
//     %14 mul f32[8, 1080, 1920]
//     %15 add f32[8, 1080, 1920]
//     %21 mul f32[8, 1080, 1920]
//     %22 add f32[8, 1080, 1920]
//     %61 round f32[8, 1080, 1920]
//     %62 as u8[8, 1080, 1920] -> y
//   bytes_read 49766400
//   bytes_written 16588800
//   flops 99532800
// kernel halved_1 row
//   reads x
//   writes u v
//   over [8, 540, 2, 960, 2] along 2, 2
//     %23 as f32[8, 1080, 1920, 3]
//     %26 mul f32[8, 1080, 1920]
//     %29 mul f32[8, 1080, 1920]
//     %30 add f32[8, 1080, 1920]
//     %33 mul f32[8, 1080, 1920]
//     %34 add f32[8, 1080, 1920]
//     %35 sub f32[8, 1080, 1920]
//     %39 mul f32[8, 1080, 1920]
//     %43 add f32[8, 1080, 1920]
//     %45 sum f32[8, 540, 1, 960, 1]
//     %49 mul f32[8, 540, 1, 960, 1]
//     %51 sub f32[8, 1080, 1920]
//     %55 mul f32[8, 1080, 1920]
//     %56 add f32[8, 1080, 1920]
//     %58 sum f32[8, 540, 1, 960, 1]
//     %59 mul f32[8, 540, 1, 960, 1]
//     %63 round f32[8, 540, 960]
//     %64 as u8[8, 540, 960] -> u
//     %65 round f32[8, 540, 960]
//     %66 as u8[8, 540, 960] -> v
//   bytes_read 49766400
//   bytes_written 8294400
//   flops 232243200
// buffer x input u8[49766400] bytes 49766400 live -1..2
// buffer y output u8[16588800] bytes 16588800 live 0..2
// buffer u output u8[4147200] bytes 4147200 live 1..2
// buffer v output u8[4147200] bytes 4147200 live 1..2
// apart %5 as | %23 as: space, 49766400 bytes
// apart %5 as | %23 as: bundle, 49766400 bytes
// peak 74649600
