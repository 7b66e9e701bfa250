// run: fusec %s --target=c --emit=plan
// Heads are stored side by side, as both products read them, though the last kernel reads them too.
fn attended[B, S, H, D](
    q: f32[B, H, S, D],
    k: f32[B, H, S, D],
    v: f32[B, H, S, D],
    w: f32[H*D, H*D]
) -> (y: f32[B, S, H*D], z: f32[H*D, H*D], sums: f32[B, H, S]) {
    o = einsum("bhqk,bhkd->bhqd", softmax(einsum("bhqd,bhkd->bhqk", q, k)), v);
    side_by_side = reshape(permute(o, 0, 2, 1, 3), B, S, H*D);
    y = side_by_side @ w;
    z = einsum("bsc,bse->ce", side_by_side, y);
    sums = sum(o * permute(reshape(y, B, S, H, D), 0, 2, 1, 3), axis = -1);
}
// ---- expect
// plan attended -O2
// kernel attended_0 attention
//   reads q k v
//   writes permute_temp
//   over [B, H, S, D] along D
//     %5 matmul f32[B, H, S, S]
//     %7 max f32[B, H, S, 1]
//     %11 lt bool[B, H, S, 1]
//     %14 mul f32[B, H, S, 1]
//     %15 ceil f32[B, H, S, 1]
//     %19 where f32[B, H, S, 1]
//     %21 mul f32[B, H, S, S]
//     %23 sub f32[B, H, S, S]
//     %24 exp2 f32[B, H, S, S]
//     %25 sum f32[B, H, S, 1]
//     %27 matmul f32[B, H, S, D]
//     %28 eq bool[B, H, S, 1]
//     %32 where f32[B, H, S, 1]
//     %33 div f32[B, H, S, 1]
//     %35 mul f32[B, H, S, D]
//     %36 permute f32[B, S, H, D] -> permute_temp
//   bytes_read 12*B*S*H*D
//   bytes_written 4*B*S*H*D
//   flops 4*B*S*S*H*D + 5*B*S*S*H + B*S*H*D + 7*B*S*H
// kernel attended_1 dot
//   reads permute_temp w
//   writes y
//   over [B, S, H, D]
//     %40 matmul f32[B, S, H, D] -> y
//   bytes_read 4*B*S*H*D + 4*H*H*D*D
//   bytes_written 4*B*S*H*D
//   flops 2*B*S*H*H*D*D
// kernel attended_2 dot
//   reads permute_temp y
//   writes z
//   over [H*D, H*D]
//     %44 matmul f32[H*D, H*D] -> z
//   bytes_read 8*B*S*H*D
//   bytes_written 4*H*H*D*D
//   flops 2*B*S*H*H*D*D
// kernel attended_3 row
//   reads permute_temp y
//   writes sums
//   over [B, S, H, D] along D
//     %45 mul f32[B, S, H, D]
//     %46 sum f32[B, S, H, 1]
//     %47 permute f32[B, H, S, 1] -> sums
//   bytes_read 8*B*S*H*D
//   bytes_written 4*B*S*H
//   flops 2*B*S*H*D
// buffer q input f32[B*S*H*D] bytes 4*B*S*H*D live -1..4
// buffer k input f32[B*S*H*D] bytes 4*B*S*H*D live -1..4
// buffer v input f32[B*S*H*D] bytes 4*B*S*H*D live -1..4
// buffer w input f32[H*H*D*D] bytes 4*H*H*D*D live -1..4
// buffer y output f32[B*S*H*D] bytes 4*B*S*H*D live 1..4
// buffer z output f32[H*H*D*D] bytes 4*H*H*D*D live 2..4
// buffer sums output f32[B*S*H] bytes 4*B*S*H live 3..4
// buffer permute_temp temp f32[B*S*H*D] bytes 4*B*S*H*D live 0..3 slot 0
// slot 0 bytes 4*B*S*H*D
// apart %40 matmul | %45 mul: tile, 8796093022208 bytes
// apart %40 matmul | z: chain, 8796093022208 bytes
// apart z | %45 mul: beside, 8796093022208 bytes
// apart z | %45 mul: beside, 8796093022208 bytes
// apart %40 matmul | z: chain, 8796093022208 bytes
// apart z | %45 mul: bundle, 8796093022208 bytes
// apart z | %45 mul: bundle, 8796093022208 bytes
// apart %40 matmul | z: bundle, 8796093022208 bytes
// peak 20*B*S*H*D + 8*H*H*D*D + 4*B*S*H
