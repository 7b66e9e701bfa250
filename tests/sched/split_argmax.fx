// run: fusec %s --arch=sm_90a --emit=plan
// kernels: 2
// The position of the largest element of few long rows: of each chunk, and then of all.
fn largest(x: bf16[4, 6383309]) -> (y: i32[4]) {
    y = argmax(x, axis = 1);
}
// ---- expect
// plan largest -O2
// kernel largest_0 row
//   reads x
//   writes max_parts add_temp
//   over [4, 149, 42840] along 42840
//     %5 argmax i32[4, 149, 1]
//     %7 max bf16[4, 149, 1] -> max_parts
//     %13 mul i32[149]
//     %16 add i32[4, 149] -> add_temp
//   bytes_read 51065280
//   bytes_written 3576
//   flops 51066025
// kernel largest_1 row
//   reads max_parts x add_temp
//   writes y
//   over [4, 298] along 298
//     %20 add i32[149]
//     %29 lt bool[1, 298]
//     %34 where bf16[4, 298]
//     %38 where i32[4, 298]
//     %39 argmax i32[4, 1]
//     %42 eq bool[4, 298]
//     %45 where i32[4, 298]
//     %46 sum i32[4, 1] -> y
//   bytes_read 4768
//   bytes_written 16
//   flops 7599
// buffer x input bf16[25533236] bytes 51066472 live -1..2
// buffer y output i32[4] bytes 16 live 1..2
// buffer max_parts temp bf16[596] bytes 1192 live 0..1 slot 0
// buffer add_temp temp i32[596] bytes 2384 live 0..1 slot 1
// slot 0 bytes 1192
// slot 1 bytes 2384
// apart %7 max | %34 where: space, 51068856 bytes
// apart %16 add | %38 where: space, 51071240 bytes
// apart %7 max | %34 where: space, 51073624 bytes
// apart %7 max | %34 where: bundle, 51073624 bytes
// peak 51070064
