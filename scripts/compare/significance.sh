#!/bin/sh
# Compares p-values and intervals of `sanlab score` and sacreBLEU to the last printed digit.
#
#   scripts/compare/significance.sh [PYTHON [GOLDEN]]
#
# PYTHON has sacrebleu (default python3). Systems are perturbed copies of multi30k's test set (in
# $SANLAB_DATA, data/ or ../shared/data) with fixed seeds. GOLDEN is test/wmt17_en_de_systems.pkl.bz2
# of sacreBLEU's repository (default $SACREBLEU_GOLDEN): fifteen systems of WMT 2017. Missing
# input is skipped, with the reason. The last line counts equal numbers. Exits with 1 unless all numbers
# are equal.
set -eu
cd "$(dirname "$0")/../.."
python=${1:-python3} golden=${2:-${SACREBLEU_GOLDEN:-}}
"$python" -c 'import sacrebleu' 2>/dev/null || {
    echo "skipped: $python has no sacrebleu (pip install sacrebleu==2.6.0)"
    exit 0
}
text=
for folder in "${SANLAB_DATA:-data}" ../shared/data; do
    [ -n "$text" ] || [ ! -f "$folder/parallel/multi30k/test_2016.de" ] ||
        text=$folder/parallel/multi30k/test_2016.de
done
work=build/tmp/compare_significance
rm -rf $work
mkdir -p $work
: > $work/counts

# sacreBLEU, with a fix: it cannot write NumPy's floats of chrF and TER as JSON.
sacrebleu() {
    "$python" -c 'import json
json.JSONEncoder.default = lambda self, value: float(value)
from sacrebleu.sacrebleu import main
main()' "$@"
}

# compare FOLDER TEST TOKENIZER SAMPLES SEED: compares both programs on FOLDER/reference and
# FOLDER/system.*. TOKENIZER may also be chrf, chrf++ or ter, which selects this metric.
compare() {
    folder=$1 test=$2 tokenizer=$3 samples=$4 seed=$5
    case $tokenizer in
    chrf) options="--metric chrf" peers="-m chrf" ;;
    chrf++) options="--metric chrf --word-order 2" peers="-m chrf --chrf-word-order 2" ;;
    ter) options="--metric ter" peers="-m ter" ;;
    *) options="--tokenizer $tokenizer" peers="-m bleu --tokenize $tokenizer" ;;
    esac
    systems=$(ls "$folder"/system.*)
    ours=$work/ours.csv theirs=$work/theirs.json
    ./sanlab score --ref "$folder/reference" $options --$test --samples "$samples" \
        --seed "$seed" --format csv $systems > $ours
    SACREBLEU_SEED=$seed sacrebleu "$folder/reference" -i $systems --force -f json \
        $peers --$test --$test-n "$samples" > $theirs 2> $work/log
    "$python" - "$folder $test $tokenizer $seed" $ours $theirs <<'END' >> $work/counts
import csv, json, sys
what, ours, theirs = sys.argv[1:]
rows, peers, equal, count = list(csv.DictReader(open(ours))), json.load(open(theirs)), 0, 0
name = [key for key in peers[0] if key != "system"][0]
assert len(rows) == len(peers), "%d systems, expected %d" % (len(rows), len(peers))
for row, peer in zip(rows, peers):
    for column, key, digits in ((name, "score", 2), ("p", "p_value", 4), ("Mean", "mean", 2),
                                ("± 95%", "ci", 2)):
        value = peer[name][key]
        if value is None:
            continue
        count += 1
        if row[column] == "%.*f" % (digits, value):
            equal += 1
        else:
            print("differs: %s, %s, %s: %s, sacreBLEU %r" %
                  (what, row["System"], column, row[column], value), file=sys.stderr)
print(equal, count)
END
}

if [ -n "$text" ]; then
    cp "$text" $work/reference
    for system in 1 2 3 4 5 6; do
        awk -v seed=$system -v rate=$((20 + system % 3)) -f scripts/compare/disturb.awk "$text" \
            > $work/system.$system
    done
    cp $work/system.1 $work/system.7
    for tokenizer in 13a intl zh none; do
        compare $work paired-bs $tokenizer 1000 12345
    done
    for seed in 1 7 2026; do
        compare $work paired-bs 13a 300 $seed
        compare $work paired-ar none 500 $seed
    done
    compare $work paired-ar 13a 10000 12345
    for metric in chrf chrf++ ter; do
        compare $work paired-bs $metric 1000 12345
        compare $work paired-bs $metric 300 7
        compare $work paired-ar $metric 500 2026
    done
else
    echo "skipped: parallel/multi30k/test_2016.de was not found"
fi

if [ -n "$golden" ]; then
    mkdir $work/golden
    # Unpickles only lists of names and sentences; refuses all other objects.
    "$python" - "$golden" $work/golden <<'END'
import bz2, pickle, sys
class Plain(pickle.Unpickler):
    def find_class(self, module, name):
        raise pickle.UnpicklingError("%s.%s in a list of sentences" % (module, name))
systems = Plain(bz2.open(sys.argv[1])).load()
_, references = systems.pop()
def write(name, lines):
    with open(sys.argv[2] + "/" + name, "w", encoding="utf-8", newline="\n") as out:
        out.writelines(line.rstrip("\n") + "\n" for line in lines)
write("reference", references[0])
for number, (name, lines) in enumerate(systems):
    write("system.%02d.%s" % (number, name.replace("/", "_").replace(" ", "_")), lines)
END
    compare $work/golden paired-bs none 2000 12345
    ./sanlab score --ref $work/golden/reference --tokenizer none --paired-bs --samples 2000 \
        $work/golden/system.*
else
    echo "skipped: no golden file (\$SACREBLEU_GOLDEN)"
fi
awk '{ equal += $1; count += $2 }
     END { print equal " of " count " numbers are equal"; exit equal != count || !count }' $work/counts
