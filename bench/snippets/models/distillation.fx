fn loss_of[N, V](student: bf16[N, V], teacher: bf16[N, V]) -> (loss: f32) {
    p = log_softmax(teacher / 2);
    loss = 4 * mean(sum(exp(p) * (p - log_softmax(student / 2))));
}

fn g = value_and_grad(loss_of, wrt = [student]);
