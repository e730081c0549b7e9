#!/usr/bin/env python3
"""Compares probes of words with a program in PyTorch, which was written from docs/probing.md.

    scripts/compare/words.py FOLDER [--data DIR] [--tasks pos,head] [--words 40000]

FOLDER is new. Python needs numpy and torch. The vectors are made up: random embeddings of a word and its neighbors.
Sanlab and this program train the four sizes of each task and its control task on the same words of UD English-EWT.
Prints the accuracies on test. Exits with 1 if two differ by more than 1.5 points."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import torch

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
import word_controls  # noqa: E402

WIDTH, SIZES, MOST = 48, [0, 10, 50, 200], 1.5


def make_vectors(paths, folder):
    """Writes words.npy and sentences.tsv. Returns {(set, number): rows}."""
    random, of_form = np.random.default_rng(1), {}
    rows, found = [], {}
    with open(folder / "sentences.tsv", "w", encoding="utf-8") as index:
        for name, path in zip(word_controls.SETS, paths):
            for _, number, words in word_controls.read_treebank(path):
                forms = [word[0] for word in words]
                own = np.array([of_form.setdefault(f, random.standard_normal(WIDTH)) for f in forms])
                both = own.copy()
                both[1:] += own[:-1, ::-1] / 2
                both[:-1] += np.roll(own[1:], 7, axis=1) / 2
                both += np.cos(np.arange(len(forms))[:, None] / 1.5 ** np.arange(WIDTH)) / 2
                found[name, number] = both.astype("<f4")
                rows.append(found[name, number])
                print(name, number, " ".join(forms), sep="\t", file=index)
    np.save(folder / "words.npy", np.concatenate(rows))
    return found


def run_sanlab(folder, prefix, tasks):
    grid = folder / "words.yaml"
    grid.write_text(f"grid: words\nevaluate:\n  words: {{tasks: [{', '.join(tasks)}], treebank: {prefix}, vectors: .}}\n")
    subprocess.run([ROOT / "sanlab", "run", grid, "--runs", folder / "runs", "--quiet"], check=True)
    results = {}
    for task in tasks:
        stage = next((folder / "runs/names/words/words").glob(f"*/words.{task}*"))
        sizes = [line.split("\t") for line in (stage / "sizes.tsv").read_text().splitlines()[1:]]
        results[task] = {int(size[0]): (float(size[2]), float(size[4])) for size in sizes}
    return results


class Labels(torch.nn.Module):
    """A linear classifier, or one with a layer of sigmoid units."""

    def __init__(self, hidden, labels):
        super().__init__()
        layers = [torch.nn.Linear(WIDTH, hidden), torch.nn.Sigmoid()] if hidden else []
        self.net = torch.nn.Sequential(*layers, torch.nn.Linear(hidden or WIDTH, labels))

    def forward(self, x):
        return self.net(x)


class Heads(torch.nn.Module):
    """Energies of all pairs of words of a sentence."""

    def __init__(self, hidden, _):
        super().__init__()
        self.hidden = hidden
        self.a = torch.nn.Parameter((2 * torch.rand(WIDTH, WIDTH) - 1) / WIDTH)
        if hidden:
            self.u, self.v = torch.nn.Linear(WIDTH, hidden), torch.nn.Linear(WIDTH, hidden, bias=False)
            self.w = torch.nn.Linear(hidden, 1, bias=False)

    def forward(self, x):
        if not self.hidden:
            return x @ self.a @ x.T
        return self.w(torch.relu(self.u(x)[:, None] + self.v(x)[None])).squeeze(-1)


def train(make, batches, dev, test, hidden, labels):
    """Trains until the 4th score on dev that is not better; returns the accuracy on test."""
    torch.manual_seed(7 + hidden)
    model = make(hidden, labels)
    adam = torch.optim.Adam(model.parameters(), 1e-3)
    best, failures, result = -1, 0, 0
    for _ in range(40):
        for items in batches():
            losses = [torch.nn.functional.cross_entropy(model(x)[rows], y[rows], reduction="sum") for x, y, rows in items]
            loss = sum(losses) / sum(len(rows) for _, _, rows in items)
            adam.zero_grad()
            loss.backward()
            adam.step()
        with torch.no_grad():
            def score(text):
                right = sum((model(x)[rows].argmax(1) == y[rows]).sum().item() for x, y, rows in text)
                return 100 * right / sum(len(rows) for _, _, rows in text)
            if score(dev) > best:
                best, result = score(dev), score(test)
            else:
                failures += 1
        if failures == 4:
            break
    return result


def examples(task, items, vectors, control):
    """Returns {set: [(x, y, rows)]}: all words of a set for labels, a sentence each for heads."""
    by_sentence, labels = {}, {}
    for item in items:
        label = control(item) if control else item[5]
        if task == "head":
            label = label - 1 if control else item[3] + item[5]
        else:
            label = labels.setdefault(label, len(labels))
        by_sentence.setdefault((item[0], item[2]), []).append((item[3], label))
    text = {name: [] for name in word_controls.SETS[:3]}
    for key, pairs in by_sentence.items():
        y = torch.zeros(len(vectors[key]), dtype=torch.long)
        rows = torch.tensor([i for i, _ in pairs])
        y[rows] = torch.tensor([label for _, label in pairs])
        text[key[0]].append((torch.tensor(vectors[key]), y, rows))
    if task != "head":
        for name, parts in text.items():
            x, y = torch.cat([p[0][p[2]] for p in parts]), torch.cat([p[1][p[2]] for p in parts])
            text[name] = [(x, y, torch.arange(len(x)))]
    return text, len(labels)


def compare(task, items, vectors, ours):
    control, worst = word_controls.control_of(task, items), 0
    for kind in range(2):
        text, labels = examples(task, items, vectors, control if kind else None)

        def batches():
            if task == "head":
                order = np.random.permutation(len(text["train"]))
                return [[text["train"][i] for i in order[at:at + 16]] for at in range(0, len(order), 16)]
            (x, y, _), = text["train"]
            order = torch.randperm(len(x)).split(128)
            return [[(x[o], y[o], torch.arange(len(o)))] for o in order]

        for size in SIZES:
            theirs = train(Heads if task == "head" else Labels, batches, text["dev"], text["test"], size, labels)
            worst = max(worst, abs(ours[size][kind] - theirs))
            print(f"{task} {'control' if kind else 'task'} {size} units: sanlab {ours[size][kind]:.2f}, "
                  f"PyTorch {theirs:.2f}", flush=True)
    return worst


def cut(path, to, most):
    """Copies the first documents of a treebank, up to a number of words."""
    words, text = 0, []
    for block in Path(path).read_text(encoding="utf-8").split("\n\n"):
        if block.startswith("# newdoc") and words > most:
            break
        words += sum(not line.startswith("#") for line in block.split("\n"))
        text.append(block)
    to.write_text("\n\n".join(text).rstrip() + "\n\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--data", default=os.environ.get("SANLAB_DATA", "data"))
    parser.add_argument("--tasks", default="pos,relation,distance,head")
    parser.add_argument("--words", type=int, default=40000)
    call = parser.parse_args()
    call.folder.mkdir()
    folder = call.folder.resolve()
    paths = [folder / f"t-{name}.conllu" for name in word_controls.SETS[:3]]
    for name, path in zip(word_controls.SETS, paths):
        cut(f"{call.data}/pos/en_ewt-ud-{name}.conllu", path, call.words if name == "train" else call.words // 4)
    vectors = make_vectors(paths, folder)
    ours = run_sanlab(folder, folder / "t", call.tasks.split(","))
    worst = 0
    for task in call.tasks.split(","):
        worst = max(worst, compare(task, word_controls.read(task, paths), vectors, ours[task]))
    print(f"largest difference {worst:.2f} points; expected at most {MOST}")
    sys.exit(worst > MOST)


if __name__ == "__main__":
    main()
