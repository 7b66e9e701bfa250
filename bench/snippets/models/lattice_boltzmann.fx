fn east[H, W](a: f32[H, W]) -> (y: f32[H, W]) {
    y = concat(a[:, -1:], a[:, :-1]);
}

fn west[H, W](a: f32[H, W]) -> (y: f32[H, W]) {
    y = concat(a[:, 1:], a[:, :1]);
}

fn south[H, W](a: f32[H, W]) -> (y: f32[H, W]) {
    y = concat(a[-1:], a[:-1], axis = 0);
}

fn north[H, W](a: f32[H, W]) -> (y: f32[H, W]) {
    y = concat(a[1:], a[:1], axis = 0);
}

// inputs: f 0.5..1
fn step[H, W](f: f32[9, H, W]) -> (y: f32[9, H, W]) {
    f0 = f[0];
    f1 = east(f[1]);
    f2 = south(f[2]);
    f3 = west(f[3]);
    f4 = north(f[4]);
    f5 = south(east(f[5]));
    f6 = south(west(f[6]));
    f7 = north(west(f[7]));
    f8 = north(east(f[8]));

    rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8;
    ux = (f1 - f3 + f5 - f6 - f7 + f8) / rho;
    uy = (f2 - f4 + f5 + f6 - f7 - f8) / rho;
    still = 1 - 1.5 * (ux * ux + uy * uy);
    g0 = f0 - 1.2 * (f0 - 0.444444444 * rho * still);
    e1 = ux;
    g1 = f1 - 1.2 * (f1 - 0.111111111 * rho * (still + 3 * e1 + 4.5 * e1 * e1));
    e2 = uy;
    g2 = f2 - 1.2 * (f2 - 0.111111111 * rho * (still + 3 * e2 + 4.5 * e2 * e2));
    e3 = -ux;
    g3 = f3 - 1.2 * (f3 - 0.111111111 * rho * (still + 3 * e3 + 4.5 * e3 * e3));
    e4 = -uy;
    g4 = f4 - 1.2 * (f4 - 0.111111111 * rho * (still + 3 * e4 + 4.5 * e4 * e4));
    e5 = ux + uy;
    g5 = f5 - 1.2 * (f5 - 0.027777778 * rho * (still + 3 * e5 + 4.5 * e5 * e5));
    e6 = -ux + uy;
    g6 = f6 - 1.2 * (f6 - 0.027777778 * rho * (still + 3 * e6 + 4.5 * e6 * e6));
    e7 = -ux - uy;
    g7 = f7 - 1.2 * (f7 - 0.027777778 * rho * (still + 3 * e7 + 4.5 * e7 * e7));
    e8 = ux - uy;
    g8 = f8 - 1.2 * (f8 - 0.027777778 * rho * (still + 3 * e8 + 4.5 * e8 * e8));

    y = concat(g0[None], g1[None], g2[None], g3[None], g4[None], g5[None], g6[None], g7[None],
        g8[None], axis = 0);
}
