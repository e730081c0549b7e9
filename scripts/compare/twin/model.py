"""Preset `small` in idiomatic PyTorch: fp32, eager, padded batches, fused projections, PyTorch's
attention, normalization, loss and Adam. Names and initial values of parameters are those of the C
program; dropout uses PyTorch's generator."""

import argparse
import math

import torch
import torch.nn.functional as F

import corpus
from translator import Translator, sinusoids  # scripts/golden

SMALL = {"model": {"width": 256, "heads": 4, "feedforward": 1024, "norm": "pre", "share": "all",
                   "source_bias": False},
         "encoder": {"layers": 2, "position": "sinusoid"},
         "decoder": {"layers": 2, "position": "sinusoid"}}
BASE = {"model": {"width": 512, "heads": 8, "feedforward": 2048, "norm": "pre", "share": "none",
                  "source_bias": True},
        "encoder": {"layers": 6, "position": "sinusoid"},
        "decoder": {"layers": 6, "position": "sinusoid"}}
TINY = {"model": {"width": 32, "heads": 4, "feedforward": 64, "norm": "pre", "share": "all",
                  "source_bias": False},
        "encoder": {"layers": 6, "position": "sinusoid"},
        "decoder": {"layers": 1, "position": "sinusoid"}}
PRESETS = {"small": SMALL, "base": BASE, "tiny": TINY}


class PaddedTranslator:
    def __init__(self, vocabulary, seed, dropout, attention_dropout, relu_dropout):
        start = Translator(SMALL, vocabulary, vocabulary, seed).parameter
        self.p = {path: p.detach().float().requires_grad_() for path, p in start.items()}
        self.D, self.H = SMALL["model"]["width"], SMALL["model"]["heads"]
        self.dropouts = dropout, attention_dropout, relu_dropout
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

    def loss(self, source, target, smoothing):
        """Returns the label-smoothed cross entropy, summed over real target tokens, minus its lowest
        possible value; and the number of these tokens."""
        table = self.p["embedding"]
        mask = (source != 0)[:, None, None, :]
        x = self.embed(table, source, shift=False)
        for layer in range(1, SMALL["encoder"]["layers"] + 1):
            x = self.self_attention(f"encoder.{layer}.attention", x, mask=mask)
            x = self.feedforward(f"encoder.{layer}.feedforward", x)
        memory = self.norm("encoder.norm", x)
        x = self.embed(table, target, shift=True)
        for layer in range(1, SMALL["decoder"]["layers"] + 1):
            x = self.self_attention(f"decoder.{layer}.attention", x, causal=True)
            x = self.cross_attention(f"decoder.{layer}.cross", x, memory, mask)
            x = self.feedforward(f"decoder.{layer}.feedforward", x)
        real = target != 0
        logits = F.linear(self.norm("decoder.norm", x[real]), table)
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
        self.model = PaddedTranslator(corpus.vocabulary_size(a.corpus), a.seed, a.dropout,
                                      a.attention_dropout, a.relu_dropout)
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
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--batch-tokens", type=int, default=2048)
    parser.add_argument("--rate", type=float, default=1.0)
    parser.add_argument("--warmup", type=int, default=4000)
    parser.add_argument("--label-smoothing", type=float, default=0.1)
    parser.add_argument("--dropout", type=float, default=0.2)
    parser.add_argument("--attention-dropout", type=float, default=0.0)
    parser.add_argument("--relu-dropout", type=float, default=0.0)
    return parser
