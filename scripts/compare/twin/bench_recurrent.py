#!/usr/bin/env python3
"""Speed of one recurrent layer in PyTorch, eager and fp32: both directions and their projection,
forward and backward, over the sentences of `sanlab-dev bench recurrent`. nn.LSTM runs padded and
packed, the ON-LSTM (Shen et al. 2019; Hao et al. 2019) as the time loop that users write."""

import argparse
import statistics
import time

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

import corpus


class TimeLoop(nn.Module):
    """An ON-LSTM of one direction with chunks of one neuron: [steps, B, D] -> [steps, B, D]."""

    def __init__(self, width):
        super().__init__()
        self.width = width
        self.input = nn.Linear(width, 6 * width)
        self.state = nn.Linear(width, 6 * width, bias=False)

    def forward(self, x):
        h = c = x.new_zeros(x.shape[1], self.width)
        outputs = []
        for a in self.input(x):
            a = (a + self.state(h)).view(-1, 6, self.width)
            masters = torch.cumsum(torch.softmax(a[:, :2], -1), -1)
            opened, kept = 1 - masters[:, 0], masters[:, 1]
            output, take, keep = torch.sigmoid(a[:, 2:5]).unbind(1)
            both = kept * opened
            c = (keep * both + kept - both) * c + (take * both + opened - both) * torch.tanh(a[:, 5])
            h = output * torch.tanh(c)
            outputs.append(h)
        return torch.stack(outputs)


class Ordered(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.ahead, self.back = TimeLoop(width), TimeLoop(width)
        self.project = nn.Linear(2 * width, width)

    def forward(self, x, turned):
        """turned: the step of the reverse direction, for each step and sentence."""
        index = turned.unsqueeze(-1).expand_as(x)
        back = self.back(x.gather(0, index)).gather(0, index)
        return self.project(torch.cat([self.ahead(x), back], -1))


class Padded(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.lstm = nn.LSTM(width, width, bidirectional=True)
        self.project = nn.Linear(2 * width, width)

    def forward(self, x, turned):
        return self.project(self.lstm(x)[0])


class Packed(Padded):
    def __init__(self, width, lengths):
        super().__init__(width)
        self.lengths = lengths

    def forward(self, x, turned):
        packed = pack_padded_sequence(x, self.lengths)
        return self.project(pad_packed_sequence(self.lstm(packed)[0])[0])


def take_lengths(split, mixed, count):
    """Selects sentences like bench_recurrent.c, the longest first."""
    lengths = sorted(split.length[corpus.SOURCE].tolist())
    if mixed:
        lengths = [lengths[(2 * b + 1) * len(lengths) // (2 * count)] for b in range(count)]
    else:
        first = (len(lengths) - count) // 2
        lengths = lengths[first:first + count]
    return lengths[::-1]


def measure(layer, lengths, width, rounds, clock):
    steps = lengths[0]
    x = torch.randn(steps, len(lengths), width, requires_grad=True)
    turned = torch.tensor([[n - 1 - t if t < n else t for n in lengths] for t in range(steps)])
    seconds = []
    for _ in range(rounds + 1):
        begin = clock()
        y = layer(x, turned)
        y.backward(torch.ones_like(y))
        seconds.append(clock() - begin)
    return statistics.median(seconds[1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", help="folder of a prepared corpus")
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs=3, action="append", metavar=("LAYER", "SENTENCES", "LENGTHS"),
                        help="measure only these combinations, such as onlstm 64 mixed")
    parser.add_argument("--cpu-time", action="store_true", help="processor time, of one thread")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    clock = time.process_time if arguments.cpu_time else time.perf_counter
    split = corpus.Split(f"{arguments.corpus}/train.shard")
    width = arguments.width
    for kind in ("lstm", "onlstm"):
        for count in (32, 64):
            for mixed in (False, True):
                if arguments.only and [kind, str(count), "mixed" if mixed else "alike"] not in arguments.only:
                    continue
                lengths = take_lengths(split, mixed, count)
                layers = {"loop": Ordered(width)} if kind == "onlstm" else {
                    "padded": Padded(width), "packed": Packed(width, lengths)}
                for how, layer in layers.items():
                    seconds = measure(layer, lengths, width, arguments.rounds, clock)
                    print(f"{kind} {count} {'mixed' if mixed else 'alike'} {sum(lengths)} "
                          f"{1e3 * seconds:.2f} {how}", flush=True)


if __name__ == "__main__":
    main()
