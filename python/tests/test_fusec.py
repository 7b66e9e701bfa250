"""python3 -m unittest discover python/tests: needs libfusec.so, NumPy, and PyTorch."""

import concurrent.futures
import inspect
import pathlib
import tempfile
import unittest

import numpy
import torch

import fusec

TEXT = """
fn softmax_rows[N, D](x: f32[N, D]) -> (y: f32[N, D]) { y = softmax(x); }
fn moments[N, D](x: f32[N, D]) -> (m: f32[N], v: f32[N]) {
    m = mean(x);
    d = x - m[:, None];
    v = mean(d * d);
}
fn twice[N](x: bf16[N]) -> (y: bf16[N]) { y = x * 2; }
fn ramp[N]() -> (y: i32[N]) { y = iota(N); }
@constant(w)
fn linear[N, D, E](x: f32[N, D], w: f32[E, D]) -> (y: f32[N, E]) { y = x @ w.T; }
fn even[N](x: f32[N]) -> (y: f32[N]) { assert N % 2 == 0; y = -x; }
fn scaled[N](x: f32[N], s: f32) -> (y: f32[N]) { y = x * s; }
"""


class Calls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.m = fusec.compile(TEXT, "test.fx")
        cls.x = numpy.random.default_rng(1).standard_normal((5, 7)).astype("float32")

    def test_numpy(self):
        y = self.m.softmax_rows(self.x)
        e = numpy.exp(self.x)
        self.assertIsInstance(y, numpy.ndarray)
        numpy.testing.assert_allclose(y, e / e.sum(-1, keepdims=True), rtol=1e-5)

    def test_outputs_have_names(self):
        result = self.m.moments(self.x)
        numpy.testing.assert_allclose(result.m, self.x.mean(-1), atol=1e-6)
        numpy.testing.assert_allclose(result.v, self.x.var(-1), rtol=1e-5)

    def test_torch(self):
        x = torch.randn(4, 6, requires_grad=True)
        y = self.m.softmax_rows(x=x)
        self.assertIsInstance(y, torch.Tensor)
        torch.testing.assert_close(y, torch.softmax(x.detach(), -1))

    def test_bf16(self):
        x = torch.randn(9).to(torch.bfloat16)
        self.assertTrue(torch.equal(self.m.twice(x), x * 2))
        with self.assertRaisesRegex(fusec.ArgumentError, "x is u16.*bf16"):
            self.m.twice(numpy.zeros(3, "uint16"))

    def test_saved_models(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "test.fusec")
            m = fusec.compile(TEXT, "test.fx", D=7)
            m.softmax_rows.prepare(N=5)
            m.save(path)
            again = fusec.load(path)
            numpy.testing.assert_array_equal(again.softmax_rows(self.x), self.m.softmax_rows(self.x))
            self.assertEqual(again.softmax_rows.stats()["compilations"], 0)
            with self.assertRaisesRegex(TypeError, "saved model: .* D cannot"):
                fusec.load(path, D=7)
            path.write_bytes(path.read_bytes()[:-1])
            with self.assertRaisesRegex(fusec.RefusedError, "damaged, or cut off"):
                fusec.load(path)

    def test_out(self):
        y = numpy.full_like(self.x, numpy.nan)
        self.assertIs(self.m.softmax_rows(self.x, out=y), y)
        numpy.testing.assert_allclose(y.sum(-1), 1, rtol=1e-5)
        with self.assertRaisesRegex(fusec.ArgumentError, "y is"):
            self.m.softmax_rows(self.x, out=y[:2])

    def test_scalars_and_lists(self):
        numpy.testing.assert_array_equal(self.m.scaled([1, 2, 3], 2.5), [2.5, 5, 7.5])

    def test_dims_by_name(self):
        numpy.testing.assert_array_equal(self.m.ramp(N=5), numpy.arange(5))

    def test_constants(self):
        w = numpy.ones((3, 7), "float32")
        linear = fusec.compile(TEXT).linear
        linear.bind(w=w)
        numpy.testing.assert_allclose(linear(self.x), self.x @ w.T, rtol=1e-5, atol=1e-5)

    def test_fixed_dims(self):
        m = fusec.compile(TEXT, D=7)
        self.assertEqual(m.softmax_rows.dims, ["N"])
        with self.assertRaises(fusec.ArgumentError):
            m.softmax_rows(self.x[:, :6].copy())

    def test_threads(self):
        def call(n):
            x = numpy.full((n, 4), n, "float32")
            return bool((self.m.softmax_rows(x) == 0.25).all())
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            self.assertTrue(all(pool.map(call, [1, 2, 3, 4] * 8)))


class Errors(unittest.TestCase):
    m = fusec.compile(TEXT, "test.fx")

    def test_model(self):
        with self.assertRaises(fusec.ModelError) as caught:
            fusec.compile("fn f[N](x: f32[N]) -> (y: f32[N]) {\n    y = exq(x);\n}\n", "wrong.fx")
        message = caught.exception.messages[0]
        self.assertEqual((message.severity, message.file, message.line, message.column),
                         ("error", "wrong.fx", 2, 9))
        self.assertIn("did you mean 'exp'", str(caught.exception))

    def test_arguments(self):
        x = numpy.zeros((4, 6), "float32")
        for wrong, says in ((x.astype("float64"), "x is f64"), (x[0], r"x is f32\[6\]"),
                            (x.T, "not row-major"), (x.astype(">f4"), "x is")):
            with self.assertRaisesRegex(fusec.ArgumentError, says) as caught:
                self.m.softmax_rows(wrong)
            self.assertEqual(caught.exception.argument, "x")
            self.assertIsInstance(caught.exception, ValueError)

    def test_asserts(self):
        with self.assertRaises(fusec.DimsError) as caught:
            self.m.even(numpy.zeros(3, "float32"))
        self.assertEqual(str(caught.exception),
                         "test.fx:12: assert N % 2 == 0 does not hold for N = 3")
        self.assertEqual((caught.exception.file, caught.exception.line), ("test.fx", 12))

    def test_names(self):
        with self.assertRaisesRegex(TypeError, "misses its input x: f32"):
            self.m.softmax_rows()
        with self.assertRaisesRegex(TypeError, "neither an input nor a dim 'z'"):
            self.m.softmax_rows(numpy.zeros((2, 2), "float32"), z=3)
        with self.assertRaisesRegex(AttributeError, "has no function 'softmin'"):
            self.m.softmin
        with self.assertRaises(FileNotFoundError):
            fusec.load("no_such.fx")


class Introspection(unittest.TestCase):
    def test_function(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "m.fx"
            path.write_text(TEXT)
            m = fusec.load(path)
        f = m.softmax_rows
        self.assertIn("softmax_rows", dir(m))
        self.assertEqual(str(inspect.signature(f)), "(x)")
        self.assertEqual([(a.name, a.type, a.shape, a.is_output) for a in f.arguments],
                         [("x", "f32", ("N", "D"), False), ("y", "f32", ("N", "D"), True)])
        self.assertIn("softmax_rows", f.text("source"))
        self.assertEqual(f.work(N=8, D=16)[0], 2 * 4 * 8 * 16)
        f.prepare(N=8, D=16)
        f(numpy.zeros((8, 16), "float32"))
        self.assertEqual(f.stats()["hits"], 1)


if __name__ == "__main__":
    unittest.main()
