#!/bin/sh
# Probes by layer and by share of tr: the short form of a sweep, its figures, and refused requests.
. "$(dirname "$0")/../support/cli.sh"
. tests/support/probing.sh
probing_task probe_layers

cat > $work/mine.yaml << 'END'
groups: [Surface]
tasks:
  - {name: Word, file: word.txt, group: Surface}
  - {name: Count, file: count.txt, group: Surface}
END
small $work/g.yaml tiny << 'END'
encoder.layers: 3
train: {epochs: 0, steps: 20, batch_tokens: 256, warmup: 20}
seeds: [1, 2]
evaluate:
  probe: {tasks: mine.yaml, protocol: senteval}
END

# with LINE: writes the grid with an additional line.
with() {
    (cat $work/g.yaml && printf '%s\n' "$1") > $work/with.yaml
}

# ---- sweeps ----

with 'sweep: {probe.path: [encoder.1, encoder.2]}'
plans "a sweep of two paths trains and encodes once" "1 corpus 4 encode 8 probe 2 train " $work/with.yaml
with 'sweep: {evaluate.probe.path: [encoder.1, encoder.2]}'
plans "as with the whole key" "1 corpus 4 encode 8 probe 2 train " $work/with.yaml
with 'sweep: {probe.path: [encoder.3, bag]}'
try plan $work/with.yaml --runs $work/runs
says "a row is called by its path" 0 '^probe-[0-9a-f]+ +path=encoder.3/2 Word@encoder.3 +new'
with 'sweep: {prob.path: [bag]}'
try run $work/with.yaml --runs $work/runs
says "a slip" 65 '^sanlab: .*/with.yaml:9:9: sweep: unknown key "prob"; nearest is "probe"'

# ---- figures ----

cat > $work/f.yaml << 'END'
grid: f
title: Probes
corpus: {source: a, target: b, train: train, dev: dev, merges: 20}
model: tiny
encoder.layers: 2
train: {epochs: 0, steps: 20, batch_tokens: 256, warmup: 20}
seeds: [1, 2]
rows: [{name: A}, {name: B, model.dropout: 0.3}]
evaluate:
  probe: {tasks: mine.yaml, protocol: senteval, path: layers, code: true}
END
cat > $work/figures << 'END'
figures:
  - {kind: layers, left: probe, rows: [A]}
  - {kind: layers, left: probe.Word}
  - {kind: shares, left: [probe.Count@encoder.1, probe.Word@encoder.1], rows: [B]}
  - {kind: shares, left: probe.Word@encoder.2}
END
cat $work/f.yaml $work/figures > $work/drawn.yaml

# refuses WHAT PATTERN FIGURE ARGUMENTS..: passes if the figure is refused before anything is computed.
refuses() {
    what=$1 pattern=$2
    (cat $work/f.yaml && printf 'figures: [%s]\n' "$3") > $work/bad.yaml
    shift 3
    try plot $work/bad.yaml --runs $work/none "$@"
    [ "$(printf '%s\n' "$output" | wc -l)" = 1 ] || code="$code, of several lines"
    says "$what" 65 "bad.yaml:11:[0-9]+: $pattern"
}
refuses "tasks of several rows" 'figures: 2 values of 2 rows are 4 lines; expected one row, as rows: \["A"\]' \
    '{kind: layers, left: probe}'
refuses "layers that nobody probes" \
    'figures: no row has probe.Word@encoder.1 or another layer; expected evaluate.probe.path: layers' \
    '{kind: layers, left: probe.Word}' evaluate.probe.path=encoder.output
refuses "shares without a code" \
    'figures: no row has probe.Word@encoder.1 by share of tr; expected evaluate.probe.code: true' \
    '{kind: shares, left: probe.Word@encoder.1}' evaluate.probe.code=false
refuses "a task that no row has" 'probe.Wrd: no row has the part "probe.Wrd"; nearest is "probe.Word"' \
    '{kind: shares, left: probe.Wrd}'
several='a row has several paths and not encoder.output; expected one of probe.Word@encoder.1, probe.Word@encoder.2$'
refuses "a task without saying which of its layers" "probe.Word: $several" \
    '{kind: shares, left: probe.Word}'
refuses "also in bars" "probe.Word: $several" '{kind: bars, left: probe.Word}'
refuses "what has no shares" 'figures: no value by share of tr is called "probe.Word.dev"' \
    '{kind: shares, left: probe.Word.dev}'
refuses "two kinds of values" 'figures.left: probe.Word.dev is not of the same kind as probe.Word' \
    '{kind: layers, left: [probe.Word, probe.Word.dev], rows: [A]}'
refuses "a view of a view" 'figures: no value by layer is called "probe.Word@encoder.1"' \
    '{kind: layers, left: probe.Word@encoder.1}'
holds "nothing was computed" [ ! -e $work/none/stages ]

mkdir -p $work/runs
try plot $work/drawn.yaml --runs $work/runs --out $work/out
says "before anything ran" 0 'Not drawn: Word \(new\), Count \(new\).'
(cat $work/f.yaml && echo 'figures: [{kind: shares, left: probe, rows: [B]}]') > $work/main.yaml
try plot $work/main.yaml --runs $work/runs --out $work/main 'evaluate.probe.path=[encoder.1, encoder.output]'
says "a figure says which path it means" 0 'Where no path is named: encoder.output[.]$'
expect "it runs" 0 '' run $work/drawn.yaml --runs $work/runs --quiet
try plot $work/drawn.yaml --runs $work/runs --out $work/out --keep
says "says what a point is" 0 'Points: Accuracy .%., n = 60 items per layer, mean of the 2 seeds; bars: standard deviation over seeds[.]$'
says "what classifiers learned from" 0 'from a share of tr[.]$'
says "several tasks have one signature" 0 'Accuracy .%.: accuracy.protocol:senteval.seeds:1$'

# values N: prints the table of figure N: row, group, axis, place, column, seed, value, mean, low, high
values() {
    sed 1d "$work/out/f-$1/data.tsv"
}
# right ROW SEED PART: prints the per cent of correct predictions
right() {
    awk -F'\t' '{ n++; right += $2 == $3 } END { printf "%.6f", 100 * right / n }' \
        "$work/runs/names/f/$1/$2/probe.$3/predictions.tsv"
}
expected=$(for task in Word Count; do for l in 1 2; do for seed in 1 2; do
    echo "A $task layer $l probe.$task $seed $(right A $seed $task@encoder.$l)"
done; done; done)
output=$(values 1 | awk -F'\t' '{ printf "%s %s %s %s %s %s %.6f\n", $1, $2, $3, $4, $5, $6, $7 }')
holds "by layer: the accuracies of the predictions, a line for each task" [ "$output" = "$expected" ]
output=$(values 2 | awk -F'\t' '{ print $2, $4, $6 }' | tr '\n' ' ')
holds "of one task for each row" [ "$output" = "A 1 1 A 1 2 A 2 1 A 2 2 B 1 1 B 1 2 B 2 1 B 2 2 " ]
# The accuracy of each share in the journals agrees with the items.
expected=$(for task in Count Word; do
    cat $work/runs/names/f/B/[12]/probe.$task@encoder.1/metrics.jsonl | grep share_accuracy |
        sed 's/.*"step":\([0-9]*\).*"value":\([0-9.]*\).*/\1 \2/; s/.*"value":\([0-9.]*\).*"step":\([0-9]*\).*/\2 \1/' |
        awk -v task=$task '{ sum[$1] += $2; n[$1]++ }
            END { for (k in sum) printf "B %s@encoder.1 share %.3f %.4f %d\n", task, k / 2.4, sum[k] / 2, n[k] }' |
        sort -k 4,4n
done)
output=$(values 3 | awk -F'\t' '{ printf "%s %s %s %.3f %.4f 2\n", $1, $2, $3, $4, $8 }')
[ "$(printf '%s\n' "$expected" | wc -l)" -ge 16 ] && [ "$output" = "$expected" ]
ok "by share: the means of the journals" $?
output=$(values 4 | tail -1; right B 1 Word@encoder.2; echo; right B 2 Word@encoder.2)
printf '%s\n' "$output" | awk -F'\t' 'NR == 1 { place = $4; mean = $8 } NR > 1 { sum += $1 }
    END { d = mean - sum / 2; exit !(place == 100 && d < 0.001 && d > -0.001) }'
ok "which ends at the accuracy with all of tr" $?
if command -v gnuplot > /dev/null; then
    output=$(for n in 1 2 3 4; do
        grep -c '>Count[^<]*<\|>A<\|>Encoder layer<\|>Share of tr (%)<\|>[^<]*Accuracy (%)<' $work/out/f-$n.svg
    done | tr '\n' ' ')
    holds "they are drawn" [ "$output" = "3 3 3 3 " ]
else
    skipped "they are drawn" "there is no gnuplot (Debian: gnuplot-nox)"
fi

rm -rf "$(readlink -f $work/runs/names/f/A/1/probe.Count@encoder.2)" \
    "$(readlink -f $work/runs/names/f/A/2/probe.Count@encoder.2)"

# Figures omit the journal of an unfinished probe, as tables do.
stage=$(readlink -f $work/runs/names/f/B/2/probe.Word@encoder.2)
mv "$stage/done.json" $work/done.json
try plot $work/drawn.yaml --runs $work/runs --out $work/out --keep
output=$(values 4 | awk -F'\t' '$1 == "B"' | tail -1; right B 1 Word@encoder.2)
printf '%s\n' "$output" | awk -F'\t' 'NR == 1 { d = $8; bar = $9 } NR > 1 { d -= $1 }
    END { exit !(bar == "" && d < 0.001 && d > -0.001) }'
ok "by share: only of probes that are done" $?
mv $work/done.json "$stage"

sed '/^  probe/s/path: layers, //; s/^evaluate/sweep: {probe.path: [encoder.1, encoder.2]}\nevaluate/; s/rows: .*/rows: [{name: A}]/' \
    $work/f.yaml > $work/swept.yaml
echo 'figures: [{kind: lines, axis: probe.path, left: probe.Word}]' >> $work/swept.yaml
try plot $work/swept.yaml --runs $work/runs --out $work/swept --keep
output=$(sed 1d $work/swept/f-1/data.tsv | cut -f 3,4,6 | tr '\t\n' ', ')
[ "$output" = "evaluate.probe.path,encoder.1,1 evaluate.probe.path,encoder.1,2 evaluate.probe.path,encoder.2,1 evaluate.probe.path,encoder.2,2 " ]
ok "rows of a sweep are one line of kind lines" $?

# ---- the last layer of an encoder with a short-cut ----

small $work/s.yaml tiny << 'END'
train: {epochs: 0, steps: 20, batch_tokens: 256, warmup: 20}
rows:
  - {name: Plain, encoder.layers: 3}
  - name: Sum
    encoder.stack: [{onlstm: 1}, {san: 1}]
    encoder.shortcut: true
    evaluate.encode.keep: [encoder.group.2]
END
cat > $work/evaluate << 'END'
evaluate:
  probe: {tasks: [{name: Word, file: word.txt, group: Surface}], protocol: senteval, path: layers}
END
cat $work/s.yaml $work/evaluate > $work/sum.yaml
echo 'figures: [{kind: layers, left: probe.Word}]' >> $work/sum.yaml
expect "layers of a short-cut: it runs" 0 '' run $work/sum.yaml --runs $work/runs --quiet
vectors=$work/runs/names/s/Sum/1/encode.Word
cmp -s $vectors/encoder.2.npy $vectors/encoder.group.2.npy &&
    ! cmp -s $vectors/encoder.2.npy $vectors/encoder.output.npy
ok "the last layer has its own output, encoder.output the sum" $?
output=$(for row in Plain Sum; do
    for part in $work/runs/names/s/$row/1/[ep][nr]*.Word*; do
        echo "$row $(basename $part) $(sed -n 's/.*"version": \([0-9]*\).*/\1/p' $part/stage.json)"
    done
done)
[ "$output" = "Plain encode.Word 1
Plain probe.Word@encoder.1 1
Plain probe.Word@encoder.2 1
Plain probe.Word@encoder.3 1
Sum encode.Word 2
Sum probe.Word@encoder.1 1
Sum probe.Word@encoder.2 2
Sum probe.Word@encoder.output 1" ]
ok "only the stages whose vectors changed have another version" $?
sed 's/path: layers/path: [encoder.output, encoder.1]/' $work/sum.yaml > $work/other.yaml
plans "a probe of another path is done, whichever vectors stand beside it" "2 encode 1 probe " \
    $work/other.yaml
try plot $work/sum.yaml --runs $work/runs --out $work/out --keep
says "a figure by layer says what it ends with" 0 \
    '^ *output: the sum of the short-cut[.] Without a short-cut the last layer is the output[.]$'
output=$(sed 1d $work/out/s-1/data.tsv | cut -f 1,4,5,7)
expected=$(for at in Plain/1 Plain/2 Plain/3 Sum/1 Sum/2 Sum/output; do
    row=${at%/*} place=${at#*/}
    awk -F'\t' -v row=$row -v place=$place '{ n++; right += $2 == $3 }
        END { printf "%s\t%s\tprobe.Word\t%.6f\n", row, place, 100 * right / n }' \
        $work/runs/names/s/$row/1/probe.Word@encoder.$place/predictions.tsv
done)
[ "$(echo "$output" | awk -F'\t' -v OFS='\t' '{ $4 = sprintf("%.6f", $4); print }')" = "$expected" ]
ok "and ends with the last layer and with the output" $?
finish
