// run: fusec %s --emit=graph
fn f[N, D](x: bf16[N, 3*D], y: f32[N, D], m: bool[D], i: i32[N])
    -> (a: f32[N, D], b: f32[N, 4*D], c: bf16[N, 3*D + 2], d: bf16[N + 1, 3*D], e: bool[2*D],
        g: i32[N + D], h: bf16[N, 3*D]) {
    p, q, r = split(x, 3);
    a = p * q + r;
    b = concat(x, y);
    c = pad(x, 1, 1, 1);
    d = pad(x, axis = 0, before = 0, after = 1, value = -inf);
    e = concat(m, m, axis = 0);
    g = pad(i, 0, D, 0, value = 7);
    h = concat(concat(q, p, r));
}
// ---- expect
// // after lower
// fn f[N, D]
//   %1 = input x : bf16[N, 3*D]
//   %2 = input y : f32[N, D]
//   %3 = input m : bool[D]
//   %4 = input i : i32[N]
//   %5 = dim D : weak i64
//   %6 = dim 3*D : weak i64
//   %7 = dim 2*D : weak i64
//   %8 = slice %1 start=[0, 0] : bf16[N, D]
//   %9 = slice %1 start=[0, D] : bf16[N, D]
//   %10 = slice %1 start=[0, 2*D] : bf16[N, D]
//   %11 = as %8 : f32[N, D]
//   %12 = as %9 : f32[N, D]
//   %13 = mul %11 %12 : f32[N, D]
//   %14 = as %10 : f32[N, D]
//   %15 = add %13 %14 : f32[N, D]
//   %16 = as %1 : f32[N, 3*D]
//   %17 = iota : i32[4*D]
//   %18 = reshape %17 : i32[1, 4*D]
//   %19 = const 0.0 : f32
//   %20 = pad %2 %19 before=[0, 3*D] : f32[N, 4*D]
//   %21 = pad %16 %19 before=[0, 0] : f32[N, 4*D]
//   %22 = as %6 : i32
//   %23 = reshape %22 : i32[1, 1]
//   %24 = broadcast %23 : i32[1, 4*D]
//   %25 = lt %18 %24 : bool[1, 4*D]
//   %26 = broadcast %25 : bool[N, 4*D]
//   %27 = where %26 %21 %20 : f32[N, 4*D]
//   %28 = const 0.0 : bf16
//   %29 = pad %1 %28 before=[0, 1] : bf16[N, 3*D + 2]
//   %30 = const -inf : bf16
//   %31 = pad %1 %30 before=[0, 0] : bf16[N + 1, 3*D]
//   %32 = iota : i32[2*D]
//   %33 = const false : bool
//   %34 = pad %3 %33 before=[D] : bool[2*D]
//   %35 = pad %3 %33 before=[0] : bool[2*D]
//   %36 = as %5 : i32
//   %37 = reshape %36 : i32[1]
//   %38 = broadcast %37 : i32[2*D]
//   %39 = lt %32 %38 : bool[2*D]
//   %40 = where %39 %35 %34 : bool[2*D]
//   %41 = const 7 : i32
//   %42 = pad %4 %41 before=[D] : i32[N + D]
//   %43 = iota : i32[3*D]
//   %44 = reshape %43 : i32[1, 3*D]
//   %45 = pad %10 %28 before=[0, 2*D] : bf16[N, 3*D]
//   %46 = pad %8 %28 before=[0, D] : bf16[N, 3*D]
//   %47 = as %7 : i32
//   %48 = reshape %47 : i32[1, 1]
//   %49 = broadcast %48 : i32[1, 3*D]
//   %50 = lt %44 %49 : bool[1, 3*D]
//   %51 = broadcast %50 : bool[N, 3*D]
//   %52 = where %51 %46 %45 : bf16[N, 3*D]
//   %53 = pad %9 %28 before=[0, 0] : bf16[N, 3*D]
//   %54 = reshape %36 : i32[1, 1]
//   %55 = broadcast %54 : i32[1, 3*D]
//   %56 = lt %44 %55 : bool[1, 3*D]
//   %57 = broadcast %56 : bool[N, 3*D]
//   %58 = where %57 %53 %52 : bf16[N, 3*D]
//   a = %15
//   b = %27
//   c = %29
//   d = %31
//   e = %40
//   g = %42
//   h = %58
//   assert 4*D <= 2147483647   // iota
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
