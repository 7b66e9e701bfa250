"""Reads and writes .safetensors files with the standard library alone.

A tensor is (dtype, shape, values): dtype as the language spells it ("bf16"), shape a tuple, values
a flat row-major list of Python numbers. Writing rounds to nearest even, in one step from double.
"""
import json
import math
import struct

CODES = {"f64": "F64", "f32": "F32", "f16": "F16", "bf16": "BF16", "f8e4m3": "F8_E4M3",
         "f8e5m2": "F8_E5M2", "i64": "I64", "i32": "I32", "i8": "I8", "u8": "U8", "bool": "BOOL"}
NAMES = {code: name for name, code in CODES.items()}

# What struct can pack; the other types go through their bits.
FORMATS = {"f64": "d", "f32": "f", "f16": "e", "i64": "q", "i32": "i", "i8": "b", "u8": "B",
           "bool": "?"}

# bits: (exponent, mantissa, largest finite number, has infinities)
FLOATS = {"f64": (11, 52, math.ldexp(2 - 2.0**-52, 1023), True),
          "f32": (8, 23, math.ldexp(2 - 2.0**-23, 127), True),
          "f16": (5, 10, 65504.0, True),
          "bf16": (8, 7, math.ldexp(2 - 2.0**-7, 127), True),
          "f8e4m3": (4, 3, 448.0, False),
          "f8e5m2": (5, 2, 57344.0, True)}


def nearest(dtype, x):
    """The number of type `dtype` that is nearest to x, ties to even."""
    exponent_bits, mantissa, largest, infinite = FLOATS[dtype]
    if dtype == "f64" or math.isnan(x) or x == 0:
        return x
    if math.isinf(x):
        return x if infinite else math.nan
    lowest = 2 - 2 ** (exponent_bits - 1)  # exponent of the smallest normal number
    exponent = max(math.frexp(x)[1] - 1, lowest) - mantissa
    y = math.ldexp(round(math.ldexp(x, -exponent)), exponent)  # round() goes to even
    if abs(y) <= largest:
        return math.copysign(y, x)
    return math.copysign(math.inf, x) if infinite else math.nan


def bits_of(dtype, x):
    """The bit pattern of x, which is a number of type bf16, f8e4m3 or f8e5m2."""
    exponent_bits, mantissa, _, infinite = FLOATS[dtype]
    ones = (1 << exponent_bits) - 1
    sign = (math.copysign(1, x) < 0) << (exponent_bits + mantissa)
    if math.isnan(x):
        return sign | ones << mantissa | ((1 << mantissa) - 1 if not infinite else
                                          1 << (mantissa - 1))
    if math.isinf(x):
        return sign | ones << mantissa
    lowest = 2 - 2 ** (exponent_bits - 1)
    exponent = max(math.frexp(x)[1] - 1, lowest) if x else lowest
    scaled = int(math.ldexp(abs(x), mantissa - exponent))
    return sign | scaled + ((exponent - lowest) << mantissa)


def from_bits(dtype, bits):
    exponent_bits, mantissa, _, infinite = FLOATS[dtype]
    ones = (1 << exponent_bits) - 1
    sign = -1.0 if bits >> (exponent_bits + mantissa) else 1.0
    exponent, fraction = bits >> mantissa & ones, bits & ((1 << mantissa) - 1)
    if exponent == ones and (infinite or fraction == (1 << mantissa) - 1):
        return math.nan if fraction else sign * math.inf
    if exponent:
        fraction |= 1 << mantissa
    return sign * math.ldexp(fraction, max(exponent, 1) + 1 - 2 ** (exponent_bits - 1) - mantissa)


def encode(dtype, values):
    if dtype in FORMATS:
        try:
            return struct.pack(f"<{len(values)}{FORMATS[dtype]}", *values)
        except OverflowError:  # of a finite number that rounds to infinity
            return encode(dtype, [nearest(dtype, x) for x in values])
    size = "H" if dtype == "bf16" else "B"
    return struct.pack(f"<{len(values)}{size}",
                       *(bits_of(dtype, nearest(dtype, x)) for x in values))


def decode(dtype, data):
    size = {"bf16": "H", "f8e4m3": "B", "f8e5m2": "B"}.get(dtype) or FORMATS[dtype]
    values = list(struct.unpack(f"<{len(data) // struct.calcsize(size)}{size}", data))
    return values if dtype in FORMATS else [from_bits(dtype, bits) for bits in values]


def write_bytes(path, tensors):
    """tensors: name -> (dtype, shape, bytes)."""
    header, at = {}, 0
    for name, (dtype, shape, part) in tensors.items():
        header[name] = {"dtype": CODES[dtype], "shape": list(shape),
                        "data_offsets": [at, at + len(part)]}
        at += len(part)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for _, _, part in tensors.values():
            file.write(part)


def write(path, tensors):
    """tensors: name -> (dtype, shape, values)."""
    write_bytes(path, {name: (dtype, shape, encode(dtype, values))
                       for name, (dtype, shape, values) in tensors.items()})


def read_bytes(path):
    with open(path, "rb") as file:
        data = file.read()
    size = struct.unpack("<Q", data[:8])[0]
    header, data = json.loads(data[8:8 + size]), data[8 + size:]
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        start, stop = entry["data_offsets"]
        tensors[name] = NAMES[entry["dtype"]], tuple(entry["shape"]), data[start:stop]
    return tensors


def read(path):
    return {name: (dtype, shape, decode(dtype, part))
            for name, (dtype, shape, part) in read_bytes(path).items()}
