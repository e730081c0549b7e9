"""Attention blocks in PyTorch, float64, dense: a branch is a mask over all pairs of query and key,
a term is a full matrix of biases, a fusion is a formula. Part of the independent implementation
in translator.py: written from the papers, one sentence at a time.

    terms     gauss (Yang et al. 2018, eqs. 4-11; Sperber et al. 2018; Luong et al. 2015)
              relpos (Shaw et al. 2018)
              rope (Su et al. 2021, eq. 34), t5 (Raffel et al. 2020, section 2.1)
    branches  global, forward, backward (Song et al. 2018, eq. 9), window (Xu et al. 2019, eq. 3;
              Song et al., eq. 11)
    fusions   gate (Xu et al., eqs. 4-5), sum, concat, squeeze (Song et al., eqs. 13-14)"""

import math

import numpy as np
import torch

PRESETS = {
    "neighbor": {"center": "self", "window": "query"},
    "neighbor_sigma": {"center": "self", "window": "sigma"},
    "local_h": {"center": "query", "window": {"fixed": 10}},
    "local_s": {"center": "query", "window": "query"},
    "localness": {"center": "query", "window": "query"},
}
PLAIN = {"branches": ["global"]}


def choice(item, first=None):
    """Returns (name, options) of NAME, {NAME: scalar of its first option} or {NAME: {options}}."""
    if item is None or isinstance(item, str):
        return item, {}
    (name, value), = item.items()
    return name, value if isinstance(value, dict) else {first: value}


def linear_shapes(path, rows, columns, bias=True):
    yield path + ".weight", (rows, columns)
    if bias:
        yield path + ".bias", (columns,)


class Gauss:
    """G_ij = -2 ((j - P_i) / D_i)^2 for each of the first h heads, 0 for the others; positions
    count from 0. I, the number of keys for query i, is i + 1 with a causal mask."""

    def __init__(self, path, options, D, H):
        self.path, self.D, self.H = path + ".gauss", D, H
        self.center, self.window = options.get("center", "query"), options.get("window", "query")
        self.paper = options.get("scaling", "code") != "code"
        self.first = 1 if options.get("scaling") == "paper_from_1" else 0
        self.bias = options.get("bias", True)
        self.hard_cut = options.get("hard_cut", False)
        self.h = options.get("heads") or H
        self.hidden = options.get("hidden") or self.h * (D // H)
        self.planes = (self.center == "query") + (self.window == "query")

    def shapes(self):
        if self.planes:
            yield from linear_shapes(self.path + ".hidden", self.D, self.hidden, self.bias)
            yield from linear_shapes(self.path + ".rows", self.hidden, self.planes * self.h,
                                     self.bias)
        if self.window == "layer":
            yield from linear_shapes(self.path + ".key_hidden", self.D, self.hidden, self.bias)
            yield from linear_shapes(self.path + ".key_rows", self.hidden, self.h, self.bias)
        if self.window == "head":
            yield self.path + ".head.weight", (1, self.h)
        if self.window == "sigma":
            yield self.path + ".head.weight", (1, self.h), 3.0

    def widths(self, translator, rows, key, length, causal):
        """Returns D [n, h]."""
        least = 0.0 if self.paper else 0.1
        if self.window == "query":
            return length * torch.sigmoid(rows[:, -self.h:]) + least
        if self.window == "layer":
            mean = key.cumsum(dim=0) / length if causal else \
                key.mean(dim=0, keepdim=True).expand(len(length), -1)
            hidden = torch.tanh(translator.linear(self.path + ".key_hidden", mean))
            z = translator.linear(self.path + ".key_rows", hidden)
            return length * torch.sigmoid(z) + least
        if self.window in ("head", "sigma"):
            w = translator.parameter[self.path + ".head.weight"].expand(len(length), -1)
            return 50 * torch.sigmoid(w) + least if self.window == "head" else 2 * w * w
        return torch.full((len(length), self.h), float(self.window["fixed"]))

    def __call__(self, translator, query, key, causal):
        """Returns the bias [H, n, m] and the mask of cut keys, from unscaled query [n, D] and key [m, D]."""
        n, m = len(query), len(key)
        i = torch.arange(n, dtype=torch.float64)[:, None]
        length = i + 1 if causal else torch.full((n, 1), float(m))
        rows = None
        if self.planes:
            hidden = torch.tanh(translator.linear(self.path + ".hidden", query))
            rows = translator.linear(self.path + ".rows", hidden)
        center = i.expand(-1, self.h)
        if self.center == "query":
            center = (length if self.paper else length - 1) * torch.sigmoid(rows[:, :self.h])
            center = center - self.first  # the first word in the paper is x_1
            translator.keep(self.path + ".center", center)
        width = self.widths(translator, rows, key, length, causal)
        if not isinstance(self.window, dict):
            translator.keep(self.path + ".window", width)
        away = torch.arange(m, dtype=torch.float64)[:, None, None] - center  # [m, n, h]
        bias = -2 * (away / width) ** 2
        far = (away.abs() > width) & self.hard_cut
        rest = torch.zeros(m, n, self.H - self.h)
        return (torch.cat([bias, rest], dim=-1).permute(2, 1, 0),
                torch.cat([far, rest.bool()], dim=-1).permute(2, 1, 0))


class RelativePositions:
    """Adds vectors of the clipped distance j - i to keys and values; shared by all heads."""

    def __init__(self, path, options, D, H):
        self.path, self.d, self.k = path + ".relpos", D // H, options.get("k", 16)
        self.parts = [part for part in ("keys", "values") if options.get(part, True)]

    def shapes(self):
        for part in self.parts:
            yield f"{self.path}.{part}.weight", (2 * self.k + 1, self.d)

    def vectors(self, translator, part, n, m):
        """[n, m, d]"""
        if part not in self.parts:
            return torch.zeros(n, m, self.d)
        distance = torch.arange(m)[None, :] - torch.arange(n)[:, None]
        table = translator.parameter[f"{self.path}.{part}.weight"]
        return table[distance.clamp(-self.k, self.k) + self.k]


class Rotary:
    """Turns column pairs of queries and keys, as complex numbers, by angles that grow with the position."""

    def __init__(self, options, D, H):
        self.H, self.base, self.halves = H, options.get("base", 10000), options.get("pairs") == "halves"
        self.columns = round(options.get("share", 1) * (D // H))

    def __call__(self, x):
        """[n, D]"""
        n, r = len(x), self.columns
        heads = x.reshape(n, self.H, -1)
        turned, rest = heads[..., :r], heads[..., r:]
        if self.halves:
            turned = turned.reshape(n, self.H, 2, r // 2).transpose(2, 3)
        pairs = torch.view_as_complex(turned.reshape(n, self.H, r // 2, 2).contiguous())
        rates = self.base ** (-torch.arange(0, r, 2) / r)
        angles = torch.arange(n)[:, None] * rates
        pairs = torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)[:, None, :])
        if self.halves:
            pairs = pairs.transpose(2, 3)
        return torch.cat([pairs.reshape(n, self.H, r), rest], dim=-1).reshape(n, -1)


class Buckets:
    """Adds a number to the energy for each head and range of distances. Ranges of more than one distance are
    equal in the logarithm. Two-sided if keys may follow the query."""

    def __init__(self, path, options, H, causal):
        self.count, self.most = options.get("buckets", 32), options.get("distance", 128)
        self.H, self.causal = H, causal
        stack, _, place = path.partition(".")
        place = place.rpartition(".")[2]
        self.path = f"{path}.t5.weight" if options.get("table") == "layer" else \
            f"{stack}.{place}.t5.{self.count}.weight"

    def shapes(self):
        yield self.path, (1, self.H * self.count), 0.0

    def bucket(self, distance):
        """Returns the bucket of j - i."""
        side = self.count if self.causal else self.count // 2
        after = side if distance > 0 and not self.causal else 0
        n, single = abs(distance), side // 2
        if n < single:
            return after + n
        share = math.log(n / single) / math.log(self.most / single)
        return after + min(single + int(share * (side - single) + 1e-9), side - 1)

    def __call__(self, translator, n, m):
        """[H, n, m]"""
        which = torch.tensor([[self.bucket(j - i) if j <= i or not self.causal else 0
                               for j in range(m)] for i in range(n)])
        return translator.parameter[self.path].reshape(self.H, self.count)[:, which]


class Attention:
    """One block: self-attention of x (causal in a decoder), or of x over `memory` (cross)."""

    def __init__(self, path, entry, model, causal=False, cross=False):
        self.path, self.causal, self.cross = path, causal, cross
        self.D, self.H, self.model = model["width"], model["heads"], model
        self.branches = [choice(branch) if isinstance(branch, str) else ("window", branch)
                         for branch in entry.get("branches", ["global"])]
        self.fusion, self.fusion_options = choice(entry.get("fusion"), "r")
        self.gauss = self.relpos = self.rope = self.t5 = None
        for term in entry.get("terms", []):
            name, options = choice(term, "k")
            if name == "relpos":
                self.relpos = RelativePositions(path, options, self.D, self.H)
            elif name == "rope":
                self.rope = Rotary(options, self.D, self.H)
            elif name == "t5":
                self.t5 = Buckets(path, options, self.H, causal)
            else:
                self.gauss = Gauss(path, PRESETS.get(name, {}) | options, self.D, self.H)

    def shapes(self):
        D, bias = self.D, self.model.get("attention_bias", True)
        if self.cross:
            yield from linear_shapes(self.path + ".query", D, D, bias)
            yield from linear_shapes(self.path + ".keyvalue", D, 2 * D, bias)
        else:
            yield from linear_shapes(self.path + ".qkv", D, 3 * D, bias)
        for term in (self.gauss, self.relpos, self.t5):
            yield from term.shapes() if term else ()
        if self.fusion == "gate":
            yield self.path + ".gate.weight", (D, self.gate_columns())
        if self.fusion == "squeeze":
            inner = D // self.fusion_options.get("r", 16)
            for path in sorted({self.squeeze_path(b) for b in range(len(self.branches))}):
                yield path + ".inner.weight", (D, inner)
                yield path + ".outer.weight", (inner, D)
        rows = len(self.branches) * D if self.fusion == "concat" else D
        yield from linear_shapes(self.path + ".output", rows, D, bias)

    def gate_source(self):
        return self.fusion_options.get("source", "query")

    def gate_columns(self):
        """Returns the number of gates: H or 1. By default it follows from the source of the gate."""
        heads = self.fusion_options.get("heads", "auto")
        if heads == "auto":
            heads = "each" if self.gate_source() == "query" else "one"
        return self.H if heads == "each" else 1

    def squeeze_path(self, branch):
        own = self.fusion_options.get("share", "block") == "branch"
        return f"{self.path}.squeeze.{branch + 1}" if own else self.path + ".squeeze"

    def allowed(self, branch, n, m):
        """Returns the mask [n, m]: the keys of each query."""
        i, j = torch.arange(n)[:, None], torch.arange(m)[None, :]
        name, options = branch
        mask = {"global": lambda: torch.ones(n, m, dtype=torch.bool),
                "forward": lambda: j <= i,
                "backward": lambda: j >= i,
                "window": lambda: (i - j).abs() <= options["window"]}[name]()
        return mask & (j <= i) if self.causal else mask

    def split(self, x):
        """Reshapes [n, D] to [H, n, d]."""
        return x.reshape(x.shape[0], self.H, -1).transpose(0, 1)

    @staticmethod
    def merge(x):
        """Reshapes [H, n, d] to [n, D]."""
        return x.transpose(0, 1).reshape(x.shape[1], -1)

    def attend(self, translator, query, key, value, row, step):
        """Returns one output [n, D] per branch."""
        n, m, scale = len(query), len(key), (self.D // self.H) ** -0.5
        turn = self.rope or (lambda x: x)
        q, k, v = map(self.split, (query * scale, key, value))
        energy = self.split(turn(query)) * scale @ self.split(turn(key)).transpose(1, 2)  # [H, n, m]
        if self.t5:
            energy = energy + self.t5(translator, n, m)
        if self.relpos:
            energy = energy + torch.einsum("hnd,nmd->hnm", q,
                                           self.relpos.vectors(translator, "keys", n, m))
        far = torch.zeros(self.H, n, m, dtype=torch.bool)
        if self.gauss:
            bias, far = self.gauss(translator, query, key, self.causal)
            energy = energy + bias
        packed = (row + np.arange(n))[None, :, None] * self.H + np.arange(self.H)[:, None, None]
        index = packed << 16 | np.arange(m)[None, None, :]
        outputs = []
        for number, branch in enumerate(self.branches):
            allowed = self.allowed(branch, n, m).expand(self.H, -1, -1)
            reached = allowed & ~far  # a cut that would remove all keys of a row is ignored
            seen = torch.where(reached.any(dim=-1, keepdim=True), reached, allowed)
            weights = energy.masked_fill(~seen, -math.inf).softmax(dim=-1)
            kept = self.model["attention_dropout"] if branch[1].get("dropout", True) else 0
            weights = translator.masked(self.path + ".weights", weights, index, step, number, kept)
            out = weights @ v
            if self.relpos:
                out = out + torch.einsum("hnm,nmd->hnd", weights,
                                         self.relpos.vectors(translator, "values", n, m))
            outputs.append(self.merge(out))
        return outputs

    def fuse(self, translator, outputs, x, query):
        """Combines [n, D] per branch to one [n, D] ([n, R*D] for concat)."""
        parameter = translator.parameter
        if self.fusion == "concat":
            return torch.cat(outputs, dim=-1)
        if self.fusion == "gate":
            scaled = query * (self.D // self.H) ** -0.5
            z = (scaled if self.gate_source() == "query" else x) \
                @ parameter[self.path + ".gate.weight"]  # [n, H] or [n, 1]
            gate = torch.sigmoid(z).transpose(0, 1)[:, :, None]
            first, second = map(self.split, outputs)
            return self.merge((1 - gate) * first + gate * second)
        if self.fusion == "squeeze":
            return sum(out * torch.sigmoid(
                torch.relu(out @ parameter[self.squeeze_path(b) + ".inner.weight"])
                @ parameter[self.squeeze_path(b) + ".outer.weight"])
                for b, out in enumerate(outputs))
        return sum(outputs)  # the sum, or a single branch

    def __call__(self, translator, x, row, step, memory=None):
        if self.cross:
            query = translator.linear(self.path + ".query", x)
            key, value = translator.linear(self.path + ".keyvalue", memory).split(self.D, dim=-1)
        else:
            query, key, value = translator.linear(self.path + ".qkv", x).split(self.D, dim=-1)
        outputs = self.attend(translator, query, key, value, row, step)
        return translator.linear(self.path + ".output", self.fuse(translator, outputs, x, query))
