"""Recurrent layers in PyTorch, float64: one sentence, token after token, one direction after the
other. Part of the independent implementation in translator.py: written from the papers.

    lstm      Hochreiter and Schmidhuber 1997, with the forget gate of Gers et al. 2000
    onlstm    Shen et al. 2019, eqs. 9-14 (Hao et al. 2019, eqs. 3-9); `chunk` neighbors share a
              master gate"""

import torch

from attention import linear_shapes

BACKWARD = {"both": [False, True], "forward": [False], "backward": [True]}


class Recurrence:
    """A recurrent layer. Each direction has width D; the outputs are concatenated. Two directions are
    projected to D by default, a single one only with `projection`."""

    def __init__(self, path, owner, kind, options, D):
        self.path, self.owner, self.D = path, owner, D
        self.chunk = options.get("chunk", 1)
        self.units = D // self.chunk if kind == "onlstm" else 0  # per master gate
        self.backward = BACKWARD[options.get("direction", "both")]
        self.projects = options.get("projection", len(self.backward) == 2)
        self.blocks = [self.units, self.units, D, D, D, D]  # columns of one direction's gates

    def shapes(self):
        """Yields the shapes. Directions are concatenated by columns in `input`, by rows in `state`."""
        directions, gates = len(self.backward), sum(self.blocks)
        yield from linear_shapes(self.path + ".input", self.D, directions * gates)
        yield self.path + ".state.weight", (directions * self.D, gates)
        if self.projects:
            yield from linear_shapes(self.path + ".output", directions * self.D, self.D)

    def cell(self, a, c):
        """One token: maps the inputs of its gates and the previous cell to the output, the cell and the
        master gates."""
        master_i, master_f, o, g, i, f = a.split(self.blocks)
        o, g, i, f = o.sigmoid(), g.tanh(), i.sigmoid(), f.sigmoid()
        master_i, master_f = 1 - master_i.softmax(0).cumsum(0), master_f.softmax(0).cumsum(0)
        if self.units:
            wide_i, wide_f = (m.repeat_interleave(self.chunk) for m in (master_i, master_f))
            overlap = wide_f * wide_i
            f = f * overlap + (wide_f - overlap)
            i = i * overlap + (wide_i - overlap)
        c = f * c + i * g
        return o * c.tanh(), c, master_i, master_f

    def direction(self, x, state, backward):
        """Maps x [n, gates], biases included, to outputs [n, D] and master gates [n, units]."""
        rows = [None] * len(x)
        h = c = torch.zeros(self.D)
        for t in range(len(x))[::-1 if backward else 1]:
            rows[t] = self.cell(x[t] + h @ state, c)
            h, c = rows[t][:2]
        h, _, master_i, master_f = map(torch.stack, zip(*rows))
        return h, master_i, master_f

    def __call__(self, translator, x, *_):
        """Maps x [n, D] of one sentence to [n, D]. The layer has no internal dropout."""
        inputs = translator.linear(self.path + ".input", x).split(sum(self.blocks), dim=-1)
        states = translator.parameter[self.path + ".state.weight"].split(self.D)
        found = zip(*map(self.direction, inputs, states, self.backward))
        h, master_i, master_f = (torch.cat(parts, dim=-1) for parts in found)
        if self.units:
            translator.keep(self.owner + ".master_input", master_i)
            translator.keep(self.owner + ".master_forget", master_f)
        return translator.linear(self.path + ".output", h) if self.projects else h
