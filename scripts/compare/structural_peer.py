"""Trains structural probes in PyTorch, for comparison with the task `tree` of the stage `words`.

    structural_peer.py VECTORS PREFIX RANK SEEDS

VECTORS is a folder with words.npy and sentences.tsv, as for evaluate.words.vectors. PREFIX-train.conllu,
PREFIX-dev.conllu and PREFIX-test.conllu are the treebanks. Written from Hewitt and Manning 2019 and docs/probing.md;
needs torch, numpy and scipy. Initial maps and batches are PyTorch's own, so values agree only within the noise of
seeds. Prints UUAS, root accuracy and both correlations on test for each seed."""

import collections
import os
import sys

import numpy as np
import scipy.sparse.csgraph
import scipy.stats
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "support"))
from word_controls import read_treebank  # noqa: E402

SETS = ("train", "dev", "test")


def read(folder, prefix):
    """Returns by set the sentences (vectors, tags, heads), without duplicates."""
    rows, at, vectors = np.load(folder + "/words.npy"), 0, {}
    for line in open(folder + "/sentences.tsv", encoding="utf-8"):
        name, number, text = line.rstrip("\n").split("\t")
        count = text.count(" ") + 1
        vectors[name, int(number)] = torch.from_numpy(rows[at:at + count].astype(np.float32))
        at += count
    known, sets = set(), {}
    for name in SETS:
        sets[name] = []
        for _, number, words in read_treebank(f"{prefix}-{name}.conllu"):
            text = " ".join(word[0] for word in words)
            if text not in known:
                sets[name].append((vectors[name, number], [w[1] for w in words], [w[2] for w in words]))
            known.add(text)
    return sets


def true_numbers(heads):
    """Returns depths and distances, by breadth-first search over the edges."""
    n = len(heads)
    graph = scipy.sparse.lil_matrix((n, n))
    for w, head in enumerate(heads):
        if head:
            graph[w, head - 1] = 1
    distance = scipy.sparse.csgraph.shortest_path(graph.tocsr(), directed=False, unweighted=True)
    return torch.tensor(distance[heads.index(0)], dtype=torch.float32), torch.tensor(distance, dtype=torch.float32)


def predict(matrix, x, depth):
    z = x @ matrix
    return (z * z).sum(-1) if depth else torch.cdist(z, z, compute_mode="donot_use_mm_for_euclid_dist") ** 2


def loss_of(matrix, batch, depth):
    x = torch.nn.utils.rnn.pad_sequence([s[0] for s in batch], batch_first=True)
    z = x @ matrix
    total = 0
    for i, (_, gold) in enumerate(batch):
        n = len(gold)
        own = z[i, :n]
        if depth:
            predicted = (own * own).sum(-1)
        else:
            predicted = ((own[:, None] - own[None]) ** 2).sum(-1)
        total = total + (predicted - gold).abs().mean()
    return total / len(batch)


def train(sets, rank, seed, depth):
    torch.manual_seed(seed)
    data = {name: [(s[0], s[3 if depth else 4]) for s in sets[name]] for name in SETS[:2]}
    matrix = torch.nn.Parameter(torch.empty(data["train"][0][0].shape[1], rank).uniform_(-0.05, 0.05))
    adam = torch.optim.Adam([matrix], lr=0.001)
    slower = torch.optim.lr_scheduler.ReduceLROnPlateau(adam, mode="min", factor=0.1, patience=0)
    least, best, when = float("inf"), None, 0
    for epoch in range(40):
        order = torch.randperm(len(data["train"])).tolist()
        for at in range(0, len(order), 20):
            adam.zero_grad()
            loss_of(matrix, [data["train"][i] for i in order[at:at + 20]], depth).backward()
            adam.step()
        with torch.no_grad():
            dev = data["dev"]
            loss = sum(float(loss_of(matrix, dev[at:at + 20], depth)) * len(dev[at:at + 20])
                       for at in range(0, len(dev), 20)) / len(dev)
        slower.step(loss)
        if loss < least - 0.0001:
            least, best, when = loss, matrix.detach().clone(), epoch
        elif when < epoch - 4:
            break
    return best, least, epoch + 1


def score(sets, matrix, depth):
    right, of, lists = 0, 0, collections.defaultdict(list)
    for x, tags, heads, depths, distances in sets["test"]:
        predicted = predict(matrix, x, depth).numpy()
        n, kept = len(heads), [w for w in range(len(heads)) if tags[w] != "PUNCT"]
        if depth:
            root = heads.index(0)
            if root in kept:
                of += 1
                right += kept[int(np.argmin(predicted[kept]))] == root
            if 5 <= n <= 50:
                lists[n].append(scipy.stats.spearmanr(predicted, depths.numpy()).correlation)
            continue
        gold = {frozenset((w, h - 1)) for w, h in enumerate(heads) if h and w in kept and h - 1 in kept}
        tree = scipy.sparse.csgraph.minimum_spanning_tree(predicted[np.ix_(kept, kept)] + 1e-9).tocoo()
        of += len(gold)
        right += len(gold & {frozenset((kept[a], kept[b])) for a, b in zip(tree.row, tree.col)})
        if 5 <= n <= 50:
            lists[n] += [scipy.stats.spearmanr(a, b).correlation for a, b in zip(predicted, distances.numpy())]
    return 100 * right / of, float(np.mean([np.mean(v) for v in lists.values()]))


def main():
    folder, prefix, rank, seeds = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    torch.set_num_threads(1)
    sets = read(folder, prefix)
    for name in SETS:
        sets[name] = [s + true_numbers(s[2]) for s in sets[name]]
    for seed in range(1, seeds + 1):
        for depth in (False, True):
            matrix, loss, epochs = train(sets, rank, seed, depth)
            share, correlation = score(sets, matrix, depth)
            print("seed %d %s dev loss %.4f epochs %d %s %.2f correlation %.4f" %
                  (seed, "depths" if depth else "distances", loss, epochs, "root" if depth else "uuas", share,
                   correlation), flush=True)


if __name__ == "__main__":
    main()
