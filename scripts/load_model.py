#!/usr/bin/env python3
"""Computes the dev loss of a trained sanlab model from its exported files, with numpy:

    sanlab export model TRAIN --out MODEL.safetensors
    scripts/load_model.py MODEL.safetensors DEV.SOURCE DEV.TARGET

An independent reader of these files. The metadata of MODEL.safetensors (core/model/checkpoint.h) has
the options; vocabularies and merges are next to it. The text has one sentence per line, with words
separated by blanks. The equations are those of the papers, in float64, one sentence at a time:

    Transformer     Vaswani et al. 2017, eq. 1 and sections 3.1 to 3.5
    hybrid          Xu et al. 2019, eqs. 3 to 5: global and window branches, fused by gate or concat
    localness       Yang et al. 2018, eqs. 4 to 11: a Gaussian around a predicted position
    LSTM            Hochreiter and Schmidhuber 1997, with the forget gate of Gers et al. 2000
    ON-LSTM         Hao et al. 2019, eqs. 3 to 9 (Shen et al. 2019); eq. 10: the short-cut
    merges          Sennrich, Haddow and Birch 2016, section 3.2

It refuses unknown options (KNOWN, below), unused tensors, and tensors whose shape contradicts the
options. It prints the mean of -log p over all target tokens, <eos> included, without label smoothing:
sanlab's dev_loss. It applies corpus.max_words and max_length. With corpus.dev_limit, pass files of
that number of lines.

Letters: D width, H heads, d = D / H; n queries and m keys; V words; E directions of a recurrence, each
with G gate values."""

import hashlib
import json
import math
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
from sanlab import Error as Refused, safetensors  # noqa: E402

try:
    import numpy as np
except ImportError:
    np = None  # options are checked without numpy, too

EOS, UNKNOWN, FIRST = 1, 2, 3  # ids; lower ids than the first word's are <pad>, <eos>, <unk>
BLANKS = " \t\n\v\f\r"
# True if query i attends to key j, by branch (Xu et al., eq. 3; Song et al. 2018, eqs. 9 and 11).
REACH = {
    "global": lambda i, j, m: j >= 0,
    "forward": lambda i, j, m: j <= i,
    "backward": lambda i, j, m: j >= i,
    "window": lambda i, j, m: abs(i - j) <= m,
}
# Known options by section, entry, term and fusion; and the known values of an option if only some are
# supported.
KNOWN = {
    "options": "corpus model encoder decoder train logic",
    "corpus": "text segmented threshold joint lowercase max_length max_words merges source target "
              "separator source_field target_field bad_utf8 dev_every train_format train_limit "
              "train_max_words train_max_ratio dev_format dev_limit test_format test_limit",
    "corpus.text": "tokens", "corpus.segmented": "False", "corpus.threshold": "0",
    "model": "width heads feedforward norm share zero_bias start source_bias attention_bias dropout "
             "attention_dropout relu_dropout",
    "start": "thumt uniform", "model.norm": "pre post none", "model.share": "none target all",
    "encoder": "layers position timescale attention stack shortcut",
    "stack": "san lstm onlstm", "san": "layers", "lstm": "layers direction projection",
    "onlstm": "layers direction projection chunk", "lstm.direction": "both forward backward",
    "onlstm.direction": "both forward backward", "lstm.projection": "auto True False true false",
    "onlstm.projection": "auto True False true false",  # strings in files of older programs
    "decoder": "layers position attention cross",
    "position": "none sinusoid interleaved",
    "attention": "layers branches terms fusion", "cross": "layers branches terms fusion",
    "branches": " ".join(REACH) + " dropout", "terms": "gauss", "fusion": "gate concat",
    "gauss": "center window scaling heads hidden bias hard_cut", "gauss.center": "query self",
    "gauss.window": "query layer head sigma fixed", "gauss.scaling": "code paper paper_from_1",
    "gauss.hard_cut": "False",
    "gate": "source heads", "gate.source": "query input", "gate.heads": "auto each one",
    "train": "precision steps epochs batch_tokens batch_pairs accumulate rate warmup schedule loss beta1 beta2 epsilon l2 "
             "clip label_smoothing floor weight_decay decayed select patience validate_every validate_sentences save_every "
             "log_every keep_last keep_best keep_average", "train.precision": "fp32",
    "logic": "bins checkpoint depth dev disjoint features hidden names pairs pool seed split variables",
    "pool": "last mean queries", "logic.features": "concat match",
}


def named(value):
    """Returns (name, options) of NAME or {NAME: options}. A number or a truth value is its own name."""
    if not isinstance(value, dict):
        return value, {}
    [name] = value.keys() - {"dropout"}  # an additional option of a branch
    return name, value[name]


def check(what, options):
    """Refuses every option and value that is not in KNOWN, at all depths."""
    for key, value in options.items():
        if str(key) not in KNOWN[what].split():
            words = KNOWN[what].replace(" ", ", ")
            raise Refused(f"{what}: {key} is not known here; expected {words}")
        within = key if key in KNOWN else f"{what}.{key}"
        for one in value if isinstance(value, list) else [value]:
            if within in KNOWN and one is not None:
                check(within, one if isinstance(one, dict) else {one: {}})


# ---- files --------------------------------------------------------------------------------------

def read_tensors(path):
    """Reads a safetensors file. Returns the tensors by name, in float64, and the metadata."""
    tensors, metadata = safetensors.read(path)
    version = metadata.get("format"), metadata.get("format_version")
    if version != ("sanlab", "1") or "options" not in metadata:
        raise Refused(f"{path}: its metadata do not say what it is (format sanlab, version 1)")
    check("options", json.loads(metadata["options"]))
    if not np:
        raise Refused("its options are known here; its numbers need numpy")
    return {name: np.frombuffer(data, "<f4").astype(np.float64).reshape(shape)
            for name, (shape, data) in tensors.items()}, metadata


def lines_of(data):
    """Returns the lines of a text. Only a line feed ends a line."""
    return data.decode("utf-8-sig").removesuffix("\n").split("\n")


def read_beside(model, name, digest):
    """Returns the lines of MODEL.NAME. Its digest must be that of the file used in training."""
    path = Path(f"{model}.{name}")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != digest:
        raise Refused(f"{path}: not the file that the model was trained with (another SHA-256)")
    return lines_of(data)


# ---- text ---------------------------------------------------------------------------------------

class Merges:
    """Byte pair encoding: merges adjacent symbols of a word, in the order in which the pairs were learned."""

    def __init__(self, lines):
        if lines[0] != "#version: 0.2":
            raise Refused("merges: expected #version: 0.2 in their first line")
        self.rank = {}  # the first of equal lines counts
        for number, line in enumerate(lines[1:]):
            self.rank.setdefault(tuple(line.split(" ")), number)

    def split(self, word):
        """Returns the pieces of a word. All except the last one are marked."""
        if len(word) == 1:
            return [word]
        symbols = [*word[:-1], word[-1] + "</w>"]
        while len(symbols) > 1:
            best = min(zip(symbols, symbols[1:]), key=lambda pair: self.rank.get(pair, math.inf))
            if best not in self.rank:
                break
            symbols = self.merge(symbols, best)
        return [symbol + "@@" for symbol in symbols[:-1]] + [symbols[-1].removesuffix("</w>")]

    @staticmethod
    def merge(symbols, pair):
        """Replaces every occurrence of the pair, from left to right, by one symbol."""
        merged, i = [], 0
        while i < len(symbols):
            both = tuple(symbols[i:i + 2]) == pair
            merged.append("".join(pair) if both else symbols[i])
            i += 1 + both
        return merged


class Text:
    """Converts lines of one side to words, and words to ids."""

    def __init__(self, model, side, corpus, metadata):
        vocabulary = "vocabulary" if corpus["joint"] else f"vocabulary.{side}"
        words = read_beside(model, vocabulary, metadata[f"{side}_vocabulary"])
        self.size = len(words)
        self.id = {line.rsplit("\t", 1)[0]: i for i, line in enumerate(words) if i >= FIRST}
        self.merges = Merges(read_beside(model, "codes.bpe", metadata["codes"]))
        self.lowercase, self.longest = corpus["lowercase"], corpus["max_length"]

    def words(self, line):
        if self.lowercase:
            line = "".join(letter.lower()[0] for letter in line)  # one letter becomes one letter
        return [word for word in re.split(f"[{BLANKS}]+", line) if word]

    def ids(self, words):
        """Returns the ids of their pieces and <eos>. A truncated sentence also ends with <eos>."""
        ids = [self.id.get(piece, UNKNOWN) for word in words for piece in self.merges.split(word)]
        return ids[:self.longest - 1] + [EOS]


# ---- the model ----------------------------------------------------------------------------------

def sigmoid(x):
    return 0.5 * (1 + np.tanh(0.5 * x))


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def positions(kind, n, D, timescale=10000):
    """Returns [n, D]: sines and cosines, in halves (THUMT) or interleaved (Vaswani et al., section 3.5)."""
    if kind == "none":
        return np.zeros((n, D))
    k, turns = np.arange(D // 2), kind == "interleaved"
    angle = np.arange(n)[:, None] * float(timescale) ** (-k / (D // 2 if turns else max(D // 2 - 1, 1)))
    waves = np.sin(angle), np.cos(angle)  # [n, D/2] each
    return np.stack(waves, axis=2).reshape(n, D) if turns else np.concatenate(waves, axis=1)


class Model:
    def __init__(self, path):
        options, metadata = self.read(path)
        if "logic" in options:
            raise Refused("a classifier of pairs of statements; expected load_pairs.py")
        self.corpus, self.decoder = options["corpus"], options["decoder"]
        every = list(range(1, self.decoder["layers"] + 1))
        for name in ("attention", "cross"):
            self.check_layers(f"decoder.{name}", self.decoder[name], every)
        self.text = [Text(path, side, self.corpus, metadata) for side in ("source", "target")]

    def read(self, path):
        """Reads tensors and options of an encoder. Returns all options and the metadata."""
        self.tensors, metadata = read_tensors(path)
        self.unread = set(self.tensors)
        options = json.loads(metadata["options"])
        self.model, self.encoder = options["model"], options["encoder"]
        self.stack = self.layers_of(self.encoder)
        attending = [l for l, (kind, _, _) in enumerate(self.stack, 1) if kind == "san"]
        self.check_layers("encoder.attention", self.encoder["attention"], attending)
        self.D, self.H = self.model["width"], self.model["heads"]
        self.pre_norm = self.model["norm"] == "pre"
        return options, metadata

    @staticmethod
    def check_layers(name, entries, layers):
        if [entry["layers"] for entry in entries] != layers:
            raise Refused(f"{name} is not an entry for each of {len(layers)} layers")

    @staticmethod
    def layers_of(encoder):
        """Returns (kind, options, true for the last layer of a group) for each layer of the stack."""
        stack = []
        for entry in encoder["stack"] or []:
            kind, options = named(entry)
            last = options["layers"] - 1
            stack += [(kind, options, number == last) for number in range(options["layers"])]
        if len(stack) != encoder["layers"]:
            raise Refused(f"encoder.stack has {len(stack)} layers, not {encoder['layers']}")
        return stack

    def tensor(self, name, *shape):
        if name not in self.tensors:
            raise Refused(f"there is no tensor {name}")
        self.unread.discard(name)
        if self.tensors[name].shape != shape:
            raise Refused(f"{name} is {self.tensors[name].shape}; by its options it is {shape}")
        return self.tensors[name]

    def table(self, name):
        """Returns [V, D]. With share: target, target and softmax share a table; with share: all, all three do."""
        share, V = self.model["share"], self.text[name.startswith("target")].size
        if share == "target" and name == "target.softmax":
            name = "target.embedding"
        return self.tensor("embedding" if share == "all" else name, V, self.D)

    def linear(self, path, x, N, bias):
        """Returns x W + b [n, N] for x [n, K], W [K, N] and the optional b [N]."""
        y = x @ self.tensor(path + ".weight", x.shape[1], N)
        return y + self.tensor(path + ".bias", N) if bias else y

    def norm(self, path, x):
        """Normalizes each row to mean 0 and variance 1, then applies gain and offset [D]."""
        x = x - x.mean(axis=1, keepdims=True)
        deviation = np.sqrt((x ** 2).mean(axis=1, keepdims=True) + 1e-6)
        gain, offset = (self.tensor(f"{path}.{name}", self.D) for name in ("gain", "offset"))
        return x / deviation * gain + offset

    def add(self, sublayer, path, x, *rest):
        """Pre-norm: x + f(norm(x)). Post-norm: norm(x + f(x)). None: x + f(x)."""
        if self.model["norm"] == "none":
            return x + sublayer(path, x, *rest)
        if self.pre_norm:
            return x + sublayer(path, self.norm(path + ".norm", x), *rest)
        return self.norm(path + ".norm", x + sublayer(path, x, *rest))

    def feed_forward(self, path, x):
        inner = self.linear(path + ".inner", x, self.model["feedforward"], True)
        return self.linear(path + ".outer", np.maximum(inner, 0), self.D, True)

    def attend(self, path, x, entry, memory=None, causal=False):
        """Attention of x [n, D] over x, or over memory [m, D], with the output projection."""
        D, bias = self.D, self.model["attention_bias"]
        if memory is None:
            query, key, value = np.split(self.linear(path + ".qkv", x, 3 * D, bias), 3, axis=1)
        else:
            query = self.linear(path + ".query", x, D, bias)
            key, value = np.split(self.linear(path + ".keyvalue", memory, 2 * D, bias), 2, axis=1)
        scaled = query / math.sqrt(D // self.H)
        q, k, v = (y.reshape(len(y), self.H, -1).transpose(1, 0, 2) for y in (scaled, key, value))
        energy = q @ k.transpose(0, 2, 1)  # [H, n, m]
        i, j = np.arange(len(x))[:, None], np.arange(len(key))[None, :]
        seen = (j <= i) | (not causal)  # [n, m]
        for number, term in enumerate(entry["terms"]):
            name = f"{path}.gauss{number + 1 if number else ''}"
            energy = energy + self.gauss(name, term["gauss"], query, key, seen)
        outputs = []  # [n, D] of each branch
        for branch, size in map(named, entry["branches"]):
            weights = softmax(np.where(seen & REACH[branch](i, j, size), energy, -np.inf))
            outputs.append((weights @ v).transpose(1, 0, 2).reshape(len(x), D))
        return self.linear(path + ".output", self.fuse(path, entry, outputs, x, scaled), D, bias)

    def fuse(self, path, entry, outputs, x, scaled):
        """Combines the outputs [n, D] of the branches to [n, D] or [n, branches D]. The gate weights
        the second branch (Xu et al., eqs. 4 and 5): sigmoid(q W) of the scaled queries, as in their
        code, or sigmoid(x W) of the block's input; W [D, H] or [D, 1]."""
        fusion, options = named(entry.get("fusion"))
        if len(outputs) != {None: 1, "gate": 2}.get(fusion, len(outputs)):
            raise Refused(f"{path}: {len(outputs)} branches with fusion: {fusion}")
        if fusion == "gate":
            query = options["source"] == "query"
            N = {"each": self.H, "one": 1, "auto": self.H if query else 1}[options["heads"]]
            g = sigmoid(self.linear(path + ".gate", scaled if query else x, N, False))
            g = np.repeat(g, self.D // N, axis=1)  # d columns per head
            return (1 - g) * outputs[0] + g * outputs[1]
        return np.concatenate(outputs, axis=1)  # or a single output

    def gauss(self, path, options, query, key, seen):
        """G_ij = -2 ((j - P_i) / D_i)^2 [H, n, m] (Yang et al., eqs. 4 to 10). P_i and D_i of a
        head come from the unscaled query [n, D]; D_i may also come from the mean key, a parameter or a
        constant. I is the number of keys that a query attends to. The authors' code has
        P = (I - 1) sigmoid and D = I sigmoid + 0.1. The paper has I sigmoid for both, from position 1."""
        h = options["heads"] or self.H  # only the first h heads are local
        n, I = len(query), seen.sum(axis=1)[:, None]  # [n, 1]
        window, length = named(options["window"])
        code = options["scaling"] == "code"

        def predict(hidden, rows, y, N):
            width, bias = options["hidden"] or h * self.D // self.H, options["bias"]
            u = np.tanh(self.linear(f"{path}.{hidden}", y, width, bias))
            return self.linear(f"{path}.{rows}", u, N, bias)
        P = np.arange(n)[:, None].repeat(h, axis=1)  # [n, h], and so is D
        if predicted := (options["center"], window).count("query"):
            z = predict("hidden", "rows", query, predicted * h)  # first of P, then of D
        if options["center"] == "query":
            P = (I - 1 if code else I) * sigmoid(z[:, :h]) - (options["scaling"] == "paper_from_1")
        if window == "query":
            D = I * sigmoid(z[:, -h:]) + 0.1 * code
        elif window == "layer":
            D = I * sigmoid(predict("key_hidden", "key_rows", seen @ key / I, h)) + 0.1 * code
        elif window == "head":
            D = np.tile(50 * sigmoid(self.tensor(path + ".head.weight", h)) + 0.1 * code, (n, 1))
        elif window == "sigma":  # Sperber et al. 2018: D = 2 sigma, sigma = w^2
            D = np.tile(2 * self.tensor(path + ".head.weight", h) ** 2, (n, 1))
        else:
            D = np.full((n, h), length)
        G = np.zeros((self.H, *seen.shape))
        G[:h] = -2 * ((np.arange(len(key)) - P.T[:, :, None]) / D.T[:, :, None]) ** 2
        return G

    def recur(self, path, x, options):
        """Maps x [n, D] to [n, D]: concatenates the outputs of the directions and applies the optional
        projection. In an ON-LSTM, `chunk` neighbors share a master gate; an LSTM has none."""
        D, both = self.D, options["direction"] == "both"
        ways = ["forward", "backward"] if both else [options["direction"]]
        masters = D // options["chunk"] if "chunk" in options else 0
        E, G = len(ways), 2 * masters + 4 * D
        a = self.linear(path + ".input", x, E * G, True).reshape(len(x), E, G)
        U = self.tensor(path + ".state.weight", E * D, G).reshape(E, D, G)
        y = np.concatenate([self.walk(a[:, e], U[e], masters, way == "backward")
                            for e, way in enumerate(ways)], axis=1)
        if options["projection"] in (True, "true") or options["projection"] == "auto" and both:
            y = self.linear(path + ".output", y, D, True)
        return y

    def walk(self, a, U, masters, backward):
        """Returns the states h [n, D] of a cell. The gates are a [n, G] plus h U of the previous state."""
        h, c, y = np.zeros(self.D), np.zeros(self.D), np.zeros((len(a), self.D))
        for t in range(len(a))[::-1 if backward else 1]:
            gates = a[t] + h @ U
            o, g, i, f = np.split(gates[2 * masters:], 4)  # output, candidate, input, forget
            o, g, i, f = sigmoid(o), np.tanh(g), sigmoid(i), sigmoid(f)
            if masters:
                I, F = (np.cumsum(softmax(part)).repeat(self.D // masters)
                        for part in (gates[:masters], gates[masters:2 * masters]))
                I = 1 - I
                overlap = F * I
                f, i = f * overlap + (F - overlap), i * overlap + (I - overlap)
            c = f * c + i * g
            h = y[t] = o * np.tanh(c)
        return y

    def encode(self, source):
        """Returns [n, D] for n ids."""
        x = self.table("source.embedding")[source] * math.sqrt(self.D)
        if self.model["source_bias"]:
            x = x + self.tensor("encoder.bias", self.D)
        x = x + positions(self.encoder["position"], len(x), self.D, self.encoder["timescale"])
        entries, ends = iter(self.encoder["attention"]), 0
        for l, (kind, options, last) in enumerate(self.stack, 1):
            path = f"encoder.{l}"
            if kind == "san":
                x = self.add(self.attend, path + ".attention", x, next(entries))
                x = self.add(self.feed_forward, path + ".feedforward", x)
            else:
                x = self.add(self.recur, path + ".recurrence", x, options)
            if last:
                ends = ends + x
        x = ends if self.encoder["shortcut"] else x
        return self.norm("encoder.norm", x) if self.pre_norm else x

    def decode(self, memory, target):
        """Returns logits [n, V] for n target ids, each from the preceding ids; the first one from zeros."""
        x = np.zeros((len(target), self.D))
        x[1:] = self.table("target.embedding")[target[:-1]] * math.sqrt(self.D)
        x = x + positions(self.decoder["position"], len(x), self.D)
        for entry, cross in zip(self.decoder["attention"], self.decoder["cross"]):
            path = f"decoder.{entry['layers']}"
            x = self.add(self.attend, path + ".attention", x, entry, None, True)
            x = self.add(self.attend, path + ".cross", x, cross, memory)
            x = self.add(self.feed_forward, path + ".feedforward", x)
        x = self.norm("decoder.norm", x) if self.pre_norm else x
        return x @ self.table("target.softmax").T

    def loss(self, source, target):
        """Returns the sum of -log p over the target ids of a sentence."""
        logits = self.decode(self.encode(source), target)
        logits = logits - logits.max(axis=1, keepdims=True)
        total = np.log(np.exp(logits).sum(axis=1))
        return (total - logits[np.arange(len(target)), target]).sum()


def dev_loss(model, source, target):
    """Returns the mean loss per target token, the number of tokens, and the number of pairs."""
    lines = [lines_of(Path(path).read_bytes()) for path in (source, target)]
    if len(lines[0]) != len(lines[1]):
        raise Refused(f"{source} has {len(lines[0])} lines, {target} has {len(lines[1])}")
    total, tokens, pairs, most = 0.0, 0, 0, model.corpus["max_words"]
    for pair in zip(*lines):
        words = [text.words(line) for text, line in zip(model.text, pair)]
        if most and max(map(len, words)) > most:
            continue
        ids = [text.ids(side) for text, side in zip(model.text, words)]
        total += model.loss(*ids)
        tokens += len(ids[1])
        pairs += 1
    if not pairs:
        raise Refused(f"{source}: no pair is left by corpus.max_words: {most}")
    if model.unread:
        raise Refused(f"the tensor {min(model.unread)} has no use here")
    return total / tokens, tokens, pairs


def guarded(name, compute, path, *files):
    """Returns compute(path, *files). Exits with one line if the model or a file is invalid."""
    try:
        if np:
            np.seterr(divide="raise", over="raise", invalid="raise")
        return compute(path, *files)
    except (Refused, OSError, UnicodeDecodeError) as error:
        sys.exit(f"{name}: {error}")
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        sys.exit(f"{name}: {path}: not a model of sanlab: {error!r}")


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: load_model.py MODEL.safetensors SOURCE TARGET")
    loss, tokens, pairs = guarded("load_model", lambda path, *files: dev_loss(Model(path), *files),
                                  *sys.argv[1:])
    print(f"dev_loss {loss:.12g}: {tokens} target tokens, {pairs} pairs")


if __name__ == "__main__":
    main()
