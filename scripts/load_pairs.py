#!/usr/bin/env python3
"""The accuracy of a classifier of pairs that sanlab has trained, from its exported file alone, with
numpy:

    sanlab export model RELATE --out MODEL.safetensors
    scripts/load_pairs.py MODEL.safetensors FILE..

FILE has a pair of statements a line: relation, premise and hypothesis, with tabs between. Symbols and
relations are those of the metadata. The encoder is that of load_model.py; a statement's vector is
its last row, the mean of its rows, or those of K learned queries that attend to them; the
classifier reads [u; v] or [u; v; u v; |u - v|]. It prints the accuracy over all pairs: the last line
of sanlab logic test."""

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
        """[V, D]; a model has a row for each of six variables, whichever are declared."""
        return self.tensor(name, len(self.tensors[name]), self.D)

    def vector(self, statement):
        """[D], or [K D] of K queries."""
        x = self.encode(np.array([self.symbols.index(word) for word in statement.split(" ")]))
        pool = self.logic["pool"]
        if isinstance(pool, dict):
            queries = self.tensor("pool.queries", pool["queries"], self.D)
            return self.attend("pool", queries, ATTEND, x).reshape(-1)
        return x[-1] if pool == "last" else x.mean(axis=0)

    def relation(self, premise, hypothesis):
        """The most probable relation, of equal ones the first."""
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
