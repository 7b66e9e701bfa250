// Days since 1970 to year, month, day.
// inputs: days 0..40000
fn f[N](days: i32[N]) -> (y: i32[N], m: i8[N], d: i8[N]) {
    z = days + 719468;
    era = z / 146097;
    doe = z - era * 146097;
    yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    mp = (5 * doy + 2) / 153;
    month = where(mp < 10, mp + 3, mp - 9);
    y = yoe + era * 400 + (month <= 2) as i32;
    m = month as i8;
    d = (doy - (153 * mp + 2) / 5 + 1) as i8;
}
