// Huber loss: squared where the error is small, absolute where it is large, so that outliers do
// not rule a regression. Reduces to one number.
//
//     loss = mean(e²/2 where |e| <= delta, else delta (|e| - delta/2)),  e = prediction - target
//
// try: -D N=1000000
// small: -D N=1
// small: -D N=17
// small: -D N=100003
const delta = 0.5;

fn huber_loss[N](prediction: f32[N], target: f32[N]) -> (loss: f32) {
    e = abs(prediction - target);
    loss = mean(where(e <= delta, e * e / 2, delta * (e - delta / 2)));
}
