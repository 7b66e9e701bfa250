// How far a student's distribution is from its teacher's: the loss of distillation.
//
//     loss = sum(p * (log(p) - log(q))),  p = softmax(teacher),  q = softmax(student)
//
// try: -D N=32 -D V=50257
// small: -D N=3 -D V=17
// small: -D N=1 -D V=1
// small: -D N=2 -D V=1013
fn kl_divergence[N, V](student: bf16[N, V], teacher: bf16[N, V]) -> (loss: f32[N]) {
    log_p = log_softmax(teacher);
    log_q = log_softmax(student);
    loss = sum(exp(log_p) * (log_p - log_q));
}
