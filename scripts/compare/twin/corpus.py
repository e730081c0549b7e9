"""A prepared corpus folder (core/corpus/corpus_folder.h) and the batches that the C program makes of it:
the same sentences in the same order (core/corpus/batch.h), but padded instead of packed."""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "golden"))
import philox  # noqa: E402

SOURCE, TARGET = 0, 1
POOL_BATCHES = 100


class Split:
    """One shard: packed token ids of both sides (core/corpus/corpus_shard.h)."""

    def __init__(self, path):
        data = Path(path).read_bytes()
        if data[:8] != b"SANSHARD":
            sys.exit(f"{path}: not a shard of sanlab")
        version, self.sentences = np.frombuffer(data, "<u4", 2, 8).tolist()
        if version != 1:
            sys.exit(f"{path}: shard of version {version}, this script reads version 1")
        tokens, at = np.frombuffer(data, "<u8", 2, 16).tolist(), 32
        self.start = np.frombuffer(data, "<i8", 2 * (self.sentences + 1), at).reshape(2, -1)
        at += self.start.nbytes
        self.token = [np.frombuffer(data, "<i4", tokens[0], at),
                      np.frombuffer(data, "<i4", tokens[1], at + 4 * tokens[0])]
        self.length = np.diff(self.start)  # [2, sentences]

    def ids(self, side, sentence):
        return self.token[side][self.start[side][sentence]:self.start[side][sentence + 1]]

    def padded(self, side, sentences):
        """Returns [B, longest] ids, with 0 after each sentence."""
        import torch  # readers of ids do not need it
        rows = [self.ids(side, s) for s in sentences]
        out = np.zeros((len(rows), max(map(len, rows))), np.int64)
        for row, ids in zip(out, rows):
            row[:len(ids)] = ids
        return torch.from_numpy(out)


def cut(split, order, tokens, sentences=None):
    """Divides `order` into consecutive runs with at most `tokens` tokens on either side."""
    runs, run, total = [], [], np.zeros(2, np.int64)
    for sentence in order:
        length = split.length[:, sentence]
        if run and ((total + length > tokens).any() or len(run) == sentences):
            runs.append(np.array(run))
            run, total = [], np.zeros(2, np.int64)
        run.append(sentence)
        total = total + length
    return runs + [np.array(run)]


def epoch_plan(split, tokens, seed, epoch):
    """Returns the batches of one epoch: shuffled, sorted by length in pools of 100 batches, cut, shuffled."""
    batches = []
    order = philox.permute(seed, "epoch.sentences", epoch, split.sentences)
    for pool in cut(split, order, POOL_BATCHES * tokens):
        by_length = np.lexsort((split.length[SOURCE, pool], split.length[TARGET, pool]))
        batches += cut(split, pool[by_length], tokens)
    return [batches[b] for b in philox.permute(seed, "epoch.batches", epoch, len(batches))]


def vocabulary_size(folder):
    """Returns the size of the vocabularies, one token per line. Both are equal, since the preset shares a table."""
    sizes = {len((Path(folder) / f"vocabulary.{side}").read_bytes().splitlines())
             for side in ("source", "target")}
    if len(sizes) != 1:
        sys.exit(f"{folder}: the vocabulary is not joint")
    return sizes.pop()
