"""BLEU of tokenized text (Papineni et al. 2002) with the words of multi-bleu.perl. An independent
computation that scripts/compare/bleu.sh compares with `sanlab score --metric multi-bleu`.

    multi_bleu.py [--lowercase] [--compounds] HYPOTHESES REFERENCES..

--compounds: a hyphen between two characters that are no blanks becomes a word, as in tensor2tensor.
"""
import math
import re
import sys
from collections import Counter


def read(path, lower, split):
    with open(path, "rb") as file:
        lines = file.read().split(b"\n")[:-1]
    for line in lines:
        line = line.lower() if lower else line
        line = re.sub(rb"(\S)-(\S)", rb"\1 @hyphen@ \2", line) if split else line
        yield line.split()


def grams(words, n):
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


flags = [word for word in sys.argv[1:] if word.startswith("--")]
files = [word for word in sys.argv[1:] if not word.startswith("--")]
texts = [list(read(path, "--lowercase" in flags, "--compounds" in flags)) for path in files]
match, total, hyp_len, ref_len = [0] * 5, [0] * 5, 0, 0
for hypothesis, *references in zip(*texts):
    hyp_len += len(hypothesis)
    ref_len += min((abs(len(r) - len(hypothesis)), len(r)) for r in references)[1]
    for n in range(1, 5):
        counts, most = grams(hypothesis, n), Counter()
        for reference in references:
            most |= grams(reference, n)
        match[n] += sum((counts & most).values())
        total[n] += sum(counts.values())
share = [match[n] / total[n] if total[n] else 0 for n in range(1, 5)]
bp = 1 if hyp_len >= ref_len else math.exp(1 - ref_len / hyp_len) if hyp_len else 0
score = bp * math.exp(sum(map(math.log, share)) / 4) if min(share) > 0 else 0
print("BLEU = %.2f, %.1f/%.1f/%.1f/%.1f (BP=%.3f, ratio=%.3f, hyp_len=%d, ref_len=%d)"
      % (100 * score, *(100 * s for s in share), bp, hyp_len / ref_len, hyp_len, ref_len))
