"""The presets in idiomatic PyTorch: fp32, eager, padded batches, fused projections, PyTorch's
attention, normalization, loss and Adam. Names and initial values of parameters are those of the C
program; dropout uses PyTorch's generator."""

import argparse
import math
import time

import torch
import torch.nn.functional as F

import corpus
from translator import Translator, sinusoids  # scripts/golden



def preset(width, heads, feedforward, layers, share, dropout, others=0.0):
    """Returns options as in experiments/models. `dropout` is that of residuals, `others` that of attention and
    inner layers."""
    return {"model": {"width": width, "heads": heads, "feedforward": feedforward, "norm": "pre", "share": share,
                      "source_bias": share == "none"},
            "encoder": {"layers": layers[0], "position": "sinusoid"},
            "decoder": {"layers": layers[1], "position": "sinusoid"},
            "dropouts": (dropout, others, others)}


PRESETS = {"tiny": preset(32, 4, 64, (6, 1), "all", 0.0),
           "small6": preset(128, 4, 512, (6, 2), "all", 0.1),
           "small": preset(256, 4, 1024, (2, 2), "all", 0.2),
           "base": preset(512, 8, 2048, (6, 6), "none", 0.1, 0.1)}


def print_products():
    """Prints the rate of this process's own large products, before anything else is measured."""
    a, b = torch.rand(2048, 512), torch.rand(512, 2048)
    times = []
    for _ in range(12):
        begin = time.perf_counter()
        a @ b
        times.append(time.perf_counter() - begin)
    print(f"sgemm GFLOP/s {2e-9 * 2048 * 2048 * 512 / min(times):.1f}", flush=True)


def drawn(_seed, path, shape, width, _zero_bias):
    """Returns an initial value with the C program's distribution, from PyTorch's generator: ours takes a
    minute for `base`."""
    name = path.rsplit(".", 1)[-1]
    if name in ("gain", "offset"):
        return torch.full(shape, float(name == "gain"))
    if name in ("embedding", "softmax"):
        return width**-0.5 * torch.randn(shape)
    return math.sqrt(6 / (shape[0] + shape[-1])) * (2 * torch.rand(shape) - 1)


def start_values(preset, vocabulary, seed, exact):
    """Returns the initial values of the C program, or, unless `exact`, others of their distribution."""
    start = {} if exact else {"start": drawn}
    return {path: value.detach().float() for path, value in
            Translator(PRESETS[preset], vocabulary, vocabulary, seed, **start).parameter.items()}


class PaddedTranslator:
    def __init__(self, preset, vocabulary, seed):
        self.preset = PRESETS[preset]
        start = start_values(preset, vocabulary, seed, exact=preset != "base")
        self.p = {path: p.requires_grad_() for path, p in start.items()}
        self.D, self.H = self.preset["model"]["width"], self.preset["model"]["heads"]
        self.dropouts = self.preset["dropouts"]
        self.layers = {side: range(1, self.preset[side]["layers"] + 1) for side in ("encoder", "decoder")}
        share = self.preset["model"]["share"] == "all"
        self.source, self.target, self.softmax = (
            self.p["embedding" if share else name]
            for name in ("source.embedding", "target.embedding", "target.softmax"))
        self.position = sinusoids(1024, self.D).float()
        self.training = True

    def linear(self, path, x):
        return F.linear(x, self.p[path + ".weight"].T, self.p[path + ".bias"])

    def norm(self, path, x):
        return F.layer_norm(x, (self.D,), self.p[path + ".gain"], self.p[path + ".offset"], 1e-6)

    def dropout(self, x, probability):
        return F.dropout(x, probability, self.training)

    def embed(self, table, token, shift):
        x = F.embedding(token, table) * math.sqrt(self.D)
        if shift:
            x = F.pad(x[:, :-1], (0, 0, 1, 0))
        elif "encoder.bias" in self.p:
            x = x + self.p["encoder.bias"]
        return self.dropout(x + self.position[:x.shape[1]], self.dropouts[0])

    def attend(self, path, query, key, value, mask=None, causal=False):
        query, key, value = (t.unflatten(-1, (self.H, -1)).transpose(1, 2)
                             for t in (query, key, value))
        out = F.scaled_dot_product_attention(query, key, value, mask, is_causal=causal,
                                             dropout_p=self.dropouts[1] if self.training else 0.0)
        return self.linear(path + ".output", out.transpose(1, 2).flatten(2))

    def self_attention(self, path, x, **options):
        y = self.norm(path + ".norm", x)
        out = self.attend(path, *self.linear(path + ".qkv", y).chunk(3, dim=-1), **options)
        return x + self.dropout(out, self.dropouts[0])

    def cross_attention(self, path, x, memory, mask):
        query = self.linear(path + ".query", self.norm(path + ".norm", x))
        out = self.attend(path, query, *self.linear(path + ".keyvalue", memory).chunk(2, dim=-1),
                          mask=mask)
        return x + self.dropout(out, self.dropouts[0])

    def feedforward(self, path, x):
        hidden = F.relu(self.linear(path + ".inner", self.norm(path + ".norm", x)))
        out = self.linear(path + ".outer", self.dropout(hidden, self.dropouts[2]))
        return x + self.dropout(out, self.dropouts[0])

    def encode(self, source):
        """Returns the encoder's output [B, n, D], and the mask of real tokens."""
        mask = (source != 0)[:, None, None, :]
        x = self.embed(self.source, source, shift=False)
        for layer in self.layers["encoder"]:
            x = self.self_attention(f"encoder.{layer}.attention", x, mask=mask)
            x = self.feedforward(f"encoder.{layer}.feedforward", x)
        return self.norm("encoder.norm", x), mask

    def loss(self, source, target, smoothing):
        """Returns the label-smoothed cross entropy, summed over real target tokens, minus its lowest
        possible value; and the number of these tokens."""
        memory, mask = self.encode(source)
        x = self.embed(self.target, target, shift=True)
        for layer in self.layers["decoder"]:
            x = self.self_attention(f"decoder.{layer}.attention", x, causal=True)
            x = self.cross_attention(f"decoder.{layer}.cross", x, memory, mask)
            x = self.feedforward(f"decoder.{layer}.feedforward", x)
        real = target != 0
        logits = F.linear(self.norm("decoder.norm", x[real]), self.softmax)
        V, tokens = logits.shape[1], logits.shape[0]
        # PyTorch spreads its share over all V words, papers over the other V-1 words.
        total = F.cross_entropy(logits, target[real], reduction="sum",
                                label_smoothing=smoothing * V / (V - 1))
        least = (-(1 - smoothing) * math.log(1 - smoothing)
                 - smoothing * math.log(smoothing / (V - 1))) if smoothing else 0.0
        return total - tokens * least, tokens


class Trainer:
    """Training steps on the batches of the C program."""

    def __init__(self, arguments):
        a = self.arguments = arguments
        torch.set_num_threads(a.threads)
        torch.manual_seed(a.seed)
        self.train = corpus.Split(f"{a.corpus}/train.shard")
        self.model = PaddedTranslator(a.preset, corpus.vocabulary_size(a.corpus), a.seed)
        self.optimizer = torch.optim.Adam(self.model.p.values(), betas=(0.9, 0.98), eps=1e-9,
                                          fused=True)

    def batches(self):
        epoch = 0
        while True:
            yield from corpus.epoch_plan(self.train, self.arguments.batch_tokens,
                                         self.arguments.seed, epoch)
            epoch += 1

    def step(self, number, sentences):
        """Runs one optimizer step, counted from 0. Returns the loss per target token, and the target tokens."""
        a = self.arguments
        total, tokens = self.model.loss(self.train.padded(corpus.SOURCE, sentences),
                                        self.train.padded(corpus.TARGET, sentences),
                                        a.label_smoothing)
        (total / tokens).backward()
        self.optimizer.param_groups[0]["lr"] = a.rate * self.model.D**-0.5 * min(
            (number + 1) * a.warmup**-1.5, (number + 1) ** -0.5)
        self.optimizer.step()
        self.optimizer.zero_grad()
        return total.item() / tokens, tokens


def arguments(description):
    parser = argparse.ArgumentParser(description=description,
                                     formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("corpus", help="folder of a prepared corpus with a joint vocabulary")
    parser.add_argument("--preset", choices=PRESETS, default="small")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--batch-tokens", type=int, default=2048)
    parser.add_argument("--rate", type=float, default=1.0)
    parser.add_argument("--warmup", type=int, default=4000)
    parser.add_argument("--label-smoothing", type=float, default=0.1)
    return parser
