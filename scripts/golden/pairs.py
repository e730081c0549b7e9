"""The classifier of pairs in PyTorch, float64, of Tran et al. 2018 with an LSTM. One encoder reads
premise and hypothesis; each layer adds its LSTM to the stream. The last rows of both are concatenated;
three layers with rectifiers between them follow. One sentence at a time; written from the papers.

Contents of its file:

    source.token, source.start, label     I32, pairs: premise and hypothesis are neighbors
    micro.pairs                           I32, pairs of each micro-batch of an optimizer step
    pool, logits                          [2P, D] and [P, 7] without dropout
    loss                                  sum over pairs, without dropout
    gradient.PATH, moments.PATH           as in files of translators
    training.loss, training.norm          ten steps on the same pairs, dropout on: sums over pairs
    trained.sum                           sum of all parameters after these steps"""

import math

import numpy as np
import torch

import philox
from attention import linear_shapes
from recurrence import Recurrence
from translator import Adam, Translator

STEPS, CLASSES, WORDS = 10, 7, 11
LENGTHS = [1, 5, 9, 4, 1, 1, 7, 9]  # four pairs
OPTIONS = {
    "model": {"width": 10, "heads": 2, "norm": "none", "start": {"uniform": 0.1}, "dropout": 0.2},
    "encoder": {"position": "none", "stack": [{"lstm": {"layers": 2, "direction": "forward"}}]},
    "train": {"rate": 0.01, "schedule": "constant", "loss": "sum", "beta1": 0.9, "beta2": 0.999,
              "epsilon": 1e-8, "l2": 0.0, "clip": 1.4},  # low enough that some steps clip
    "logic": {"hidden": [10, 10]},
}


class PairClassifier(Translator):
    """Uses only the linear layers and the dropout of a translator."""

    def __init__(self, options, seed):
        self.options, self.seed, self.kept = options, seed, None
        self.D = options["model"]["width"]
        self.layers = []
        for entry in options["encoder"]["stack"]:
            (kind, of), = entry.items()
            for _ in range(of["layers"]):
                owner = f"encoder.{len(self.layers) + 1}"
                self.layers.append(Recurrence(owner + ".recurrence", owner, kind, of, self.D))
        limit = options["model"]["start"]["uniform"]
        self.parameter = {}
        for path, shape in self.shapes():
            draw = philox.uniform(seed, path, np.arange(math.prod(shape)))
            self.parameter[path] = torch.tensor((limit * (2 * draw - 1)).reshape(shape),
                                                requires_grad=True)

    def shapes(self):
        yield "source.embedding", (WORDS, self.D)
        for layer in self.layers:
            yield from layer.shapes()
        width = 2 * self.D
        for number, hidden in enumerate(self.options["logic"]["hidden"], 1):
            yield from linear_shapes(f"classifier.{number}", width, hidden)
            width = hidden
        yield from linear_shapes("logits", width, CLASSES)

    def vector(self, sentence, row, step):
        probability = self.options["model"]["dropout"]
        x = self.parameter["source.embedding"][sentence] * math.sqrt(self.D)
        x = self.dropout("encoder.embedding", x, row, step, probability)
        for layer in self.layers:
            x = x + self.dropout(layer.path + ".residual", layer(self, x), row, step, probability)
        return x[-1]

    def classify(self, premise, hypothesis, row=0, step=None):
        x = torch.cat([self.vector(premise, row, step),
                       self.vector(hypothesis, row + len(premise), step)])
        for number in range(1, len(self.options["logic"]["hidden"]) + 1):
            x = torch.relu(self.linear(f"classifier.{number}", x))
        return self.linear("logits", x)


class ConstantAdam(Adam):
    def rate(self, step):
        return self.train["rate"]


def starts(lengths):
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)


def moments(parameter):
    value = parameter.detach().numpy()
    return np.array([value.sum(), (value**2).sum()])


def dump(seed, micro):
    random = np.random.default_rng(seed)
    sentence = [torch.tensor(random.integers(0, WORDS, n)) for n in LENGTHS]
    pairs = len(LENGTHS) // 2
    label = torch.tensor(random.integers(0, CLASSES, pairs))
    row = starts(LENGTHS)
    model = PairClassifier(OPTIONS, seed)

    def loss(first, count, step=None):
        logits = torch.stack([model.classify(sentence[2 * p], sentence[2 * p + 1], int(row[2 * p]),
                                             step) for p in range(first, first + count)])
        return torch.nn.functional.cross_entropy(logits, label[first:first + count],
                                                 reduction="sum"), logits

    whole, logits = loss(0, pairs)
    whole.backward()
    out = {"source.token": torch.cat(sentence).numpy(), "source.start": row,
           "label": label.numpy(), "micro.pairs": np.array(micro),
           "pool": torch.stack([model.vector(s, 0, None) for s in sentence]).detach().numpy(),
           "logits": logits.detach().numpy(), "loss": np.array([whole.item()])}
    for path, p in model.parameter.items():
        out["gradient." + path], out["moments." + path] = p.grad.numpy(), moments(p)
        p.grad = None
    adam, losses, norms = ConstantAdam(model.parameter, OPTIONS["train"], model.D), [], []
    for step in range(STEPS):
        total, first = 0.0, 0
        for count in micro:
            part = loss(first, count, step)[0]
            part.backward()
            total, first = total + part.item(), first + count
        losses.append(total)
        norms.append(adam.update(step))
    out["training.loss"], out["training.norm"] = np.array(losses), np.array(norms)
    out["trained.sum"] = np.array([sum(moments(p)[0] for p in model.parameter.values())])
    return out
