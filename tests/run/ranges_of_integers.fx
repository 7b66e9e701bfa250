// Random integers: of all that a type has, and between bounds that are no integers.
// run: fusec run %s -D N=64 --range i=-9223372036854775808..9223372036854775807 --range b=-0.5..255.5 --check
// run: fusec run %s -D N=64 --range i=-9223372036854775808..-9.2e18 --range b=254.5..256 --check
// run: fusec run %s -D N=64 --range i=0..1 --range b=-1..3
// exit: 1
fn f[N](i: i64[N], b: u8[N]) -> (least: i64, most: i64, low: u8, high: u8) {
    least = min(i);
    most = max(i);
    low = min(b);
    high = max(b);
}
// ---- expect
// least: i64  mean -8.669e+18  max -8668530214898997441  checksum 0ca39451cf0721e6
// most: i64  mean 9.015e+18  max 9015199294605293294  checksum 8b11fa07385cd106
// low: u8  mean 1  max 1  checksum d338716525bc5a6b
// high: u8  mean 250  max 250  checksum eabd0fdc64867308
// least: ok
// most: ok
// low: ok
// high: ok
// fusec: remark: random inputs, seed 0: i, b
// least: i64  mean -9.223e+18  max -9222518438630301705  checksum 05d3974953c57f8b
// most: i64  mean -9.201e+18  max -9200568263961025091  checksum b1b4b93988e41a5d
// low: u8  mean 255  max 255  checksum a23850f3bb92dcc5
// high: u8  mean 255  max 255  checksum a23850f3bb92dcc5
// least: ok
// most: ok
// low: ok
// high: ok
// fusec: remark: random inputs, seed 0: i, b
// fusec: error: --range b=-1..3: u8 holds numbers from 0 to 255
