// A condition that doubles with every line, written out: it is no reason to skip tiles.
// run: fusec run %s --check -D S=70 -D D=8
// kernels: 1
fn long_mask[S, D](q: f32[S, D], k: f32[S, D], v: f32[S, D]) -> (o: f32[S, D]) {
    i = iota(S)[:, None];
    j = iota(S);
    s0 = i >= j;
    s1 = (s0 && j > 0 - i) || (s0 && i >= j / 2);
    s2 = (s1 && j > 1 - i) || (s1 && i >= j / 3);
    s3 = (s2 && j > 2 - i) || (s2 && i >= j / 4);
    s4 = (s3 && j > 3 - i) || (s3 && i >= j / 5);
    s5 = (s4 && j > 4 - i) || (s4 && i >= j / 6);
    s6 = (s5 && j > 5 - i) || (s5 && i >= j / 7);
    s7 = (s6 && j > 6 - i) || (s6 && i >= j / 8);
    s8 = (s7 && j > 7 - i) || (s7 && i >= j / 9);
    s9 = (s8 && j > 8 - i) || (s8 && i >= j / 10);
    s10 = (s9 && j > 9 - i) || (s9 && i >= j / 11);
    s11 = (s10 && j > 10 - i) || (s10 && i >= j / 12);
    s12 = (s11 && j > 11 - i) || (s11 && i >= j / 13);
    s13 = (s12 && j > 12 - i) || (s12 && i >= j / 14);
    s14 = (s13 && j > 13 - i) || (s13 && i >= j / 15);
    s15 = (s14 && j > 14 - i) || (s14 && i >= j / 16);
    s16 = (s15 && j > 15 - i) || (s15 && i >= j / 17);
    s17 = (s16 && j > 16 - i) || (s16 && i >= j / 18);
    s18 = (s17 && j > 17 - i) || (s17 && i >= j / 19);
    o = softmax(where(s18, q @ k.T, -inf)) @ v;
}
