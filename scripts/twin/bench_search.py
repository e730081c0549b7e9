#!/usr/bin/env python3
"""Speed of the C program's beam search (core/decode/beam.h) in PyTorch: the same rule, batches and
weights, keys and values in a cache that is reordered with the hypotheses, finished sentences taken
out of the batch. Target tokens per second, of best hypotheses with <eos>."""

import argparse
import json
import math
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

import corpus
import model
from translator import Translator, sinusoids  # scripts/golden

EOS = 1
LENGTH_PENALTY, EXTRA = 0.6, 50


def read_weights(path):
    """A safetensors file of float32 tensors."""
    data = Path(path).read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + size])
    header.pop("__metadata__", None)
    return {name: torch.from_numpy(np.frombuffer(
        data, "<f4", math.prod(t["shape"]), 8 + size + t["data_offsets"][0])
        .reshape(t["shape"]).copy()) for name, t in header.items()}


class Searcher:
    def __init__(self, weights, beam):
        options = model.SMALL["model"]
        self.p, self.beam = weights, beam
        self.D, self.H, self.layers = options["width"], options["heads"], model.SMALL
        self.position = sinusoids(1024, self.D).float()

    def linear(self, path, x):
        return F.linear(x, self.p[path + ".weight"].T, self.p[path + ".bias"])

    def norm(self, path, x):
        return F.layer_norm(x, (self.D,), self.p[path + ".gain"], self.p[path + ".offset"], 1e-6)

    def heads(self, x):
        return x.unflatten(-1, (self.H, -1)).transpose(1, 2)

    def attend(self, path, query, key, value, mask=None):
        out = F.scaled_dot_product_attention(self.heads(query), key, value, mask)
        return self.linear(path + ".output", out.transpose(1, 2).flatten(2))

    def feedforward(self, path, x):
        inner = F.relu(self.linear(path + ".inner", self.norm(path + ".norm", x)))
        return x + self.linear(path + ".outer", inner)

    def encode(self, source):
        """Keys and values of every decoder layer, and the mask of source tokens."""
        mask = (source != 0)[:, None, None, :]
        x = F.embedding(source, self.p["embedding"]) * math.sqrt(self.D)
        x = x + self.position[:x.shape[1]]
        for layer in range(1, self.layers["encoder"]["layers"] + 1):
            path = f"encoder.{layer}.attention"
            q, k, v = self.linear(path + ".qkv", self.norm(path + ".norm", x)).chunk(3, dim=-1)
            x = x + self.attend(path, q, self.heads(k), self.heads(v), mask)
            x = self.feedforward(f"encoder.{layer}.feedforward", x)
        memory = self.norm("encoder.norm", x)
        cross = []
        for layer in range(1, self.layers["decoder"]["layers"] + 1):
            k, v = self.linear(f"decoder.{layer}.cross.keyvalue", memory).chunk(2, dim=-1)
            cross.append((self.heads(k), self.heads(v)))
        return cross, mask

    def step(self, t, token, cache, cross, mask):
        """Log-probabilities of the next tokens of every row; the cache grows by one position."""
        if t == 0:
            x = torch.zeros(len(token), 1, self.D)
        else:
            x = F.embedding(token[:, None], self.p["embedding"]) * math.sqrt(self.D)
        x = x + self.position[t]
        for layer in range(self.layers["decoder"]["layers"]):
            path = f"decoder.{layer + 1}.attention"
            q, k, v = self.linear(path + ".qkv", self.norm(path + ".norm", x)).chunk(3, dim=-1)
            k, v = self.heads(k), self.heads(v)
            if t:
                k = torch.cat([cache[layer][0], k], dim=2)
                v = torch.cat([cache[layer][1], v], dim=2)
            cache[layer] = k, v
            x = x + self.attend(path, q, k, v)
            path = f"decoder.{layer + 1}.cross"
            q = self.linear(path + ".query", self.norm(path + ".norm", x))
            x = x + self.attend(path, q, *cross[layer], mask)
            x = self.feedforward(f"decoder.{layer + 1}.feedforward", x)
        logits = F.linear(self.norm("decoder.norm", x[:, 0]), self.p["embedding"])
        return F.log_softmax(logits, dim=-1)

    @torch.no_grad()
    def search(self, source, lengths):
        """Best hypothesis of every sentence: lists of ids."""
        beam, V = self.beam, len(self.p["embedding"])
        cross, mask = self.encode(source)
        rows = torch.arange(len(source)).repeat_interleave(beam)
        cross = [(k[rows], v[rows]) for k, v in cross]
        mask = mask[rows]
        live = list(range(len(source)))       # sentences in the batch
        done = [[] for _ in live]             # (score, ids), best first
        alive = torch.full((len(live), beam), -math.inf)
        alive[:, 0] = 0.0
        tokens = torch.zeros(len(rows), 0, dtype=torch.long)
        cache = [None] * self.layers["decoder"]["layers"]
        t = 0
        while live:
            scores = self.step(t, tokens[:, -1] if t else rows, cache, cross, mask)
            scores = (scores.view(len(live), beam, V) + alive[:, :, None]).view(len(live), -1)
            top, index = scores.topk(2 * beam, dim=1)
            parent, token = index // V, index % V
            ends = token == EOS
            for i, c in ends.nonzero().tolist():
                if top[i, c] == -math.inf:
                    continue
                ids = tokens[i * beam + parent[i, c]].tolist() + [EOS]
                done[live[i]].append((top[i, c].item() / ((6.0 + t) / 6) ** LENGTH_PENALTY, ids))
                done[live[i]].sort(key=lambda hypothesis: -hypothesis[0])
                del done[live[i]][beam:]
            # The best `beam` that do not end, in the order of their probability.
            order = torch.argsort(ends.int(), dim=1, stable=True)[:, :beam]
            alive, token = top.gather(1, order), token.gather(1, order)
            source_row = (parent.gather(1, order)
                          + beam * torch.arange(len(live))[:, None]).flatten()
            tokens = torch.cat([tokens[source_row], token.view(-1, 1)], dim=1)
            keep = []
            for i, sentence in enumerate(live):
                limit = lengths[sentence] + EXTRA
                bound = alive[i, 0].item() / ((5.0 + limit) / 6) ** LENGTH_PENALTY
                finished = done[sentence]
                if t + 1 >= limit or (len(finished) == beam and finished[-1][0] > bound):
                    if not finished:
                        finished.append((bound, tokens[i * beam].tolist()))
                else:
                    keep.append(i)
            if len(keep) < len(live):
                row = (torch.tensor(keep, dtype=torch.long)[:, None] * beam
                       + torch.arange(beam)).flatten()
                source_row, tokens, alive = source_row[row], tokens[row], alive[keep]
                cross, mask = [(k[row], v[row]) for k, v in cross], mask[row]
                live = [live[i] for i in keep]
            cache = [(k[source_row], v[source_row]) for k, v in cache]
            t += 1
        return [finished[0][1] for finished in done]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("corpus", help="folder of a prepared corpus with a joint vocabulary")
    parser.add_argument("--weights", help="model.safetensors; the starting values by default")
    parser.add_argument("--sentences", type=int, default=256, help="first ones of the test split")
    parser.add_argument("--beam", type=int, default=4)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--cpu-time", action="store_true", help="processor time, of one thread")
    parser.add_argument("--hypotheses", help="file for the ids that were found")
    a = parser.parse_args()
    torch.set_num_threads(a.threads)
    clock = time.process_time if a.cpu_time else time.perf_counter
    size = corpus.vocabulary_size(a.corpus)
    weights = read_weights(a.weights) if a.weights else {
        path: value.detach().float()
        for path, value in Translator(model.SMALL, size, size, 1).parameter.items()}
    searcher = Searcher(weights, a.beam)
    test = corpus.Split(f"{a.corpus}/test.shard")
    lengths = test.length[corpus.SOURCE]
    order = sorted(range(min(a.sentences, test.sentences)), key=lambda s: -lengths[s])
    batches = [order[at:at + a.batch] for at in range(0, len(order), a.batch)]

    def translate(sentences):
        return searcher.search(test.padded(corpus.SOURCE, sentences), lengths[sentences])

    translate(batches[0])
    seconds, found = [], {}
    for _ in range(a.rounds):
        begin = clock()
        for sentences in batches:
            found.update(zip(sentences, translate(sentences)))
        seconds.append(clock() - begin)
    tokens = sum(map(len, found.values()))
    print(f"target tokens/s {tokens / np.median(seconds):.0f} (PyTorch {torch.__version__} eager "
          f"fp32, {a.threads} threads, {len(found)} sentences, {np.median(seconds):.2f} s)")
    if a.hypotheses:
        Path(a.hypotheses).write_text("".join(
            " ".join(map(str, found[s])) + "\n" for s in sorted(found)))


if __name__ == "__main__":
    main()
