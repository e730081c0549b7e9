#!/usr/bin/env python3
"""Speed of training a classifier of pairs in PyTorch, eager and fp32, on the batches of `sanlab-dev bench
pairs logic-64 --row ON-LSTM`, padded here: two layers of ON-LSTM as the time loop that users write
(Shen et al. 2019; Hao et al. 2019), last rows side by side, three layers, Adam."""

import argparse
import math
import statistics
import struct
import sys
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from bench_recurrent import TimeLoop

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "golden"))
import philox  # noqa: E402

TRAIN, LAST_BIN, DEV_EVERY = 0, 6, 10


class Pairs:
    """The file `formulas.pairs` (core/corpus/labeled.h)."""

    def __init__(self, path):
        raw = Path(path).read_bytes()
        _, self.words, self.classes, sentences, pairs, _, tokens = struct.unpack_from("<6IQ", raw, 8)
        at = 8 + struct.calcsize("<6IQ")
        self.start = np.frombuffer(raw, "<i8", sentences + 1, at)
        self.token = np.frombuffer(raw, "<i4", tokens, at + 8 * (sentences + 1))
        pair = np.frombuffer(raw, "<i4", 5 * pairs, at + 8 * (sentences + 1) + 4 * tokens)
        pair = pair.reshape(pairs, 5)
        pair = pair[(pair[:, 4] == TRAIN) & (pair[:, 3] <= LAST_BIN)]
        self.pair = pair[np.arange(1, len(pair) + 1) % DEV_EVERY != 0]

    def batch(self, rows):
        """Returns tokens [steps, 2P], lengths [2P] and labels [P]."""
        pair = self.pair[rows]
        sentence = pair[:, :2].reshape(-1)
        length = self.start[sentence + 1] - self.start[sentence]
        token = np.zeros((length.max(), len(sentence)), np.int64)
        for b, s in enumerate(sentence):
            token[:length[b], b] = self.token[self.start[s]:self.start[s + 1]]
        return (torch.from_numpy(token), torch.from_numpy(length),
                torch.from_numpy(pair[:, 2].astype(np.int64)))


class Classifier(nn.Module):
    def __init__(self, words, classes, width, layers, dropout):
        super().__init__()
        self.width, self.dropout = width, dropout
        self.embedding = nn.Embedding(words, width)
        self.norm = nn.ModuleList(nn.LayerNorm(width) for _ in range(layers + 1))
        self.recurrence = nn.ModuleList(TimeLoop(width) for _ in range(layers))
        self.hidden = nn.ModuleList([nn.Linear(2 * width, width), nn.Linear(width, width)])
        self.logits = nn.Linear(width, classes)

    def forward(self, token, length):
        x = F.dropout(self.embedding(token) * math.sqrt(self.width), self.dropout)
        for norm, recurrence in zip(self.norm, self.recurrence):
            x = x + F.dropout(recurrence(norm(x)), self.dropout)
        last = self.norm[-1](x)[length - 1, torch.arange(len(length))]
        y = last.view(-1, 2 * self.width)
        for layer in self.hidden:
            y = torch.relu(layer(y))
        return self.logits(y)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("formulas", help="folder of a stage formulas")
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--dropout", type=float, default=0.0)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--batches", type=int, default=8)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cpu-time", action="store_true", help="processor time, of one thread")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    clock = time.process_time if arguments.cpu_time else time.perf_counter
    pairs = Pairs(f"{arguments.formulas}/formulas.pairs")
    order = philox.permute(1, "relating.epoch", 0, len(pairs.pair))
    model = Classifier(pairs.words, pairs.classes, arguments.width, arguments.layers,
                       arguments.dropout)
    adam = torch.optim.Adam(model.parameters(), lr=1e-3)

    def steps():
        begin = clock()
        for b in range(arguments.batches):
            token, length, label = pairs.batch(order[b * arguments.batch:(b + 1) * arguments.batch])
            adam.zero_grad()
            F.cross_entropy(model(token, length), label).backward()
            adam.step()
        return clock() - begin

    steps()
    seconds = statistics.median(steps() for _ in range(arguments.rounds))
    print(f"step {1e3 * seconds / arguments.batches:.2f} ms, "
          f"pairs/s {arguments.batches * arguments.batch / seconds:.0f} "
          f"(PyTorch {torch.__version__} eager fp32, {arguments.threads} threads)")


if __name__ == "__main__":
    main()
