"""The encoder-decoder in PyTorch, float64: one sentence at a time, no batching, no padding.

An independent implementation, written from the specification (the equations of the papers and the
conventions of parameters, initial values and random streams), not from the C code. Slow and simple
on purpose. A `row` is the number of a sentence's first token in the packed optimizer step: dropout
masks are functions of packed rows. A `step` of None means no dropout."""

import math

import numpy as np
import torch

import philox
from attention import PLAIN, Attention, choice, linear_shapes
from recurrence import Recurrence


def interleaved(length, width):
    """Returns [length, width]: channels 2i are sines, 2i + 1 cosines (Song et al. 2018, eq. 5)."""
    rate = 10000.0 ** -(torch.arange(0, width, 2, dtype=torch.float64) / width)
    angle = torch.arange(length, dtype=torch.float64)[:, None] * rate
    return torch.stack([torch.sin(angle), torch.cos(angle)], dim=2).reshape(length, width)


def sinusoids(length, width):
    """Returns [length, width]: the first half of the channels are sines, the last half cosines."""
    half = width // 2
    rate = torch.exp(-torch.arange(half, dtype=torch.float64) * (math.log(10000) / (half - 1)))
    angle = torch.arange(length, dtype=torch.float64)[:, None] * rate
    return torch.cat([torch.sin(angle), torch.cos(angle)], dim=1)


def layer_range(text):
    """Returns the layers of "2" or "1-3"."""
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def initial_value(seed, path, shape, width, zero_bias):
    """Returns the initial value of a parameter, a function of (seed, path, index)."""
    index = np.arange(math.prod(shape))
    name = path.rsplit(".", 1)[-1]
    if name == "gain":
        value = np.ones(shape)
    elif name == "offset" or name == "bias" and zero_bias:
        value = np.zeros(shape)
    elif name in ("embedding", "softmax"):
        value = width**-0.5 * philox.normal(seed, path, index)
    elif path.endswith("gate.weight"):
        value = 0.1 * philox.normal(seed, path, index)
    elif ".recurrence.input." in path or ".recurrence.state." in path:
        value = width**-0.5 * (2 * philox.uniform(seed, path, index) - 1)
    else:
        # The authors' code has one window per head as [1, h, 1, 1], whose fan is that of a vector of h.
        vector = len(shape) == 1 or path.endswith("gauss.head.weight")
        fan = shape[-1] if vector else (shape[0] + shape[1]) / 2
        value = math.sqrt(3 / fan) * (2 * philox.uniform(seed, path, index) - 1)
    return torch.tensor(value.reshape(shape), requires_grad=True)


class Translator:
    def __init__(self, options, source_size, target_size, seed, start=initial_value):
        self.options, self.seed = options, seed
        self.model = options["model"]
        self.kept = None  # None, or a dictionary: named values, [n, columns], one sentence after the other
        self.D, self.H = self.model["width"], self.model["heads"]
        self.pre_norm = self.model["norm"] == "pre"
        self.groups, self.encoder = self.stack(options["encoder"])
        self.decoder = self.blocks("decoder", "attention", causal=True)
        self.cross = self.blocks("decoder", "cross", cross=True)
        self.parameter = {}
        for path, shape, *constant in self.shapes(source_size, target_size):
            self.parameter[path] = torch.full(shape, *constant, requires_grad=True) if constant \
                else start(seed, path, shape, self.D, self.model.get("zero_bias", False))
        share = self.model["share"]
        self.source_table = "embedding" if share == "all" else "source.embedding"
        self.target_table = "embedding" if share == "all" else "target.embedding"
        self.softmax_table = "target.softmax" if share == "none" else self.target_table

    def stack(self, encoder):
        """Returns the layers of each group, and the first block of each layer: attention or a recurrence."""
        attention = self.blocks("encoder", "attention")
        groups, blocks = [], {}
        for entry in encoder.get("stack", [{"san": encoder["layers"]}]):
            kind, options = choice(entry, "layers")
            first = len(blocks) + 1
            groups.append(range(first, first + options["layers"]))
            for layer in groups[-1]:
                owner = f"encoder.{layer}"
                blocks[layer] = attention[layer] if kind == "san" else \
                    Recurrence(owner + ".recurrence", owner, kind, options, self.D)
        return groups, blocks

    def blocks(self, side, place, **kind):
        """Returns the attention blocks of one place (attention or cross), by layer."""
        entries = {layer: PLAIN for layer in range(1, self.options[side]["layers"] + 1)}
        for entry in self.options[side].get(place, []):
            entries.update({layer: entry for layer in layer_range(entry["layers"])})
        return {layer: Attention(f"{side}.{layer}.{place}", entry, self.model, **kind)
                for layer, entry in entries.items()}

    def shapes(self, source_size, target_size):
        """Yields (path, shape) of every parameter; (path, shape, value) if its initial value is a constant."""
        D, F, model = self.D, self.model["feedforward"], self.model

        def norm(path):
            return [(path + ".gain", (D,)), (path + ".offset", (D,))]

        def sublayer(block):
            yield from norm(block.path + ".norm")
            yield from block.shapes()

        def feedforward(path):
            yield from norm(path + ".norm")
            yield from linear_shapes(path + ".inner", D, F)
            yield from linear_shapes(path + ".outer", F, D)

        if model["share"] == "all":
            yield "embedding", (source_size, D)
        else:
            yield "source.embedding", (source_size, D)
            yield "target.embedding", (target_size, D)
        if model["share"] == "none":
            yield "target.softmax", (target_size, D)
        if model["source_bias"]:
            yield "encoder.bias", (D,)
        for layer, block in self.encoder.items():
            yield from sublayer(block)
            if isinstance(block, Attention):
                yield from feedforward(f"encoder.{layer}.feedforward")
        for layer, block in self.decoder.items():
            yield from sublayer(block)
            yield from sublayer(self.cross[layer])
            yield from feedforward(f"decoder.{layer}.feedforward")
        if self.pre_norm:
            yield from norm("encoder.norm")
            yield from norm("decoder.norm")

    # -- pieces -----------------------------------------------------------------------------------

    def keep(self, path, x):
        if self.kept is not None:
            self.kept.setdefault(path, []).append(x.detach())

    def linear(self, path, x):
        y = x @ self.parameter[path + ".weight"]
        return y + self.parameter[path + ".bias"] if path + ".bias" in self.parameter else y

    def norm(self, path, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = ((x - mean) ** 2).mean(dim=-1, keepdim=True)
        scaled = (x - mean) / torch.sqrt(variance + 1e-6)
        return scaled * self.parameter[path + ".gain"] + self.parameter[path + ".offset"]

    def masked(self, path, x, index, step, branch, probability):
        if step is None or probability == 0:
            return x
        mask = philox.dropout_mask(self.seed, path, index, step, branch, probability)
        return x * torch.from_numpy(mask)

    def dropout(self, path, x, row, step, probability):
        """x [n, width]: index = packed row * width + column."""
        index = (row + np.arange(x.shape[0]))[:, None] * x.shape[1] + np.arange(x.shape[1])
        return self.masked(path, x, index, step, 0, probability)

    def residual(self, path, x, row, step, sublayer):
        """x + dropout(sublayer(norm(x))), or norm(x + dropout(sublayer(x)))."""
        out = sublayer(self.norm(path + ".norm", x) if self.pre_norm else x)
        x = x + self.dropout(path + ".residual", out, row, step, self.model["dropout"])
        return x if self.pre_norm else self.norm(path + ".norm", x)

    def sublayer(self, block, x, row, step, memory=None):
        return self.residual(block.path, x, row, step,
                             lambda y: block(self, y, row, step, memory))

    def feedforward(self, path, x, row, step):
        def sublayer(y):
            hidden = torch.relu(self.linear(path + ".inner", y))
            hidden = self.dropout(path + ".hidden", hidden, row, step, self.model["relu_dropout"])
            return self.linear(path + ".outer", hidden)
        return self.residual(path, x, row, step, sublayer)

    # -- the whole --------------------------------------------------------------------------------

    def positions(self, side, length):
        kind = self.options[side]["position"]
        if kind == "interleaved":
            return interleaved(length, self.D)
        return sinusoids(length, self.D) if kind == "sinusoid" else torch.zeros(length, self.D)

    def encode(self, source, row=0, step=None):
        """Maps the token ids of one sentence to [n, D]."""
        x = self.parameter[self.source_table][source] * math.sqrt(self.D)
        if self.model["source_bias"]:
            x = x + self.parameter["encoder.bias"]
        x = x + self.positions("encoder", len(source))
        x = self.dropout("encoder.embedding", x, row, step, self.model["dropout"])
        ends = []
        for group in self.groups:
            for layer in group:
                x = self.sublayer(self.encoder[layer], x, row, step)
                if isinstance(self.encoder[layer], Attention):
                    x = self.feedforward(f"encoder.{layer}.feedforward", x, row, step)
            ends.append(x)
        if self.options["encoder"].get("shortcut"):
            x = sum(ends)
        return self.norm("encoder.norm", x) if self.pre_norm else x

    def decode(self, memory, previous, row=0, step=None):
        """Returns logits [n, V] after each of the n = 1 + len(previous) prefixes of `previous`."""
        embedded = self.parameter[self.target_table][previous] * math.sqrt(self.D)
        x = torch.cat([torch.zeros(1, self.D), embedded])
        x = x + self.positions("decoder", len(x))
        x = self.dropout("decoder.embedding", x, row, step, self.model["dropout"])
        for layer, block in self.decoder.items():
            x = self.sublayer(block, x, row, step)
            x = self.sublayer(self.cross[layer], x, row, step, memory)
            x = self.feedforward(f"decoder.{layer}.feedforward", x, row, step)
        if self.pre_norm:
            x = self.norm("decoder.norm", x)
        return x @ self.parameter[self.softmax_table].T

    def loss(self, source, target, source_row=0, target_row=0, step=None):
        """Label-smoothed cross entropy of one sentence, summed over its target tokens, minus
        its lowest possible value."""
        memory = self.encode(source, source_row, step)
        log_p = torch.log_softmax(self.decode(memory, target[:-1], target_row, step), dim=-1)
        V, smoothing = log_p.shape[1], self.options["train"]["label_smoothing"]
        wanted = torch.full_like(log_p, smoothing / (V - 1))
        wanted[torch.arange(len(target)), target] = 1 - smoothing
        return torch.special.xlogy(wanted, wanted).sum() - (wanted * log_p).sum()


class Adam:
    """Kingma and Ba 2015, Algorithm 1, with the inverse-square-root schedule. The gradient's global
    norm is clipped before L2 is added, so that L2 enters the moments."""

    def __init__(self, parameter, train, width):
        self.parameter, self.train, self.width = parameter, train, width
        self.first = {path: torch.zeros_like(p) for path, p in parameter.items()}
        self.second = {path: torch.zeros_like(p) for path, p in parameter.items()}

    def rate(self, step):
        warmup = self.train["warmup"]
        return self.train["rate"] * self.width**-0.5 * min((step + 1) * warmup**-1.5,
                                                           (step + 1) ** -0.5)

    @torch.no_grad()
    def update(self, step):
        train = self.train
        gradient = {path: p.grad.clone() for path, p in self.parameter.items()}
        norm = math.sqrt(sum(float((g * g).sum()) for g in gradient.values()))
        if train["clip"] and norm > train["clip"]:
            gradient = {path: g * (train["clip"] / norm) for path, g in gradient.items()}
        for path, p in self.parameter.items():
            g, m, v = gradient[path] + train["l2"] * p, self.first[path], self.second[path]
            m.copy_(train["beta1"] * m + (1 - train["beta1"]) * g)
            v.copy_(train["beta2"] * v + (1 - train["beta2"]) * g * g)
            m_hat = m / (1 - train["beta1"] ** (step + 1))
            v_hat = v / (1 - train["beta2"] ** (step + 1))
            p -= self.rate(step) * m_hat / (torch.sqrt(v_hat) + train["epsilon"])
            p.grad = None
        return norm


class AdamW:
    """PyTorch's AdamW with its own schedules: a linear warm-up to `rate`, and then half a cosine or a
    line to `floor` * `rate` at the last of `steps` steps. `decayed: weights` leaves vectors and tables
    of words without weight decay."""

    def __init__(self, parameter, train, steps):
        weights = {path for path, p in parameter.items()
                   if p.dim() > 1 and not path.endswith("embedding")}
        decayed = weights if train["decayed"] == "weights" else set(parameter)
        groups = [{"params": [p for path, p in parameter.items() if (path in decayed) == yes],
                   "weight_decay": train["weight_decay"] if yes else 0} for yes in (True, False)]
        self.parameter = parameter
        self.optimizer = torch.optim.AdamW([g for g in groups if g["params"]], lr=train["rate"],
                                           betas=(train["beta1"], train["beta2"]),
                                           eps=train["epsilon"])
        warmup, schedules = train["warmup"], torch.optim.lr_scheduler
        rises = schedules.LinearLR(self.optimizer, 1 / warmup, 1, warmup - 1)
        if train["schedule"] == "cosine":
            falls = schedules.CosineAnnealingLR(self.optimizer, steps - warmup,
                                                train["floor"] * train["rate"])
        else:
            falls = schedules.LinearLR(self.optimizer, 1, train["floor"], steps - warmup)
        self.scheduler = schedules.SequentialLR(self.optimizer, [rises, falls], [warmup - 1])

    def update(self, step):
        norm = math.sqrt(sum(float((p.grad * p.grad).sum()) for p in self.parameter.values()))
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.scheduler.step()
        return norm


@torch.no_grad()
def beam_search(translator, source, beam, length_penalty, extra):
    """Returns the finished hypotheses of one sentence, best first: [(score, tokens)], <eos> included.
    The search ends when the worst of `beam` finished hypotheses beats the best possible score of the
    best alive hypothesis, or after source tokens + extra steps."""
    eos = 1
    limit = len(source) + extra
    memory = translator.encode(source)
    alive, finished = [(0.0, [])], []  # (log probability, tokens), (score, tokens)

    def penalty(length):
        return ((5 + length) / 6) ** length_penalty

    for length in range(1, limit + 1):
        candidates = []
        for log_p, tokens in alive:
            logits = translator.decode(memory, torch.tensor(tokens, dtype=torch.long))[-1]
            for token, value in enumerate(torch.log_softmax(logits, dim=-1).tolist()):
                candidates.append((log_p + value, tokens + [token]))
        best = sorted(candidates, key=lambda c: -c[0])[:2 * beam]
        alive = [c for c in best if c[1][-1] != eos][:beam]
        finished += [(log_p / penalty(length), t) for log_p, t in best if t[-1] == eos]
        finished = sorted(finished, key=lambda f: -f[0])[:beam]
        if len(finished) == beam and finished[-1][0] > alive[0][0] / penalty(limit):
            break
    return finished
