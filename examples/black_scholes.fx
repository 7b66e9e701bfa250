// Prices of European options by the formula of Black and Scholes.
//
//     d1 = (log(spot / strike) + (rate + volatility² / 2) years) / (volatility sqrt(years))
//     d2 = d1 - volatility sqrt(years)
//     call = spot cdf(d1) - strike exp(-rate years) cdf(d2),  put by parity
//
// try: -D N=1000000
// small: -D N=1
// small: -D N=97
// small: -D N=1031
// inputs: spot 20..180, strike 20..180, years 0.1..3, volatility 0.05..0.6, rate 0.01..0.05
// kernels: 1
fn cdf[N](x: f32[N]) -> (p: f32[N]) {
    p = (1 + erf(x * rsqrt(2))) / 2;
}

fn black_scholes[N](
    spot: f32[N],
    strike: f32[N],
    years: f32[N],
    volatility: f32[N],
    rate: f32
) -> (call: f32[N], put: f32[N]) {
    deviation = volatility * sqrt(years);
    d1 = (log(spot / strike) + (rate + volatility * volatility / 2) * years) / deviation;
    d2 = d1 - deviation;
    discounted = strike * exp(-rate * years);
    call = spot * cdf(d1) - discounted * cdf(d2);
    put = discounted * cdf(-d2) - spot * cdf(-d1);
}
