"""Runs SentEval's classifier for comparison with ours; started by scripts/compare/senteval.sh.

    senteval_peer.py FOLDER vectors TASK.txt OUT.npy
    senteval_peer.py FOLDER losses VECTORS.npy TASK.txt HIDDEN DROPOUT UPDATES OURS
    senteval_peer.py FOLDER whole VECTORS.npy TASK.txt HIDDEN DROPOUT OURS PREDICTIONS
    senteval_peer.py FOLDER time VECTORS.npy TASK.txt HIDDEN DROPOUT THREADS

FOLDER is a checkout of SentEval; its files are not changed. Their imports are replaced: by PyTorch
without a GPU and, except for `time`, by initial values, permutations and dropout masks from our
Philox. OURS has both output streams of build/tests/tool/probe_file."""

import importlib
import inspect
import os
import re
import sys
import time
import types

import numpy as np
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import philox  # noqa: E402

SEED = 1111  # as in SentEval


class Instead:
    """A module with some names replaced."""

    def __init__(self, module, **names):
        self.__dict__.update(names)
        self.module = module

    def __getattr__(self, name):
        return getattr(self.module, name)


class Permutations:
    """numpy.random as classifier.py uses it: seed() begins a training."""

    def __init__(self):
        self.epoch = 0

    def seed(self, _):
        self.epoch = 0

    def permutation(self, count):
        self.epoch += 1
        return philox.permute(SEED, "probe.epoch", self.epoch - 1, count)


class Dropout(torch.nn.Module):
    """Masks of our Philox: a function of update, row and unit."""

    def __init__(self, probability):
        super().__init__()
        self.probability, self.update = probability, 0

    def forward(self, x):
        if not self.training or self.probability == 0:
            return x
        index = np.arange(x.numel()).reshape(x.shape)
        mask = philox.dropout_mask(SEED, "probe.dropout", index, self.update, 0, self.probability)
        self.update += 1
        return x * torch.from_numpy(mask.astype(np.float32))


def start(model):
    """Sets the initial values of the linear layers. PyTorch stores weights as [out, in]."""
    layers = [m for m in model if isinstance(m, torch.nn.Linear)]
    for layer, name in zip(layers, ["probe.hidden", "probe.output"][-len(layers):]):
        spread = 1 / np.sqrt(layer.in_features)
        for part, value in (("weight", layer.weight), ("bias", layer.bias)):
            shape = tuple(value.shape)[::-1]
            drawn = philox.uniform(SEED, "%s.%s" % (name, part), np.arange(value.numel()))
            drawn = (spread * (2 * drawn - 1)).astype(np.float32).reshape(shape)
            value.data.copy_(torch.from_numpy(np.ascontiguousarray(drawn.T)))


def load(folder):
    """Loads modules of SentEval without its package, which has unneeded imports."""
    package = types.ModuleType("senteval")
    package.__path__ = [os.path.join(folder, "senteval")]
    sys.modules["senteval"] = package
    unused = {name: types.ModuleType(name)
              for name in ("sklearn", "sklearn.linear_model", "sklearn.model_selection")}
    unused["sklearn"].__version__ = "1.0"
    unused["sklearn.linear_model"].LogisticRegression = lambda **_: None
    unused["sklearn.model_selection"].StratifiedKFold = None
    sys.modules.update(unused)
    utils, classifier, validation, probing = (
        importlib.import_module("senteval." + name)
        for name in ("utils", "tools.classifier", "tools.validation", "probing"))
    for name in unused:  # PyTorch looks for these modules, too
        del sys.modules[name]
    utils.inspect = Instead(inspect, getargspec=inspect.getfullargspec)
    torch.nn.Module.cuda = torch.Tensor.cuda = lambda self: self
    classifier.torch = Instead(torch, device=lambda _: torch.device("cpu"), cuda=types.SimpleNamespace(
        manual_seed=lambda _: None, FloatTensor=torch.FloatTensor))
    return classifier, validation, probing


class Task:
    """A task on given vectors. Each sentence has the index of its row in the file."""

    def __init__(self, probing, vectors, path):
        class Sentence(list):
            row = 0

        with open(path, encoding="utf-8") as file:
            splits = [line.split("\t", 1)[0] for line in file]
        self.name = os.path.basename(path)
        name = "WordContent" if self.name == "word_content.txt" else self.name
        self.task = probing.PROBINGEval(name, path, SEED)
        self.vectors = np.load(vectors)
        assert len(splits) == len(self.vectors)
        for short, split in self.task.tok2split.items():
            rows = [i for i, s in enumerate(splits) if s == short]
            sentences = [Sentence(x) for x in self.task.task_data[split]["X"]]
            for sentence, row in zip(sentences, rows):
                sentence.row = row
            self.task.task_data[split]["X"] = sentences

    def run(self, classifier):
        params = types.SimpleNamespace(batch_size=128, usepytorch=True, classifier=classifier)
        return self.task.run(params, lambda _, batch: self.vectors[[s.row for s in batch]])


class Watched:
    """Runs trainings from our initial values; records their losses and the last model."""

    def __init__(self, classifier, validation, losses):
        self.real, self.losses, self.last = classifier.MLP, losses, None
        classifier.np = Instead(np, random=Permutations())
        validation.MLP = self.make

    def make(self, *words, **named):
        self.last = self.real(*words, **named)
        model = self.last.model
        start(model)
        if len(model) > 1:
            model[1] = Dropout(model[1].p)
        loss_fn, losses = self.last.loss_fn, []
        self.losses.append((named["l2reg"], losses))

        def lose(output, label):
            loss = loss_fn(output, label)
            losses.append(loss.item())
            return loss

        self.last.loss_fn = lose
        return self.last


def main():
    folder, what, words = sys.argv[1], sys.argv[2], sys.argv[3:]
    if what == "vectors":
        return make_vectors(*words)
    classifier, validation, probing = load(folder)
    task = Task(probing, words[0], words[1])
    options = {"nhid": int(words[2]), "dropout": float(words[3])}
    torch.set_num_threads(int(words[4]) if what == "time" else 1)
    losses = []
    watched = None if what == "time" else Watched(classifier, validation, losses)
    if what == "losses":
        options["max_epoch"] = 0
    begin = time.time()
    result = task.run(options)
    seconds = time.time() - begin
    if what == "losses":
        return compare_losses(task.name, losses, int(words[4]), words[5])
    if what == "time":
        print("%.2f %.2f" % (seconds, result["acc"]))
        return 0
    return compare_whole(task, watched, losses, result, words[4], words[5])


def make_vectors(path, out):
    """Writes means of random word vectors, D = 128; reproducible on every machine."""
    drawn, rows = {}, []
    with open(path, encoding="utf-8") as file:
        for line in file:
            tokens = line.rstrip().split("\t")[-1].lower().split()
            for token in tokens:
                if token not in drawn:
                    drawn[token] = philox.normal(1, token, np.arange(128))
            rows.append(np.mean([drawn[token] for token in tokens], axis=0))
    np.save(out, np.array(rows, np.float32))
    return 0


def compare_losses(name, theirs, updates, path):
    """Compares every loss of the first updates for every L2."""
    ours = {}
    for setting, update, loss in re.findall(
            r"^\[probe\] setting (\d+) update (\d+) loss (\S+)$", open(path).read(), re.M):
        ours[int(setting), int(update)] = float(loss)
    worst, count = 0, 0
    for setting in range(4):
        for update, loss in enumerate(theirs[setting][1][:updates]):
            worst = max(worst, abs(loss - ours[setting, update]))
            count += 1
    print("%s: %d losses, largest difference %.1e" % (name, count, worst))
    return 0 if worst <= 1e-5 and count >= min(4 * updates, 4 * len(theirs[0][1])) else 1


def compare_whole(task, watched, losses, result, ours, predictions):
    """Compares the chosen L2, and the predictions for dev and test."""
    chosen_l2 = losses[4][0]
    text = open(ours).read()
    chosen = int(re.search(r"^chosen (\d+)", text, re.M).group(1))
    own = float(re.search(r"^setting %d .* l2 (\S+)" % chosen, text, re.M).group(1))
    updates = int(re.search(r"^setting %d .*updates (\d+)" % chosen, text, re.M).group(1))
    theirs = [int(y[0]) for split in ("dev", "test") for y in watched.last.predict(
        task.vectors[[s.row for s in task.task.task_data[split]["X"]]])]
    mine = [int(line) for line in open(predictions)]
    equal = sum(a == b for a, b in zip(theirs, mine))
    print("%s: L2 %g, theirs %g; %d updates, theirs %d; %d of %d predictions equal; test %.2f" % (
        task.name, own, chosen_l2, updates, len(losses[4][1]), equal, len(theirs), result["acc"]))
    same = abs(own - chosen_l2) < 1e-12 and len(mine) == len(theirs)
    return 0 if same and equal >= .999 * len(theirs) else 1


if __name__ == "__main__":
    sys.exit(main())
