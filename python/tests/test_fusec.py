"""python3 python/tests/test_fusec.py: needs libfusec.so, NumPy, and PyTorch. tests/python_package.py runs it
over a build."""

import concurrent.futures
import inspect
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import numpy
import torch

import fusec

os.environ["FUSEC_CACHE_DIR"] = "off"  # cases count compilations

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
fn flipped[N](x: bool[N]) -> (y: bool[N]) { y = !x; }
fn rms[N](x: f32[N], gain: f32) -> (y: f32[N]) { y = x * gain; }
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

    def test_repeated_calls(self):
        """What an earlier call with such tensors found serves the next one, and no other."""
        f = self.m.moments
        for make in (numpy.asarray, torch.tensor):
            for x in (self.x, self.x[1:3], self.x[:1], self.x.reshape(7, 5), self.x):
                for given in (x, x + 1, x * 2):
                    result = f(make(given))
                    self.assertIsInstance(result.m, type(make(x)))
                    numpy.testing.assert_allclose(result.m, given.mean(-1), atol=1e-6)
                    numpy.testing.assert_allclose(result.v, given.var(-1), atol=1e-5)
        rows = torch.arange(24.).reshape(4, 6)
        for x in (rows[1:3], rows[2:]):
            numpy.testing.assert_allclose(f(x).m, x.mean(-1))
        for x in (rows.T, rows[:, :5], rows[1], self.x.T, self.x[::2]):
            self.assertRaises(fusec.ArgumentError, f, x)
        kept = [f(self.x).m for _ in range(3)]
        self.assertEqual(len({m.__array_interface__["data"][0] for m in kept}), 3)
        self.assertRaises(fusec.ArgumentError, f, self.x.astype("float64"))
        self.assertRaises(fusec.ArgumentError, f, self.x.astype(">f4"))
        m, v = numpy.empty(5, "float32"), numpy.empty(5, "float32")
        for x in (self.x, self.x + 1):
            result = f(x, out=(m, v))
            self.assertIs(result.m, m)
            numpy.testing.assert_allclose(m, x.mean(-1), atol=1e-6)
        v.flags.writeable = False
        self.assertRaises(fusec.ArgumentError, lambda: f(self.x, out=(m, v)))
        parameter = torch.nn.Parameter(torch.ones(2, 3))
        for _ in range(2):
            self.assertEqual(f(parameter).m.tolist(), [1, 1])
            self.assertEqual(self.m.flipped(torch.tensor([True, False])).tolist(), [False, True])

    def test_out(self):
        y = numpy.full_like(self.x, numpy.nan)
        self.assertIs(self.m.softmax_rows(self.x, out=y), y)
        numpy.testing.assert_allclose(y.sum(-1), 1, rtol=1e-5)
        with self.assertRaisesRegex(fusec.ArgumentError, "y is"):
            self.m.softmax_rows(self.x, out=y[:2])

    def test_out_over_an_input(self):
        f = fusec.compile("@consume(c) fn f[T, N, D](c: f32[T, D], at: i32[N], x: f32[N, D]) -> (y: f32[T, D]) {"
                          " y = scatter(c, at, x, with = set); }").f
        at, x = numpy.array([5, 1], "int32"), numpy.ones((2, 3), "float32")
        for make in (numpy.array, torch.tensor):
            cache, want = make(numpy.zeros((9, 3), "float32")), numpy.zeros((9, 3))
            want[[1, 5]] = 1
            for _ in range(2):  # the second time by what is known of such arguments
                self.assertIs(f(cache, make(at), make(x), out=cache), cache)
                numpy.testing.assert_array_equal(cache, want)
        g = fusec.compile("@consume(c) fn f[N](c: f32[N]) -> (y: f32[N]) { y = cumsum(c); }").f
        c = numpy.ones(5, "float32")
        with self.assertRaisesRegex(fusec.ArgumentError, "y is given the memory of c, but is not"):
            g(c, out=c)
        self.assertTrue((c == 1).all())

    def test_consumed_that_cannot_be_written(self):
        f = fusec.compile("@consume(x) fn f[N](x: f32[N]) -> (y: f32[N]) {"
                          " y = cumsum(exp(x - max(x))) / sum(x); }").f
        x = numpy.ones(1000, "float32")
        f(x)  # the same shapes and types as those below
        read_only_map = numpy.frombuffer(bytes(4000), "float32").view(numpy.memmap)
        for read_only in (numpy.frombuffer(bytes(4000), "float32"), numpy.broadcast_to(x[:1], 1),
                          read_only_map, memoryview(bytes(4000)).cast("f")):
            with self.assertRaisesRegex(fusec.ArgumentError, "x is read-only, and @consume"):
                f(read_only)
        with self.assertRaisesRegex(fusec.ArgumentError, "x is read-only, and @consume"):
            f(x=numpy.frombuffer(bytes(4000), "float32"))
        f([1.0, 2.0])
        f(memoryview(bytearray(8)).cast("f"))

    def test_out_that_cannot_be_written(self):
        y = numpy.zeros_like(self.x)
        y.setflags(write=False)
        with self.assertRaisesRegex(fusec.ArgumentError, "y is read-only"):
            self.m.softmax_rows(self.x, out=y)
        self.assertFalse(y.any())
        with self.assertRaisesRegex(fusec.ArgumentError, "y is a view of a negated"):
            self.m.softmax_rows(torch.ones(2, 3), out=torch._neg_view(torch.ones(2, 3)))
        with self.assertRaisesRegex(TypeError, "the output y is of type list"):
            self.m.scaled([1, 2], 2, out=[[0, 0]])
        with self.assertRaisesRegex(TypeError, "2 outputs: out= is a tuple of m, v"):
            self.m.moments(self.x, out=numpy.zeros(5, "float32"))

    def test_torch_views(self):
        x = torch.randn(4)
        self.assertTrue(torch.equal(self.m.scaled(torch._neg_view(x), 2), x * -2))
        imag = torch.complex(x, x).conj().imag.clone()
        self.assertTrue(torch.equal(self.m.scaled(imag, 2), x * -2))
        with self.assertRaisesRegex(fusec.ArgumentError, "x is"):
            self.m.scaled(torch.complex(x, x).conj(), 2)

    def test_bool(self):
        x = torch.tensor([True, False, True])
        y = self.m.flipped(x)
        self.assertEqual((y.dtype, y.tolist()), (torch.bool, [False, True, False]))
        self.assertEqual(self.m.flipped(x.numpy()).tolist(), [False, True, False])
        with self.assertRaisesRegex(fusec.ArgumentError, "x is u8"):
            self.m.flipped(x.to(torch.uint8))

    def test_numbers_without_a_type(self):
        f = fusec.compile("fn f[N](x: f32[N], k: i64, b: i8) -> (y: i64[N]) {"
                          " y = (x as i64) + k * (b as i64); }").f
        self.assertEqual(f([1, 2.5], -2**62, 2).tolist(), [1 - 2**63, 2 - 2**63])
        self.assertEqual(f([], True, -128).tolist(), [])
        for k, b, what in ((2.5, 1, "k is 2.5"), (2**63, 1, f"k is {2**63}"), (1, 128, "b is 128"),
                           (1, "1", "b is '1'"), (1, [[1.0] * 20], "b is list")):
            with self.assertRaisesRegex(fusec.ArgumentError, f"^{what}, but the model says i(64|8)$"):
                f([1, 2.5], k, b)
        with self.assertRaisesRegex(fusec.ArgumentError, "s is 'a', but the model says f32"):
            self.m.scaled([1, 2], "a")

    def test_fields_of_records(self):
        records = numpy.zeros(3, numpy.dtype([("tag", "u1"), ("x", "f4")]))
        with self.assertRaisesRegex(fusec.ArgumentError, "x does not step by whole elements"):
            self.m.scaled(records["x"], 2)

    def test_scalars_and_lists(self):
        numpy.testing.assert_array_equal(self.m.scaled([1, 2, 3], 2.5), [2.5, 5, 7.5])

    def test_dims_by_name(self):
        numpy.testing.assert_array_equal(self.m.ramp(N=5), numpy.arange(5))

    def test_constants(self):
        w = numpy.ones((3, 7), "float32")
        linear = fusec.compile(TEXT).linear
        with self.assertRaisesRegex(fusec.ArgumentError, r"needs its constant w: linear.bind\(w="):
            linear(self.x)
        with self.assertRaisesRegex(TypeError, "no constant 'ww'; did you mean 'w'"):
            linear.bind(ww=w)
        with self.assertRaisesRegex(TypeError, "w is a constant, for bind"):
            linear(self.x, w=w)
        linear.bind(w=w)
        linear.prepare(N=5)
        numpy.testing.assert_allclose(linear(self.x), self.x @ w.T, rtol=1e-5, atol=1e-5)

    def test_fixed_dims(self):
        m = fusec.compile(TEXT, D=7)
        self.assertEqual(m.softmax_rows.dims, ["N"])
        with self.assertRaises(fusec.ArgumentError):
            m.softmax_rows(self.x[:, :6].copy())

    def test_options(self):
        compilations = {"automatic": 2, "exact": 3, "general": 1}
        for policy, count in compilations.items():
            m = fusec.compile(TEXT, policy=policy, compiler="cc", background_threads=0, cache="off")
            for n in (3, 5, 7):
                m.scaled(numpy.ones(n, "float32"), 2)
            self.assertEqual(m.scaled.stats()["compilations"], count)
        with self.assertRaisesRegex(ValueError, "a policy is one of .*, not 'fast'"):
            fusec.compile(TEXT, policy="fast")
        m = fusec.compile(TEXT, compiler="no-such-compiler")
        with self.assertRaisesRegex(fusec.RefusedError, "no-such-compiler"):
            m.even(numpy.ones(2, "float32"))

    def test_warnings(self):
        text = "fn f[N](x: f32[N]) -> (y: f32[N]) { z = x; y = x; }"
        self.assertEqual([said.severity for said in fusec.compile(text).messages][:1], ["warning"])
        with self.assertRaises(fusec.ModelError):
            fusec.compile(text, warnings_are_errors=True)

    def test_sizes_that_grow(self):
        """Code for all sizes needs larger workspaces then."""
        for policy in ("automatic", "general"):
            m = fusec.compile(TEXT, policy=policy)
            for n in (3, 5, 100, 1000):
                y = m.softmax_rows(numpy.ones((n, n), "float32"))
                numpy.testing.assert_allclose(y, 1 / n, rtol=1e-5)

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
                            (x.T, "not row-major"),
                            (x.astype(">f4"), r"x is an array of '>f4', but the model says f32; "
                                              r"pass x.astype\('float32'\)$"),
                            (x.astype(complex), "x is an array of '<c16'")):
            with self.assertRaisesRegex(fusec.ArgumentError, says) as caught:
                self.m.softmax_rows(wrong)
            self.assertEqual(caught.exception.argument, "x")
            self.assertIsInstance(caught.exception, ValueError)

    def test_bytes_that_are_no_text(self):
        """In a model, in its name, and where a long text of the library is cut."""
        with tempfile.TemporaryDirectory() as folder:
            wrong = pathlib.Path(folder, "wrong.fx")
            wrong.write_bytes(b"fn f[N](x: f32[N]) -> (y: f32[N]) { y = x \xff; }")
            with self.assertRaisesRegex(fusec.ModelError, "'<ff>' is not part of the language"):
                fusec.load(wrong)
            named = os.path.join(os.fsencode(folder), b"\xff.fx")
            with open(named, "wb") as file:
                file.write(b"fn f[N](x: f32[N]) -> (y: f32[N]) { assert N > 2; y = x + 1; }")
            f = fusec.load(named).f
            self.assertEqual(f(numpy.ones(3, "float32"))[0], 2)
            with self.assertRaises(fusec.DimsError) as caught:
                f(numpy.ones(2, "float32"))
            self.assertEqual(os.fsencode(caught.exception.file), named)
            compiler = pathlib.Path(folder, "cc")
            compiler.write_text(f"#!/bin/sh\necho '{1000 * chr(0x2018)}'; exit 1\n")
            compiler.chmod(0o755)
            for name in ("a", "ab", "abc"):
                m = fusec.compile(f"fn {name}[N](x: f32[N]) -> (y: f32[N]) {{ y = x; }}", "m.fx",
                                  compiler=f"{compiler} {name}", cache="off")
                with self.assertRaisesRegex(fusec.RefusedError, "the C compiler failed") as caught:
                    m[name](numpy.ones(3, "float32"))
                self.assertEqual(str(caught.exception).encode().decode()[-1], chr(0x2018))

    def test_locale_without_utf8(self):
        """Texts of the library are UTF-8 also where names of files are not."""
        program = ("import fusec\n"
                   "try: fusec.compile('fn f(', '\\u2018.fx')\n"
                   "except fusec.ModelError as error:\n"
                   "    print(error.file == '\\u2018.fx', '\\u2018.fx' in str(error))")
        said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                              env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0",
                                   "PYTHONCOERCECLOCALE": "0", "PYTHONPATH": ":".join(sys.path)})
        self.assertEqual((said.stdout, said.stderr), ("True True\n", ""))

    def test_asserts(self):
        with self.assertRaises(fusec.DimsError) as caught:
            self.m.even(numpy.zeros(3, "float32"))
        self.assertEqual(str(caught.exception),
                         "test.fx:12: assert N % 2 == 0 does not hold for N = 3")
        self.assertEqual((caught.exception.file, caught.exception.line), ("test.fx", 12))

    def test_nothing(self):
        with self.assertRaisesRegex(TypeError, "x is None: tensors and numbers"):
            self.m.softmax_rows(None)
        with self.assertRaisesRegex(TypeError, "a model's text is a str, not of type bytes"):
            fusec.compile(b"fn f[N](x: f32[N]) -> (y: f32[N]) { y = x; }")
        x = numpy.zeros((2, 2), "float32")
        with self.assertRaisesRegex(TypeError, "softmax_rows has 1 output, out= has 2"):
            self.m.softmax_rows(x, out=(x, x))

    def test_called_by_others(self):
        m = fusec.compile("fn half[N](x: f32[N]) -> (y: f32[N]) { y = x / 2; }\n"
                          "fn quarter[N](x: f32[N]) -> (y: f32[N]) { y = half(half(x)); }\n", "m.fx")
        self.assertEqual(list(m), ["quarter"])
        x = numpy.ones(3, "float32")
        numpy.testing.assert_array_equal(m.half(x), x / 2)
        self.assertIs(m.half, m["half"])
        with self.assertRaisesRegex(KeyError, "m.fx has no function third; it has quarter"):
            m["third"]
        self.assertFalse(hasattr(m, "__array__") or hasattr(m, "third"))

    def test_conversions(self):
        x = numpy.zeros((2, 2))
        with self.assertRaisesRegex(fusec.ArgumentError, r"x is f64.*; pass x.astype\('float32'\)$"):
            self.m.softmax_rows(x)
        with self.assertRaisesRegex(fusec.ArgumentError, r"x is f64.*; pass x.to\(torch.float32\)$"):
            self.m.softmax_rows(torch.from_numpy(x))
        with self.assertRaisesRegex(fusec.ArgumentError, r"says f32\[N, D\]$"):
            self.m.softmax_rows(x[0].astype("float32"))

    def test_names(self):
        with self.assertRaisesRegex(TypeError, "misses its input x: f32"):
            self.m.softmax_rows()
        with self.assertRaisesRegex(TypeError, "no input or dim 'z'; it has x, N, D"):
            self.m.softmax_rows(numpy.zeros((2, 2), "float32"), z=3)
        x = numpy.zeros((2, 2), "float32")
        with self.assertRaisesRegex(TypeError, "rms has no input or dim 'gian'; did you mean 'gain'"):
            self.m.rms(x[0], gian=2)
        with self.assertRaisesRegex(fusec.ArgumentError, "N is 2 by the inputs .*, not 99"):
            self.m.softmax_rows(x, N=99)
        with self.assertRaisesRegex(TypeError, "misses dims N, D: give N=..., D=..."):
            self.m.softmax_rows.prepare()
        with self.assertRaisesRegex(TypeError, r'no dim .device.; prepare\("cuda"\)'):
            self.m.softmax_rows.prepare(device="cuda", N=2, D=2)
        with self.assertRaisesRegex(TypeError, "ramp misses dim N"):
            self.m.ramp()
        with self.assertRaisesRegex(fusec.ModelError, "thread is a dim: is the option threads meant?"):
            fusec.compile(TEXT, thread=1)
        with self.assertRaisesRegex(TypeError, "dim D is an integer, not None"):
            fusec.compile(TEXT, D=None)
        with self.assertRaisesRegex(ValueError, "a text is one of source"):
            self.m.ramp.text("sauce")
        with self.assertRaisesRegex(AttributeError, "has no function softmin; it has"):
            self.m.softmin
        with self.assertRaises(FileNotFoundError):
            fusec.load("no_such.fx")


    def test_no_library(self):
        with unittest.mock.patch("fusec._library.NAME", "libfusec.so.none"):
            with self.assertRaisesRegex(ImportError, r"(?s)\.local/lib\*/libfusec.so.none: no such "
                                        r"file.*the system's loader: .*LD_LIBRARY_PATH"):
                fusec._library._open()


class Names(unittest.TestCase):
    """Names of models that mean something to Python, or to this package."""

    def test_any_name(self):
        m = fusec.compile("""
            fn functions[device](lambda: f32[device], self: f32) -> (class: f32[device]) {
                class = lambda * self;
            }
            fn messages[self]() -> (y: i32[self]) { y = iota(self); }
            """)
        self.assertEqual(list(m), ["functions", "messages"])
        m["functions"].prepare(device=2)
        numpy.testing.assert_array_equal(m["functions"](**{"lambda": [1, 2], "self": 3}), [3, 6])
        numpy.testing.assert_array_equal(m["messages"](self=2), [0, 1])
        inspect.signature(m["functions"])


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
        f(numpy.zeros((9, 16), "float32"))
        stats = f.stats()
        self.assertEqual((stats["hits"], stats["misses"], stats["last_miss"]), (2, 0, ""))
        self.assertEqual(stats["compilations"], 2)


if __name__ == "__main__":
    unittest.main()
