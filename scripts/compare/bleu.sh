#!/bin/sh
# Compares the scores of `sanlab score` and sacreBLEU on the German side of multi30k's test set.
# Perturbed copies of it are the hypotheses and the second reference. BLEU with every tokenizer; chrF,
# chrF++ and TER of 40 systems, with two references for even numbers. multi-bleu of ten of them, also
# lower-cased and with split compounds, is compared with scripts/compare/multi_bleu.py.
#
#   scripts/compare/bleu.sh [PYTHON]     a Python that has sacrebleu (default python3)
#
# Needs the data ($SANLAB_DATA, data/ or ../shared/data) and ./sanlab. The last line counts the lines
# that are equal except for the signature. Exits with 1 unless all lines are equal.
set -eu
cd "$(dirname "$0")/../.."
python=${1:-python3}
text=
for folder in "${SANLAB_DATA:-data}" ../shared/data; do
    [ -n "$text" ] || [ ! -f "$folder/parallel/multi30k/test_2016.de" ] ||
        text=$folder/parallel/multi30k/test_2016.de
done
[ -n "$text" ] || { echo "scripts/compare/bleu.sh: parallel/multi30k/test_2016.de was not found" >&2; exit 1; }
work=build/tmp/compare_bleu
mkdir -p $work

disturb() {
    awk -v seed="$1" -f scripts/compare/disturb.awk
}
cp "$text" $work/reference.0
disturb 1 < "$text" > $work/reference.1
disturb 2 < "$text" > $work/near
disturb 3 < $work/near > $work/far
awk '{ print "" }' "$text" > $work/none
awk '{ print $1, $2 }' "$text" > $work/short

equal=0 all=0
for hypothesis in near far short none reference.0; do
    for references in 0 "0 1"; do
        for tokenizer in 13a none intl zh char; do
            for smoothing in exp none; do
                options= files=
                for r in $references; do
                    options="$options --ref $work/reference.$r" files="$files $work/reference.$r"
                done
                ours=$(./sanlab score $options --tokenizer $tokenizer --smoothing $smoothing \
                    $work/$hypothesis)
                theirs=$("$python" -m sacrebleu $files -i $work/$hypothesis -f text -w 2 --force \
                    --tokenize $tokenizer --smooth-method $smoothing)
                all=$((all + 1))
                if [ "${ours#*= }" = "${theirs#*= }" ]; then
                    equal=$((equal + 1))
                else
                    printf 'differs: %s, references %s\n  %s\n  %s\n' "$hypothesis" \
                        "$references" "$ours" "$theirs"
                fi
            done
        done
    done
done
printf '%s\n' "$ours" "$theirs"

# Extracts the scores from the lines of a metric, because one call of sacreBLEU computes several metrics.
scores() { sed 's/.* = //'; }
seconds() { awk '{ print $1 }' /proc/uptime; }
spent_ours=0 spent_theirs=0
for system in $(seq 40); do
    awk -v seed="$system" -v rate=$((5 + system % 7 * 10)) -f scripts/compare/disturb.awk "$text" \
        > $work/system
    options="--ref $work/reference.0" files=$work/reference.0
    if [ $((system % 2)) = 0 ]; then
        options="$options --ref $work/reference.1" files="$files $work/reference.1"
    fi
    start=$(seconds)
    for metric in chrf ter "chrf --word-order 2" "ter --case-sensitive true"; do
        ./sanlab score $options --metric $metric $work/system
    done > $work/ours
    middle=$(seconds)
    {
        "$python" -m sacrebleu $files -i $work/system -f text -w 2 -m chrf ter
        "$python" -m sacrebleu $files -i $work/system -f text -w 2 -m chrf ter \
            --chrf-word-order 2 --ter-case-sensitive
    } > $work/theirs
    spent_ours=$(echo "$spent_ours $start $middle" | awk '{ print $1 + $3 - $2 }')
    spent_theirs=$(echo "$spent_theirs $middle $(seconds)" | awk '{ print $1 + $3 - $2 }')
    for line in 1 2 3 4; do
        all=$((all + 1))
        if [ "$(sed -n ${line}p $work/ours | scores)" = "$(sed -n ${line}p $work/theirs | scores)" ]; then
            equal=$((equal + 1))
        else
            printf 'differs: system %s, line %s\n' "$system" $line
            sed -n ${line}p $work/ours $work/theirs
        fi
    done
    [ "$system" -le 10 ] || continue
    for option in "" --lowercase=true --compounds=split; do
        ours=$(./sanlab score $options --metric multi-bleu ${option%%=*} ${option#*=} $work/system)
        theirs=$("$python" scripts/compare/multi_bleu.py ${option%%=*} $work/system $files)
        all=$((all + 1))
        if [ "$ours" = "$theirs" ]; then
            equal=$((equal + 1))
        else
            printf 'differs: system %s %s\n  %s\n  %s\n' "$system" "$option" "$ours" "$theirs"
        fi
    done
done
cat $work/ours $work/theirs
echo "chrF, chrF++ and TER twice of 40 files: $spent_ours s, sacreBLEU $spent_theirs s"
echo "$equal of $all lines are equal"
[ $equal = $all ]
