"""Computes the controls of probes of words again, from treebanks and the predictions of a stage.

    word_controls.py TASK PREDICTIONS TRAIN DEV TEST [FURTHER]

Prints NAME VALUE for each value of the stage that needs no classifier, or only its predictions. Also checks the
control labels. Written from docs/probing.md, with Python's standard library alone."""

import collections
import math
import sys

SETS = ["train", "dev", "test", "further"]
TASKS = ["pos", "relation", "distance", "head"]


def read_treebank(path):
    """Returns sentences as (document, number, words); a word is (form, tag, head, relation)."""
    sentences, words, document = [], [], 0
    number = 0
    for line in open(path, encoding="utf-8"):
        line = line.rstrip("\n")
        if line.startswith("# newdoc"):
            document += 1
        elif not line:
            if words:
                number += 1
                sentences.append((document, number, words))
            words = []
        elif not line.startswith("#"):
            column = line.split("\t")
            if column[0].isdigit():
                words.append((column[1], column[3], int(column[6]), column[7]))
    if words:
        sentences.append((document, number + 1, words))
    documents = sentences[-1][0] > 0
    return [(s[0] if documents else i, s[1], s[2]) for i, s in enumerate(sentences)]


def philox(seed, stream):
    """Words 0 and 1 of block 0 at step 0, as one number of 64 bits."""
    c, k = [0, 0, 0, 0], [seed, stream]
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [p1 >> 32 ^ c[1] ^ k[0], p1 & 0xFFFFFFFF, p0 >> 32 ^ c[3] ^ k[1], p0 & 0xFFFFFFFF]
        k = [k[0] + 0x9E3779B9 & 0xFFFFFFFF, k[1] + 0xBB67AE85 & 0xFFFFFFFF]
    return c[1] << 32 | c[0]


def stream(text):
    value = 2166136261
    for byte in text.encode():
        value = (value ^ byte) * 16777619 & 0xFFFFFFFF
    return value


def label_of(task, words, i):
    form, tag, head, relation = words[i]
    if task == "pos":
        return tag
    if task == "relation":
        return relation.split(":")[0]
    if task == "head":
        return head - i - 1 if head else None
    if not head:
        return "root"
    return str(abs(head - i - 1)) if abs(head - i - 1) < 10 else "10+"


def read(task, paths):
    """Returns items (set, document, sentence, index, form, label, length of the sentence), without duplicates."""
    known, items = set(), []
    for name, path in zip(SETS, paths):
        for document, number, words in read_treebank(path):
            text = " ".join(word[0] for word in words)
            if text in known:
                continue
            known.add(text)
            for i, word in enumerate(words):
                label = label_of(task, words, i)
                if label is not None:
                    items.append((name, document, number, i, word[0], label, len(words)))
    return items


def accuracy(pairs):
    return 100 * sum(a == b for a, b in pairs) / len(pairs)


def error(rows):
    """Standard error of the accuracy over (document, right) by documents."""
    of, right = collections.Counter(), collections.Counter()
    for document, value in rows:
        of[document] += 1
        right[document] += value
    share, n = sum(right.values()) / len(rows), len(of)
    squares = sum((right[d] - share * of[d]) ** 2 for d in of)
    return 100 * math.sqrt(squares * n / (n - 1)) / len(rows)


def sorted_labels(task, train):
    """Returns the labels of train, sorted by bytes, and their counts."""
    labels = collections.Counter(item[5] for item in train)
    name = (lambda label: b"%+d" % label) if task == "head" else (lambda label: label.encode())
    return sorted(labels, key=name), labels


def control_of(task, items):
    """Returns a function from an item to its control label; a head counts from 1."""
    train = [item for item in items if item[0] == "train"]
    order, labels = sorted_labels(task, train)

    def control(item):
        value = philox(TASKS.index(task), stream(item[4]))
        if task == "head":
            return [item[3], 0, item[6] - 1][3 * value >> 64] + 1
        rest = len(train) * value >> 64
        for label in order:
            if rest < labels[label]:
                return label
            rest -= labels[label]

    return control


def main():
    task, predictions, paths = sys.argv[1], sys.argv[2], sys.argv[3:]
    items = read(task, paths)
    train = [item for item in items if item[0] == "train"]
    order, labels = sorted_labels(task, train)
    control = control_of(task, items)
    forms = collections.Counter(item[4] for item in train)
    of_form = collections.defaultdict(collections.Counter)
    for item in train:
        of_form[item[4]][item[5]] += 1

    def best(count):
        return max(order, key=lambda label: (count[label], -order.index(label)))

    majority = best(labels)
    of_form = {form: best(count) for form, count in of_form.items()}
    rows = {}
    for line in open(predictions, encoding="utf-8").read().splitlines()[1:]:
        column = line.split("\t")
        rows[column[0], int(column[1]), int(column[2])] = column[3:]
    wrong = 0
    for name, prefix in (("test", ""), ("further", "further_")):
        own = [item for item in items if item[0] == name]
        if not own:
            continue
        found = [rows[item[0], item[2], item[3] + 1] for item in own]
        for item, row in zip(own, found):
            label = item[5] + item[3] + 1 if task == "head" else item[5]
            wrong += row[0] != str(label) or row[2] != str(control(item))
        guess = [of_form.get(item[4], majority) for item in own]
        print(prefix + "majority", accuracy([(item[5], majority) for item in own]))
        print(prefix + "form", accuracy([(item[5], g) for item, g in zip(own, guess)]))
        task_accuracy = accuracy([row[:2] for row in found])
        print(prefix + "accuracy", task_accuracy)
        print(prefix + "selectivity", task_accuracy - accuracy([row[2:] for row in found]))
        if prefix:
            continue
        often = [row for item, row in zip(own, found) if forms[item[4]] >= 3]
        print("frequent_accuracy", accuracy([row[:2] for row in often]))
        print("frequent_selectivity", accuracy([row[:2] for row in often]) - accuracy([row[2:] for row in often]))
        print("accuracy_se", error([(item[1], row[0] == row[1]) for item, row in zip(own, found)]))
        print("detectable", (1.959964 + 0.841621) * math.sqrt(2) *
              error([(item[1], item[5] == g) for item, g in zip(own, guess)]))
        print("words", len(own))
    print("wrong_labels", wrong)


if __name__ == "__main__":
    main()
