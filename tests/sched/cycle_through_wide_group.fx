// run: fusec run %s --fn back --check -D T=5 -D E=3 -D D=8 -D F=4
// kernels: 9
// Backward of a soft mixture of experts: the derivative of silu joins the kernel of the product in front
// of silu, and reads a product of what the second layer's kernel computes. That kernel ends before this
// product, and would be merged into a cycle if groups that start behind it were never followed.
fn moe[T, D, E, F](
    x: bf16[T, D],
    wr: bf16[E, D],
    w1: bf16[E, F, D],
    w2: bf16[E, D, F]
) -> (y: bf16[T, D]) {
    p = softmax(x @ wr.T);
    h = silu(einsum("td,efd->etf", x, w1)) as bf16;
    o = einsum("etf,edf->etd", h, w2);
    y = sum(o * p.T[:, :, None], axis = 0);
}
fn back = vjp(moe);
