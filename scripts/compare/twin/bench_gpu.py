#!/usr/bin/env python3
"""Speed of training presets `small` and `base` in PyTorch on a GPU, on the batches that the C
program packs, padded here: bf16 autocast, PyTorch's own fused attention and fused Adam, batches on
the device before the clock starts, and nothing that waits for the device within the timed steps.

eager: as it stands. compiled: torch.compile with dynamic shapes, so that not every shape is
compiled. graphs: the same, with CUDA graphs of its own, one a shape. --recurrent times an ON-LSTM
layer as a loop over time instead."""

import argparse
import itertools
import math
import time

import torch
import torch.nn.functional as F
from torch import nn

import corpus

PRESETS = {
    "small": {"width": 256, "heads": 4, "inner": 1024, "layers": 2, "share": True, "drop": 0.2,
              "inside": 0.0},
    "base": {"width": 512, "heads": 8, "inner": 2048, "layers": 6, "share": False, "drop": 0.1,
             "inside": 0.1},
}

# Rounds before the clock starts. The first round compiles and allocates memory; graphs are recorded in
# the second and launched in the third.
WARM = {"eager": 2, "compiled": 2, "graphs": 3}


def sinusoids(positions, width):
    half = width // 2
    rate = torch.exp(torch.arange(half) * (-math.log(10000.0) / (half - 1)))
    angle = torch.arange(positions)[:, None] * rate[None]
    return torch.cat([angle.sin(), angle.cos()], 1)


class Attention(nn.Module):
    def __init__(self, p, cross):
        super().__init__()
        self.p, self.cross, D = p, cross, p["width"]
        self.norm = nn.LayerNorm(D, eps=1e-6)
        self.query = nn.Linear(D, D if cross else 3 * D)
        self.memory = nn.Linear(D, 2 * D) if cross else None
        self.output = nn.Linear(D, D)

    def forward(self, x, memory=None, mask=None, causal=False):
        y = self.query(self.norm(x))
        q, k, v = (y, *self.memory(memory).chunk(2, -1)) if self.cross else y.chunk(3, -1)
        q, k, v = (t.unflatten(-1, (self.p["heads"], -1)).transpose(1, 2) for t in (q, k, v))
        out = F.scaled_dot_product_attention(q, k, v, mask, self.p["inside"], causal)
        return x + F.dropout(self.output(out.transpose(1, 2).flatten(2)), self.p["drop"])


class Inner(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p, D = p, p["width"]
        self.norm = nn.LayerNorm(D, eps=1e-6)
        self.inner, self.outer = nn.Linear(D, p["inner"]), nn.Linear(p["inner"], D)

    def forward(self, x):
        hidden = F.dropout(F.relu(self.inner(self.norm(x))), self.p["inside"])
        return x + F.dropout(self.outer(hidden), self.p["drop"])


class Transformer(nn.Module):
    def __init__(self, p, vocabulary, longest):
        super().__init__()
        self.p, D = p, p["width"]
        self.source = nn.Embedding(vocabulary, D)
        self.target = self.source if p["share"] else nn.Embedding(vocabulary, D)
        self.softmax = self.source if p["share"] else nn.Embedding(vocabulary, D)
        for table in {self.source, self.target, self.softmax}:
            nn.init.normal_(table.weight, std=D ** -0.5)
        self.encoder = nn.ModuleList(
            nn.ModuleList([Attention(p, False), Inner(p)]) for _ in range(p["layers"]))
        self.decoder = nn.ModuleList(
            nn.ModuleList([Attention(p, False), Attention(p, True), Inner(p)])
            for _ in range(p["layers"]))
        self.norm = nn.ModuleList(nn.LayerNorm(D, eps=1e-6) for _ in range(2))
        self.register_buffer("position", sinusoids(longest + 64, D))

    def embed(self, table, token, shift):
        x = table(token) * math.sqrt(self.p["width"])
        if shift:
            x = F.pad(x[:, :-1], (0, 0, 1, 0))
        return F.dropout(x + self.position[:x.shape[1]], self.p["drop"])

    def forward(self, source, target):
        """Returns the label-smoothed cross entropy, averaged over real target tokens (ids other than 0)."""
        mask = (source != 0)[:, None, None, :]
        x = self.embed(self.source, source, False)
        for attention, inner in self.encoder:
            x = inner(attention(x, mask=mask))
        memory = self.norm[0](x)
        x = self.embed(self.target, target, True)
        for attention, cross, inner in self.decoder:
            x = inner(cross(attention(x, causal=True), memory, mask))
        logits = F.linear(self.norm[1](x), self.softmax.weight)
        return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=0,
                               label_smoothing=0.1)


def padded(split, sentences):
    """Returns both sides on the device, and the number of real target tokens."""
    sides = [split.padded(side, sentences).cuda() for side in (corpus.SOURCE, corpus.TARGET)]
    return sides, int(split.length[corpus.TARGET, sentences].sum())


class Clock:
    """Seconds of each part between the imports and the timed rounds, on one line."""

    def __init__(self):
        self.last, self.parts = time.perf_counter(), []

    def passed(self, what):
        torch.cuda.synchronize()
        now = time.perf_counter()
        self.parts.append(f"{what} {now - self.last:.1f}")
        self.last = now

    def say(self):
        print(f"before, in s: {', '.join(self.parts)}", flush=True)


def report(what, seconds, tokens, steps):
    print(f"{what}: {1e3 * seconds / steps:.3f} ms a step, {tokens / seconds:.0f} real target "
          f"tokens/s, {steps} steps", flush=True)


def train(a, clock):
    split = corpus.Split(f"{a.corpus}/train.shard")
    vocabulary = corpus.vocabulary_size(a.corpus)
    torch.manual_seed(1)
    with torch.device("cuda"):
        model = Transformer(PRESETS[a.preset], vocabulary, int(split.length.max()))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4, betas=(0.9, 0.98), eps=1e-9,
                                 fused=True)
    clock.passed("model")
    plan = itertools.islice(corpus.epoch_plan(split, a.batch_tokens, 1, 0), a.batches)
    batches = [padded(split, sentences) for sentences in plan]
    clock.passed("batches")
    loss_of = model
    if a.mode == "compiled":
        loss_of = torch.compile(model, dynamic=True)
    if a.mode == "graphs":
        loss_of = torch.compile(model, mode="reduce-overhead", dynamic=True)

    def run_all():
        for (source, target), _ in batches:
            if a.mode == "graphs":
                torch.compiler.cudagraph_mark_step_begin()
            with torch.autocast("cuda", torch.bfloat16):
                loss = loss_of(source, target)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)

    for _ in range(WARM[a.mode] if a.warm is None else a.warm):
        run_all()
        clock.passed("a round")
    clock.say()
    times = []
    for _ in range(a.rounds):
        begin = time.perf_counter()
        run_all()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - begin)
    report(f"{a.preset} {a.mode}", sorted(times)[len(times) // 2],
           sum(tokens for _, tokens in batches), len(batches))


def recurrent(a):
    """Times one direction of an ON-LSTM layer, forward and backward pass, with a loop over tokens."""
    B, n, D, chunk = 64, 30, 512, 16
    x = torch.randn(n, B, D, device="cuda", requires_grad=True)
    gates = nn.Linear(D, 4 * D + 2 * D // chunk).cuda()
    state = nn.Linear(D, 4 * D + 2 * D // chunk, bias=False).cuda()

    def layer():
        h = c = torch.zeros(B, D, device="cuda")
        out, drive = [], gates(x)
        for t in range(n):
            master, rest = (drive[t] + state(h)).split([2 * D // chunk, 4 * D], -1)
            first, second = master.chunk(2, -1)
            open_ = (1 - first.softmax(-1).cumsum(-1)).repeat_interleave(chunk, -1)
            keep = second.softmax(-1).cumsum(-1).repeat_interleave(chunk, -1)
            o, g, i, f = rest.chunk(4, -1)
            both = open_ * keep
            take = i.sigmoid() * both + open_ - both
            c = (f.sigmoid() * both + keep - both) * c + take * g.tanh()
            h = o.sigmoid() * c.tanh()
            out.append(h)
        torch.stack(out).sum().backward()

    for _ in range(3):
        layer()
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(a.rounds):
        layer()
    torch.cuda.synchronize()
    report("ON-LSTM, a loop over time, 64 x 30, width 512", time.perf_counter() - begin,
           B * n * a.rounds, a.rounds)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="?",
                        help="folder of a prepared corpus, or one that sanlab-dev bench --write left")
    parser.add_argument("--preset", choices=PRESETS, default="small")
    parser.add_argument("--mode", choices=WARM, default="eager")
    parser.add_argument("--batch-tokens", type=int, default=4096)
    parser.add_argument("--batches", type=int, default=8)
    parser.add_argument("--warm", type=int,
                        help="rounds before the clock starts, by default 2, and 3 with graphs")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--recurrent", action="store_true")
    a = parser.parse_args()
    clock = Clock()
    clock.passed("CUDA")
    print(f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}, cuDNN "
          f"{torch.backends.cudnn.version()}, {torch.cuda.get_device_name()}, TF32 of products "
          f"{torch.backends.cuda.matmul.allow_tf32}", flush=True)
    if a.recurrent:
        recurrent(a)
    elif not a.corpus:
        parser.error("a folder of a corpus")
    else:
        clock.passed("cuDNN")
        train(a, clock)


if __name__ == "__main__":
    main()
