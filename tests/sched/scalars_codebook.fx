// Comparisons of each element with a few others are summed in registers, and pairs of the codes packed by the same kernel; elements that lie in memory are reduced as rows.
// run: fusec %s --emit=plan --machine=h200
fn codes(w: f32[1048576], mid: f32[15]) -> (packed: u8[524288]) {
    code = reshape(sum((w[:, None] > mid) as i32), 524288, 2);
    packed = (code[:, 0] * 16 + code[:, 1]) as u8;
}
fn rows(w: f32[1048576, 15], mid: f32[15]) -> (code: i32[1048576]) {
    code = sum((w > mid) as i32);
}
// ---- expect
// plan codes -O2
// kernel codes_0 pointwise
//   reads mid w
//   writes packed
//   over [524288]
//     %8 lt bool[1048576]
//     %9 as i32[1048576]
//     %12 lt bool[1048576]
//     %13 as i32[1048576]
//     %14 add i32[1048576]
//     %17 lt bool[1048576]
//     %18 as i32[1048576]
//     %19 add i32[1048576]
//     %22 lt bool[1048576]
//     %23 as i32[1048576]
//     %24 add i32[1048576]
//     %27 lt bool[1048576]
//     %28 as i32[1048576]
//     %29 add i32[1048576]
//     %32 lt bool[1048576]
//     %33 as i32[1048576]
//     %34 add i32[1048576]
//     %37 lt bool[1048576]
//     %38 as i32[1048576]
//     %39 add i32[1048576]
//     %42 lt bool[1048576]
//     %43 as i32[1048576]
//     %44 add i32[1048576]
//     %47 lt bool[1048576]
//     %48 as i32[1048576]
//     %49 add i32[1048576]
//     %52 lt bool[1048576]
//     %53 as i32[1048576]
//     %54 add i32[1048576]
//     %57 lt bool[1048576]
//     %58 as i32[1048576]
//     %59 add i32[1048576]
//     %62 lt bool[1048576]
//     %63 as i32[1048576]
//     %64 add i32[1048576]
//     %67 lt bool[1048576]
//     %68 as i32[1048576]
//     %69 add i32[1048576]
//     %72 lt bool[1048576]
//     %73 as i32[1048576]
//     %74 add i32[1048576]
//     %77 lt bool[1048576]
//     %78 as i32[1048576]
//     %79 add i32[1048576]
//     %84 mul i32[524288]
//     %87 add i32[524288]
//     %88 as u8[524288] -> packed
//   bytes_read 4194364
//   bytes_written 524288
//   flops 31457280
// buffer w input f32[1048576] bytes 4194304 live -1..1
// buffer mid input f32[15] bytes 60 live -1..1
// buffer packed output u8[524288] bytes 524288 live 0..1
// peak 4718652
//
// plan rows -O2
// kernel rows_0 row
//   reads mid w
//   writes code
//   over [1048576, 15] along 15
//     %5 lt bool[1048576, 15]
//     %6 as i32[1048576, 15]
//     %7 sum i32[1048576, 1] -> code
//   bytes_read 62914620
//   bytes_written 4194304
//   flops 31457280
// buffer w input f32[15728640] bytes 62914560 live -1..1
// buffer mid input f32[15] bytes 60 live -1..1
// buffer code output i32[1048576] bytes 4194304 live 0..1
// peak 67108924
