"""Computes the values of the task `tree` of probes of words again, from vectors, maps and treebanks.

    tree_scores.py STAGE VECTORS TRAIN DEV TEST [FURTHER]

STAGE has distance.npy and depth.npy, VECTORS has words.npy and sentences.tsv. Prints NAME VALUE for each value of
dev, test and the further set. Written from docs/probing.md and Hewitt and Manning 2019, with Python's standard
library alone. The spanning tree is Kruskal's."""

import array
import ast
import collections
import math
import struct
import sys

from word_controls import SETS, read_treebank


def read_npy(path):
    data = open(path, "rb").read()
    size = struct.unpack("<H", data[8:10])[0]
    rows, columns = ast.literal_eval(data[10:10 + size].decode())["shape"]
    values = array.array("f", data[10 + size:])
    return [values[i * columns:(i + 1) * columns] for i in range(rows)]


def read_vectors(folder):
    """Returns {(set, number): rows of the sentence}."""
    rows, at, found = read_npy(folder + "/words.npy"), 0, {}
    for line in open(folder + "/sentences.tsv", encoding="utf-8"):
        name, number, text = line.rstrip("\n").split("\t")
        words = len(text.split(" "))
        found[name, int(number)] = rows[at:at + words]
        at += words
    return found


def project(row, matrix):
    return [sum(row[i] * matrix[i][j] for i in range(len(row))) for j in range(len(matrix[0]))]


def ways(heads):
    """Returns for each word the words from it to the root."""
    found = []
    for w in range(len(heads)):
        way = [w]
        while heads[way[-1]]:
            way.append(heads[way[-1]] - 1)
        found.append(way)
    return found


def edges_between(a, b):
    return len(set(a) ^ set(b))


def ranks(values):
    order = sorted(values)
    return [order.index(v) + (order.count(v) + 1) / 2 for v in values]


def spearman(x, y):
    x, y = ranks(x), ranks(y)
    mx, my = sum(x) / len(x), sum(y) / len(y)
    xy = sum((a - mx) * (b - my) for a, b in zip(x, y))
    xx, yy = sum((a - mx) ** 2 for a in x), sum((b - my) ** 2 for b in y)
    return xy / math.sqrt(xx * yy) if xx and yy else 0


def spanning_tree(distance, words):
    group, edges = {w: w for w in words}, set()
    for _, a, b in sorted((distance[a][b], a, b) for a in words for b in words if a < b):
        if group[a] != group[b]:
            old = group[b]
            for w in words:
                if group[w] == old:
                    group[w] = group[a]
            edges.add((a, b))
    return edges


def mean_by_length(lists):
    means = [sum(v) / len(v) for v in lists.values()]
    return sum(means) / len(means)


def main():
    stage, vectors = sys.argv[1], read_vectors(sys.argv[2])
    maps = [read_npy(f"{stage}/{name}.npy") for name in ("distance", "depth")]
    known = set()
    for name, path in zip(SETS, sys.argv[3:]):
        right = collections.Counter()
        distances, depths = collections.defaultdict(list), collections.defaultdict(list)
        for _, number, words in read_treebank(path):
            text = " ".join(word[0] for word in words)
            if text in known:
                continue
            known.add(text)
            if name == "train":
                continue
            heads = [word[2] for word in words]
            kept = [w for w in range(len(words)) if words[w][1] != "PUNCT"]
            rows = vectors[name, number]
            z, y = ([project(row, matrix) for row in rows] for matrix in maps)
            distance = [[sum((p - q) ** 2 for p, q in zip(a, b)) for b in z] for a in z]
            depth = [sum(v * v for v in row) for row in y]
            way = ways(heads)
            true = [[edges_between(a, b) for b in way] for a in way]
            gold = {(min(w, h - 1), max(w, h - 1)) for w, h in enumerate(heads)
                    if h and w in kept and h - 1 in kept}
            right["edges"] += len(gold)
            right["accuracy"] += len(gold & spanning_tree(distance, kept))
            right["neighbors"] += len(gold & set(zip(kept, kept[1:])))
            root = heads.index(0)
            if root in kept:
                right["roots"] += 1
                right["root"] += min(kept, key=lambda w: depth[w]) == root
            if 5 <= len(words) <= 50:
                distances[len(words)] += [spearman(a, b) for a, b in zip(distance, true)]
                depths[len(words)].append(spearman(depth, [len(w) - 1 for w in way]))
        if name == "train":
            continue
        prefix = {"dev": "dev_", "test": "", "further": "further_"}[name]
        for value in ("accuracy", "neighbors"):
            print(prefix + value, 100 * right[value] / right["edges"])
        print(prefix + "root", 100 * right["root"] / right["roots"])
        print(prefix + "distance", mean_by_length(distances))
        print(prefix + "depth", mean_by_length(depths))


if __name__ == "__main__":
    main()
