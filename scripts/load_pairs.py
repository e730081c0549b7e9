#!/usr/bin/env python3
"""Computes the accuracy of a trained classifier of pairs from its exported file, with numpy:

    sanlab export model RELATE --out MODEL.safetensors
    scripts/load_pairs.py MODEL.safetensors FILE..

Each line of FILE is a pair of statements: relation, premise and hypothesis, separated by tabs. The
metadata has the symbols and the relations. The encoder is that of load_model.py. The vector of a
statement is its last row, the mean of its rows, or the outputs of K learned queries that attend to its
rows. The classifier reads [u; v] or [u; v; u v; |u - v|]. It prints the accuracy over all pairs, which
is the last line of sanlab logic test."""

import json
import sys
from pathlib import Path

from load_model import Model, Refused, guarded, lines_of, np

ATTEND = {"terms": [], "branches": ["global"]}


class Pairs(Model):
    def __init__(self, path):
        options, metadata = self.read(path)
        if "logic" not in options:
            raise Refused("a translator; expected load_model.py")
        self.logic = options["logic"]
        self.symbols, self.relations = (json.loads(metadata[key]) for key in ("symbols", "relations"))

    def table(self, name):
        """Returns [V, D]. A model has rows for six variables, even if fewer are declared."""
        return self.tensor(name, len(self.tensors[name]), self.D)

    def vector(self, statement):
        """Returns [D], or [K D] with K queries."""
        x = self.encode(np.array([self.symbols.index(word) for word in statement.split(" ")]))
        pool = self.logic["pool"]
        if isinstance(pool, dict):
            queries = self.tensor("pool.queries", pool["queries"], self.D)
            return self.attend("pool", queries, ATTEND, x).reshape(-1)
        return x[-1] if pool == "last" else x.mean(axis=0)

    def relation(self, premise, hypothesis):
        """Returns the most probable relation. Ties go to the first one."""
        u, v = self.vector(premise), self.vector(hypothesis)
        match = [u * v, np.abs(u - v)] if self.logic["features"] == "match" else []
        x = np.concatenate([u, v, *match])[None]
        for number, width in enumerate(self.logic["hidden"], 1):
            width = self.D if width == "width" else width
            x = np.maximum(self.linear(f"classifier.{number}", x, width, True), 0)
        return self.relations[self.linear("logits", x, len(self.relations), True).argmax()]


def accuracy(path, *files):
    model, right, pairs = Pairs(path), 0, 0
    for file in files:
        for line in lines_of(Path(file).read_bytes()):
            relation, premise, hypothesis = line.split("\t")
            right += model.relation(premise, hypothesis) == relation
            pairs += 1
    if model.unread:
        raise Refused(f"the tensor {min(model.unread)} has no use here")
    return 100 * right / pairs, pairs


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: load_pairs.py MODEL.safetensors FILE..")
    print("accuracy {:.12g}: {} pairs".format(*guarded("load_pairs", accuracy, *sys.argv[1:])))


if __name__ == "__main__":
    main()
