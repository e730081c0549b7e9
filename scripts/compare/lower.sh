#!/bin/sh
# Compares lower-casing (core/text/lower.h) with Python's str.lower.
#
#   scripts/compare/lower.sh [PYTHON]     python3 by default
#
# Input: every character in PYTHON's version of Unicode, alone, before, after and on both sides of a
# capital sigma. Then follow 300,000 random words of letters, marks, signs and sigmas. Needs
# build/tests/tool/lower_lines. The last line has the counts. Exits with 1 unless all lines are equal.
set -eu
cd "$(dirname "$0")/../.."
work=build/tmp/compare_lower
mkdir -p $work
cat > $work/words.py << 'END'
import random, sys, unicodedata
words, random = [], random.Random(1)
known = [c for c in map(chr, range(1, 0x110000))
         if c != "\n" and unicodedata.category(c) not in ("Cn", "Cs", "Co")]
for c in known:
    words += [c, c + "Σ", "A" + c + "Σ", "AΣ" + c, "AΣ" + c + "A", "Σ" + c + "Σ"]
pool = list("ΣΣΣσςAaΑαİIıʰªⅠⓐ\u0345\u0301\u0307\u200d\u00ad'’.:·,- 1漢") + known
for _ in range(300000):
    words.append("".join(random.choice(pool[:40] if random.random() < .9 else pool)
                         for _ in range(random.randint(1, 8))))
write = lambda name, lines: open(sys.argv[1] + "/" + name, "w", encoding="utf-8",
                                 newline="").write("".join(line + "\n" for line in lines))
write("words", words)
write("theirs", [word.lower() for word in words])
print("Python", sys.version.split()[0] + ", Unicode", unicodedata.unidata_version)
END
"${1:-python3}" $work/words.py $work
build/tests/tool/lower_lines < $work/words > $work/ours
different=$(cmp -s $work/ours $work/theirs ||
    paste -d '\t' $work/words $work/ours $work/theirs | awk -F '\t' '$2 != $3' | tee $work/different | wc -l)
[ -z "$different" ] || head $work/different
echo "$(wc -l < $work/words) lines, ${different:-0} different"
[ -z "$different" ]
