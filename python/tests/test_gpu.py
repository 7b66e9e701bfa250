"""python3 -m unittest python/tests/test_gpu.py: on a GPU, with PyTorch; skipped where there is none."""

import concurrent.futures
import pathlib
import tempfile
import unittest

import torch
import torch.nn.functional as F

import fusec

TEXT = """
fn softmax_rows[N, D](x: f32[N, D]) -> (y: f32[N, D]) { y = softmax(x); }
fn attention[B, G, R, S, D](
    q: bf16[B, G * R, S, D],
    k: bf16[B, G, S, D],
    v: bf16[B, G, S, D]
) -> (o: bf16[B, G * R, S, D]) {
    t = reshape(q, B, G, R, S, D);
    s = (t @ k.T[:, :, None]) * D**-0.5;
    seen = where(iota(S)[:, None] >= iota(S), s, -inf);
    o = reshape(softmax(seen) @ v[:, :, None], B, G * R, S, D);
}
@constant(w)
fn linear[N, D, E](x: bf16[N, D], w: bf16[E, D]) -> (y: bf16[N, E]) { y = x @ w.T; }
fn mlp[N, D, E](x: bf16[N, D], w: bf16[E, D]) -> (y: bf16[N, E]) { y = gelu(x @ w.T); }
fn mlp_forward, mlp_backward = train(mlp);
fn normed[N, D, E](x: bf16[N, D], w: bf16[E, D], r: bf16[E], b: bf16[E], h: bf16[E]) -> (y: bf16[N, E]) {
    t = (x @ w.T + r) as bf16;
    y = layer_norm(t, b, h) as bf16;
}
fn column_sums[N, D](x: f32[N, D]) -> (y: f32[D]) { y = sum(x, axis = 0); }
"""


def near(mine, other, relative=1e-2):
    return (mine.double() - other.double()).norm() <= relative * other.double().norm()


@unittest.skipUnless(torch.cuda.is_available(), "no GPU")
class OnGpu(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.m = fusec.compile(TEXT, "gpu.fx")
        torch.manual_seed(1)

    def test_rows(self):
        for n, d in (3, 5), (64, 1000), (1, 131072), (1000, 1):
            x = torch.randn(n, d, device="cuda")
            y = self.m.softmax_rows(x)
            self.assertEqual(y.device, x.device)
            torch.testing.assert_close(y, torch.softmax(x, -1))

    def test_lengths(self):
        for s in 1, 7, 128, 300, 1024:
            q = torch.randn(2, 8, s, 64, device="cuda", dtype=torch.bfloat16)
            k, v = (torch.randn(2, 2, s, 64, device="cuda", dtype=torch.bfloat16) for _ in range(2))
            want = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
            self.assertTrue(near(self.m.attention(q, k, v), want), s)

    def test_stream(self):
        """A call is enqueued behind what its stream does, and does not wait."""
        stream, x = torch.cuda.Stream(), torch.randn(512, 512, device="cuda")
        self.m.softmax_rows(x)
        torch.cuda.synchronize()
        with torch.cuda.stream(stream):
            torch.cuda._sleep(200_000_000)
            z = x * 2
            y = self.m.softmax_rows(z)
            self.assertFalse(stream.query())
        stream.synchronize()
        torch.testing.assert_close(y, torch.softmax(x * 2, -1))

    def test_graph(self):
        x = torch.randn(2000, 777, device="cuda")
        y = torch.empty(777, device="cuda")
        self.m.column_sums.prepare("cuda", N=2000, D=777)
        self.m.column_sums(x, out=y)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self.m.column_sums(x, out=y)
        for _ in range(3):
            x.normal_()
            graph.replay()
            torch.testing.assert_close(y, x.sum(0), rtol=1e-4, atol=1e-3)

    def normed_inputs(self, n):
        """Of a function that keeps a value between two kernels: a call needs a workspace."""
        shapes = (n, 256), (512, 256), (512,), (512,), (512,)
        return [torch.randn(shape, device="cuda", dtype=torch.bfloat16) for shape in shapes]

    @staticmethod
    def normed(x, w, r, b, h):
        t = (x.float() @ w.float().T + r.float()).bfloat16().float()
        return F.layer_norm(t, t.shape[-1:], b.float(), h.float())

    def test_graph_of_another_stream(self):
        """Warm-up in one stream, capture in another, as the documentation of PyTorch has it."""
        a, c = self.normed_inputs(300), self.normed_inputs(77)
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self.m.normed(*a), self.m.normed(*c)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            y, z = self.m.normed(*a), self.m.normed(*c)
        for _ in range(3):
            a[0].normal_(), c[0].normal_()
            graph.replay()
            # Other calls, and other users of memory, do not touch what the graph keeps.
            self.assertTrue(near(self.m.normed(*a), self.normed(*a)))
            torch.full((1 << 20,), 7, device="cuda")
            self.assertTrue(near(y, self.normed(*a)))
            self.assertTrue(near(z, self.normed(*c)))

    def test_workspaces_of_streams(self):
        """Calls in several streams at a time, some longer than others."""
        streams = [torch.cuda.Stream() for _ in range(4)]
        inputs = [self.normed_inputs(n) for n in (2000, 1, 300, 4000)]
        self.m.normed(*inputs[0])
        torch.cuda.synchronize()
        results = []
        for stream, given in zip(streams * 10, inputs * 10):
            with torch.cuda.stream(stream):
                results.append(self.m.normed(*given))
        torch.cuda.synchronize()
        for result, given in zip(results, inputs * 10):
            self.assertTrue(near(result, self.normed(*given)))

    def test_workspaces_are_freed(self):
        given = self.normed_inputs(512)
        self.m.normed(*given)
        before = torch.cuda.memory_allocated()
        for _ in range(3):
            self.m.normed(*given)
        self.assertEqual(torch.cuda.memory_allocated(), before)

    def test_threads(self):
        def work(seed):
            with torch.cuda.stream(torch.cuda.Stream()):
                x = torch.randn(100 + seed, 333, device="cuda")
                good = all(torch.allclose(self.m.softmax_rows(x), torch.softmax(x, -1), atol=1e-6)
                           for _ in range(20))
                torch.cuda.current_stream().synchronize()
                return good
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            self.assertEqual(list(pool.map(work, range(8))), [True] * 8)

    def test_gradients(self):
        x = torch.randn(300, 256, device="cuda", dtype=torch.bfloat16, requires_grad=True)
        w = torch.randn(512, 256, device="cuda", dtype=torch.bfloat16, requires_grad=True)
        want = F.gelu(x.float() @ w.float().T)
        dy = torch.randn_like(want).bfloat16()
        dx, dw = torch.autograd.grad(want, (x, w), dy.float())
        made = self.m.mlp_forward(x, w)
        kept = {a.name: getattr(made, a.name) for a in self.m.mlp_backward.arguments
                if not a.is_output and a.name.startswith("keep_")}
        mine = self.m.mlp_backward(x=x, w=w, dy=dy, **kept)
        self.assertTrue(near(made.y, want))
        self.assertTrue(near(mine.dx, dx))
        self.assertTrue(near(mine.dw, dw))

    def test_constants(self):
        m = fusec.compile(TEXT)
        w = torch.randn(96, 64, device="cuda", dtype=torch.bfloat16)
        m.linear.bind(w=w)
        for n in 1, 40, 512:
            x = torch.randn(n, 64, device="cuda", dtype=torch.bfloat16)
            self.assertTrue(near(m.linear(x), x.float() @ w.float().T))

    def test_saved(self):
        x = torch.randn(9, 100, device="cuda")
        m = fusec.compile("fn f[N, D](x: f32[N, D]) -> (y: f32[N, D]) { y = softmax(x) + x; }")
        y = m.f(x)
        with tempfile.TemporaryDirectory() as folder:
            path = str(pathlib.Path(folder) / "f.fusec")
            m.save(path, device="cuda")
            again = fusec.load(path)
            self.assertTrue(torch.equal(again.f(x), y))
            self.assertEqual(again.f.stats(device="cuda")["compilations"], 0)

    def test_wrong_devices(self):
        x, y = torch.randn(4, 4, device="cuda"), torch.empty(4, 4)
        with self.assertRaises(fusec.ArgumentError):
            self.m.softmax_rows(x, out=y)
        with self.assertRaises(fusec.ArgumentError):
            self.m.softmax_rows(x.T)


if __name__ == "__main__":
    unittest.main()
