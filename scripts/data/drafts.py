"""Drafts of probing tasks."""

from collections import Counter
from itertools import groupby
from operator import itemgetter

import philox

SPLITS = "tr", "va", "te"
TR, VA, TE = range(3)

# Steps of random numbers. The steps of makers count from 0.
STEP_TEXT, STEP_LINES = 1000, 1001
# Minimum lines of tr for each label; half of the requested lines if that is less. The minimum for va and te is
# a tenth of this number.
LEAST_LINES = 100
PARTS = 12  # split ratio 10:1:1


def tenth(lines):
    """Returns the number of lines of va (and of te) for `lines` lines of tr."""
    return max(lines // 10, 1)


class Draft:
    """Chooses the lines of tr, va and te of a task from labeled candidates.

    Candidates of a group stay together in a split. Groups are taken in random order. A group goes to te if no
    label then has more than a twelfth of its candidates in te. Otherwise va is tried in the same way. All
    other groups go to tr. Then each split keeps the same number of lines of every label. It is the number of
    the rarest label in this split, but at most the requested number."""

    def __init__(self, name, seed, items):
        self.name, self.items = name, items  # maximum lines of tr; va and te have a tenth
        self.key = seed, philox.stream(f"corpus tasks/{name}")
        self.least = min(items // 2, LEAST_LINES)  # minimum lines of tr for each label
        self.candidates = {}  # {text: (label, group)}
        self.problem = None  # reason why the task cannot be made
        self.left = ""  # part of a message: "; left out: .."
        self.about = None  # how classes were chosen: "the words of rank 21 to 30"
        self.labels = []
        self.each = [0, 0, 0]  # lines of each label in each split
        self.lines = []  # of the file

    def add(self, label, text, group=None):
        """Adds a candidate. Without group, it is a group of its own. Returns False if the text is known."""
        if text in self.candidates:
            return False
        self.candidates[text] = label, text if group is None else group
        return True

    def leave(self, count, why):
        """Records that `count` sentences are left out, and why."""
        if count:
            self.left += f"{', ' if self.left else '; left out: '}{count} {why}"

    def fail(self, why):
        """Records the reason why the task cannot be made. Only the first reason is kept."""
        self.problem = self.problem or why

    def random(self, step, count):
        """Returns the words of a block for each of `count` sentences, for philox.below."""
        return philox.blocks(self.key, range(count), step)

    def need(self):
        """Returns the minimum number of candidates of a label, for tr, va and te together."""
        return self.least + 2 * tenth(self.least)

    def most_of(self, split):
        """Returns the maximum number of lines of a label in a split."""
        most = self.items // len(self.labels)
        return max(most, 1) if split == TR else tenth(most)

    def least_of(self, split):
        """Returns the minimum number of lines of a label in a split."""
        return min(self.least if split == TR else tenth(self.least), self.most_of(split))

    def split(self):
        """Chooses the lines of each split, or records a problem."""
        counts = Counter(label for label, _ in self.candidates.values())
        self.labels = list(counts)
        for label, count in counts.items():
            if count < self.need():
                self.fail(f"class {label} has {count} sentences; needed {self.need()}{self.left}")
        if len(counts) < 2:
            self.fail(f"{len(counts)} class{'' if len(counts) == 1 else 'es'} of at least {self.need()} "
                      f"sentences; needed two{self.left}")
        if not self.problem:
            order = self.order()
            self.balance(order, *self.assign(order, counts))

    def order(self):
        """Returns the candidates (group, own, text, label) in the order in which they are assigned.

        The first two are random numbers, which depend only on the group and on the text."""
        numbers = dict.fromkeys(self.candidates)
        numbers.update(dict.fromkeys(group for _, group in self.candidates.values()))
        words = philox.blocks(self.key, [philox.stream(text) for text in numbers], STEP_TEXT)
        for text, word in zip(numbers, words):
            numbers[text] = (word & philox.WORD) << 32 | word >> 32
        return sorted((numbers[group], numbers[text], text, label)
                      for text, (label, group) in self.candidates.items())

    def assign(self, order, counts):
        """Returns the split of each candidate, and the number of candidates of each label in each split."""
        splits, have = [], [dict.fromkeys(counts, 0) for _ in SPLITS]
        most = {label: count // PARTS for label, count in counts.items()}
        for _, members in groupby(order, itemgetter(0)):
            labels = [label for _, _, _, label in members]
            for split in (TE, VA, TR):
                for label in labels:
                    have[split][label] += 1
                if split == TR or all(have[split][label] <= most[label] for label in labels):
                    break
                for label in labels:
                    have[split][label] -= 1
            splits += [split] * len(labels)
        return splits, have

    def balance(self, order, splits, have):
        """Keeps the same number of lines of each label in a split, in random order."""
        for split, name in enumerate(SPLITS):
            least = self.least_of(split)
            for label in self.labels:
                if have[split][label] < least:
                    self.fail(f"class {label} has {have[split][label]} sentences for {name}; needed "
                              f"{least}{self.left}")
            self.each[split] = min(self.most_of(split), *(have[split][label] for label in self.labels))
        chosen, left = [], [dict.fromkeys(self.labels, each) for each in self.each]
        for split, (_, _, _, label) in zip(splits, order):
            chosen.append(left[split][label] > 0)
            left[split][label] -= chosen[-1]
        self.leave(chosen.count(False), "so that all classes have the same size")
        lines = [[] for _ in SPLITS]
        for i in philox.permutation(self.key, STEP_LINES, len(order)):
            if chosen[i]:
                _, _, text, label = order[i]
                lines[splits[i]].append(f"{SPLITS[splits[i]]}\t{label}\t{text}")
        self.lines = sum(lines, [])

    def summary(self):
        """Returns one line: the number of lines of each split, the labels, and what was left out."""
        sizes = ", ".join(f"{name} {each * len(self.labels)}" for name, each in zip(SPLITS, self.each))
        about = self.about or ", ".join(sorted(self.labels))
        return f"{self.name:12} {sizes}; {len(self.labels)} classes: {about}{self.left}"
