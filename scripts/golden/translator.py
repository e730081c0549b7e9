"""The encoder-decoder in PyTorch, float64: one sentence at a time, no batching, no padding.

It is a second witness, written from the specification (the equations of the papers and the
conventions of parameters, initial values and random streams), not from the C code. Slow and plain
on purpose. A `row` is the number of a sentence's first token in the packed optimizer step: dropout
masks are functions of packed rows. A `step` of None means no dropout."""

import math

import numpy as np
import torch

import philox


def sinusoids(length, width):
    """[length, width]: the first half of the channels sines, the last half cosines."""
    half = width // 2
    rate = torch.exp(-torch.arange(half, dtype=torch.float64) * (math.log(10000) / (half - 1)))
    angle = torch.arange(length, dtype=torch.float64)[:, None] * rate
    return torch.cat([torch.sin(angle), torch.cos(angle)], dim=1)


def layer_range(text):
    """"2" or "1-3" to the layers it names."""
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def initial_value(seed, path, shape, width):
    """Every parameter's start is a function of (seed, path, index)."""
    index = np.arange(math.prod(shape))
    name = path.rsplit(".", 1)[-1]
    if name == "gain":
        value = np.ones(shape)
    elif name == "offset":
        value = np.zeros(shape)
    elif name in ("embedding", "softmax"):
        value = width**-0.5 * philox.normal(seed, path, index)
    elif path.endswith("gate.weight"):
        value = 0.1 * philox.normal(seed, path, index)
    else:
        fan = (shape[0] + shape[1]) / 2 if len(shape) == 2 else shape[0]
        value = math.sqrt(3 / fan) * (2 * philox.uniform(seed, path, index) - 1)
    return torch.tensor(value.reshape(shape), requires_grad=True)


class Translator:
    def __init__(self, options, source_size, target_size, seed):
        self.options, self.seed = options, seed
        self.model = options["model"]
        self.D, self.H = self.model["width"], self.model["heads"]
        self.pre_norm = self.model["norm"] == "pre"
        self.attention = {layer: {"branches": ["global"]}
                          for layer in range(1, options["encoder"]["layers"] + 1)}
        for entry in options["encoder"].get("attention", []):
            self.attention.update({layer: entry for layer in layer_range(entry["layers"])})
        self.parameter = {path: initial_value(seed, path, shape, self.D)
                          for path, shape in self.shapes(source_size, target_size)}
        share = self.model["share"]
        self.source_table = "embedding" if share == "all" else "source.embedding"
        self.target_table = "embedding" if share == "all" else "target.embedding"
        self.softmax_table = "target.softmax" if share == "none" else self.target_table

    def shapes(self, source_size, target_size):
        """(path, shape) of every parameter."""
        D, F, model = self.D, self.model["feedforward"], self.model

        def linear(path, rows, columns):
            return [(path + ".weight", (rows, columns)), (path + ".bias", (columns,))]

        def norm(path):
            return [(path + ".gain", (D,)), (path + ".offset", (D,))]

        def self_attention(path, entry):
            yield from norm(path + ".norm")
            yield from linear(path + ".qkv", D, 3 * D)
            source = self.gate_source(entry)
            if source:
                yield path + ".gate.weight", (D, self.H if source == "query" else 1)
            yield from linear(path + ".output", 2 * D if self.concat(entry) else D, D)

        def feedforward(path):
            yield from norm(path + ".norm")
            yield from linear(path + ".inner", D, F)
            yield from linear(path + ".outer", F, D)

        if model["share"] == "all":
            yield "embedding", (source_size, D)
        else:
            yield "source.embedding", (source_size, D)
            yield "target.embedding", (target_size, D)
        if model["share"] == "none":
            yield "target.softmax", (target_size, D)
        if model["source_bias"]:
            yield "encoder.bias", (D,)
        for layer, entry in self.attention.items():
            yield from self_attention(f"encoder.{layer}.attention", entry)
            yield from feedforward(f"encoder.{layer}.feedforward")
        for layer in range(1, self.options["decoder"]["layers"] + 1):
            yield from self_attention(f"decoder.{layer}.attention", {"branches": ["global"]})
            cross = f"decoder.{layer}.cross"
            yield from norm(cross + ".norm")
            yield from linear(cross + ".query", D, D)
            yield from linear(cross + ".keyvalue", D, 2 * D)
            yield from linear(cross + ".output", D, D)
            yield from feedforward(f"decoder.{layer}.feedforward")
        if self.pre_norm:
            yield from norm("encoder.norm")
            yield from norm("decoder.norm")

    @staticmethod
    def gate_source(entry):
        """"query" (per head), "input" (one scalar), or None where the fusion is no gate."""
        fusion = entry.get("fusion")
        if fusion == "gate":
            return "query"
        return fusion["gate"]["source"] if isinstance(fusion, dict) else None

    @staticmethod
    def concat(entry):
        return entry.get("fusion") == "concat"

    # -- pieces -----------------------------------------------------------------------------------

    def linear(self, path, x):
        return x @ self.parameter[path + ".weight"] + self.parameter[path + ".bias"]

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

    def heads(self, x):
        """[n, D] to [H, n, d]"""
        return x.reshape(x.shape[0], self.H, -1).transpose(0, 1)

    def attend(self, path, query, key, value, row, step, branches, causal=False):
        """One output [H, n, d] per branch; query is scaled already."""
        energy = query @ key.transpose(1, 2)  # [H, n, m]
        n, m = energy.shape[1:]
        i, j = torch.arange(n)[:, None], torch.arange(m)[None, :]
        packed = (row + np.arange(n))[None, :, None] * self.H + np.arange(self.H)[:, None, None]
        index = packed << 16 | np.arange(m)[None, None, :]
        outputs = []
        for number, branch in enumerate(branches):
            allowed = j <= i if causal else torch.ones(n, m, dtype=torch.bool)
            if branch != "global":
                allowed = allowed & ((i - j).abs() <= branch["window"])
            weights = torch.softmax(energy.masked_fill(~allowed, -math.inf), dim=-1)
            weights = self.masked(path + ".weights", weights, index, step, number,
                                  self.model["attention_dropout"])
            outputs.append(weights @ value)
        return outputs

    def self_attention(self, path, x, row, step, entry, causal=False):
        query, key, value = self.linear(path + ".qkv", x).split(self.D, dim=-1)
        query = query * (self.D // self.H) ** -0.5
        outputs = self.attend(path, *map(self.heads, (query, key, value)), row, step,
                              entry["branches"], causal)
        source = self.gate_source(entry)
        if source:
            gate = torch.sigmoid((query if source == "query" else x)
                                 @ self.parameter[path + ".gate.weight"])  # [n, H] or [n, 1]
            gate = gate.transpose(0, 1)[:, :, None]
            outputs = [(1 - gate) * outputs[0] + gate * outputs[1]]
        merged = [o.transpose(0, 1).reshape(x.shape[0], self.D) for o in outputs]
        return self.linear(path + ".output", torch.cat(merged, dim=-1))

    def cross_attention(self, path, x, memory, row, step):
        query = self.linear(path + ".query", x) * (self.D // self.H) ** -0.5
        key, value = self.linear(path + ".keyvalue", memory).split(self.D, dim=-1)
        out, = self.attend(path, *map(self.heads, (query, key, value)), row, step, ["global"])
        return self.linear(path + ".output", out.transpose(0, 1).reshape(x.shape[0], self.D))

    def feedforward(self, path, x, row, step):
        hidden = torch.relu(self.linear(path + ".inner", x))
        hidden = self.dropout(path + ".hidden", hidden, row, step, self.model["relu_dropout"])
        return self.linear(path + ".outer", hidden)

    # -- the whole --------------------------------------------------------------------------------

    def positions(self, side, length):
        kind = self.options[side]["position"]
        return sinusoids(length, self.D) if kind == "sinusoid" else torch.zeros(length, self.D)

    def encode(self, source, row=0, step=None):
        """Token ids of one sentence to [n, D]."""
        x = self.parameter[self.source_table][source] * math.sqrt(self.D)
        if self.model["source_bias"]:
            x = x + self.parameter["encoder.bias"]
        x = x + self.positions("encoder", len(source))
        x = self.dropout("encoder.embedding", x, row, step, self.model["dropout"])
        for layer, entry in self.attention.items():
            path = f"encoder.{layer}"
            x = self.residual(path + ".attention", x, row, step, lambda y: self.self_attention(
                path + ".attention", y, row, step, entry))
            x = self.residual(path + ".feedforward", x, row, step, lambda y: self.feedforward(
                path + ".feedforward", y, row, step))
        return self.norm("encoder.norm", x) if self.pre_norm else x

    def decode(self, memory, previous, row=0, step=None):
        """Logits [n, V] after each of the n = 1 + len(previous) prefixes of `previous`."""
        embedded = self.parameter[self.target_table][previous] * math.sqrt(self.D)
        x = torch.cat([torch.zeros(1, self.D), embedded])
        x = x + self.positions("decoder", len(x))
        x = self.dropout("decoder.embedding", x, row, step, self.model["dropout"])
        for layer in range(1, self.options["decoder"]["layers"] + 1):
            path = f"decoder.{layer}"
            x = self.residual(path + ".attention", x, row, step, lambda y: self.self_attention(
                path + ".attention", y, row, step, {"branches": ["global"]}, causal=True))
            x = self.residual(path + ".cross", x, row, step, lambda y: self.cross_attention(
                path + ".cross", y, memory, row, step))
            x = self.residual(path + ".feedforward", x, row, step, lambda y: self.feedforward(
                path + ".feedforward", y, row, step))
        if self.pre_norm:
            x = self.norm("decoder.norm", x)
        return x @ self.parameter[self.softmax_table].T

    def loss(self, source, target, source_row=0, target_row=0, step=None):
        """Label-smoothed cross entropy of one sentence, summed over its target tokens, less the
        least value it can have."""
        memory = self.encode(source, source_row, step)
        log_p = torch.log_softmax(self.decode(memory, target[:-1], target_row, step), dim=-1)
        V, smoothing = log_p.shape[1], self.options["train"]["label_smoothing"]
        wanted = torch.full_like(log_p, smoothing / (V - 1))
        wanted[torch.arange(len(target)), target] = 1 - smoothing
        return torch.special.xlogy(wanted, wanted).sum() - (wanted * log_p).sum()


class Adam:
    """Kingma and Ba 2015, Algorithm 1, with the inverse-square-root schedule. The gradient's global
    norm is clipped first, then L2 adds its part, so that it goes through the moments."""

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


@torch.no_grad()
def beam_search(translator, source, beam, length_penalty, extra):
    """The finished hypotheses of one sentence, best first: [(score, tokens)], <eos> included.
    It ends when the worst of `beam` finished ones beats what the best alive one could still
    become, or after source tokens + extra steps."""
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
