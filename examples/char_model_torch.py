#!/usr/bin/env python3
"""Trains the model of char_model.fx with PyTorch, from the start and on the windows of char_model.c,
and compares the losses with what that printed.

    python3 examples/char_model_torch.py TEXT LOSSES.csv [--double]

Prints the losses of both, as CSV, and, to stderr, the largest difference, relative to PyTorch's.
--double computes in f64.
"""
import argparse
import csv
import pathlib
import sys

import torch
import torch.nn.functional as F

B, S, H, D, V = 8, 32, 2, 16, 64
C = H * D
GAINS = 5
ROWS = V + S + 24 * C + GAINS


def random_bits():
    state = 1
    while True:
        state = (state * 1664525 + 1013904223) % 2**32
        yield state >> 8


def start(bits):
    matrices = [(next(bits) - 2**23) / 2**26 for _ in range((ROWS - GAINS) * C)]
    return torch.cat([torch.tensor(matrices).reshape(-1, C), torch.ones(GAINS, C)])


def number_of(character):
    code = (character - 32 if ord("a") <= character <= ord("z") else character) - ord(" ")
    return code if 0 <= code < V else 0


def windows(bits, text):
    places = [next(bits) % (len(text) - S) for _ in range(B)]
    rows = torch.tensor([text[place:place + S + 1] for place in places])
    return rows[:, :-1], rows[:, 1:]


def rms_norm(x, gain):
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6) * gain


def attention(q, k, v):
    q, k, v = (x.reshape(B, S, H, D).transpose(1, 2) for x in (q, k, v))
    scores = q @ k.transpose(-2, -1) * D**-0.5
    hidden = torch.ones(S, S, dtype=torch.bool).triu(1)
    o = scores.masked_fill(hidden, -torch.inf).softmax(-1) @ v
    return o.transpose(1, 2).reshape(B, S, C)


def block(x, w, gains):
    qkv, out, up, down = w.split([3 * C, C, 4 * C, 4 * C])
    y = x + attention(*(rms_norm(x, gains[0]) @ qkv.T).chunk(3, -1)) @ out.T
    return y + F.gelu(rms_norm(y, gains[1]) @ up.T) @ down


def loss_of(text, targets, w):
    characters, positions, first, second, gains = w.split([V, S, 12 * C, 12 * C, GAINS])
    x = F.embedding(text, characters) + positions
    z = block(block(x, first, gains[:2]), second, gains[2:4])
    logits = rms_norm(z, gains[4]) @ characters.T
    return F.cross_entropy(logits.reshape(-1, V), targets.reshape(-1))


def train(text, steps, dtype):
    bits = random_bits()
    w = start(bits).to(dtype).requires_grad_()
    adamw = torch.optim.AdamW([w], lr=0.003, betas=(0.9, 0.99), eps=1e-8, weight_decay=0.01)
    for _ in range(steps):
        loss = loss_of(*windows(bits, text), w)
        adamw.zero_grad()
        loss.backward()
        adamw.step()
        yield loss.item()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", type=pathlib.Path)
    parser.add_argument("losses", type=pathlib.Path)
    parser.add_argument("--double", action="store_true")
    options = parser.parse_args()
    with options.losses.open() as file:
        ours = [float(row["loss"]) for row in csv.DictReader(file)]
    text = [number_of(character) for character in options.text.read_bytes()]
    theirs = list(train(text, len(ours), torch.float64 if options.double else torch.float32))
    print("step,fusec,pytorch")
    for step, pair in enumerate(zip(ours, theirs), 1):
        print("%d,%.7g,%.7g" % (step, *pair))
    errors = [abs(a - b) / b for a, b in zip(ours, theirs)]
    largest = max(errors)
    print(f"largest difference {largest:.2g}, of step {errors.index(largest) + 1}", file=sys.stderr)


if __name__ == "__main__":
    main()
