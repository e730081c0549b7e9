#!/bin/sh
# Claims about contrasts and about several grids, and BLEU by the length of the source, from end to end.
. "$(dirname "$0")/../support/cli.sh"
task claims 200
runs=$work/runs
# Other texts, whose words are reversed. Their dev set has long sentences, too.
for file in train.a train.b dev.a dev.b; do
    awk '{ for (i = NF; i; i--) printf "%s%s", $i, (i > 1 ? " " : "\n") }' "$SANLAB_DATA/$file" > "$SANLAB_DATA/other.$file"
done
awk '{ line = line " " $0; n += NF } n >= 5 + 10 * (lines % 4) { print substr(line, 2); line = ""; n = 0; lines++ }' \
    "$SANLAB_DATA/dev.a" "$SANLAB_DATA/train.a" | head -n 40 > "$SANLAB_DATA/long.a"
sed 's/s/t/g' "$SANLAB_DATA/long.a" > "$SANLAB_DATA/long.b"

grid() { # NAME TRAIN DEV: prints the shared part of a grid
    cat << END
grid: $1
corpus: {source: a, target: b, train: $2, dev: $3, merges: 20}
model: tiny
encoder.layers: 1
train: {epochs: 0, steps: 12, batch_tokens: 128, validate_every: 4}
evaluate: {bleu: {split: dev, beam: 1}}
seeds: [1, 2]
rows:
  - {name: Transformer, sweep: false}
  - {name: local, encoder.attention: [{layers: all, branches: [{window: \$window}]}]}
sweep: {window: [1, 2, 4]}
table: {columns: [test_loss]}
END
}
grid one train dev > $work/one.yaml
grid two other.train other.dev > $work/two.yaml
grid same other.train dev > $work/same.yaml
grid three train long > $work/three.yaml
cat >> $work/one.yaml << 'END'
claims:
  - text: The step from 1 to 2 is larger
    compare: [['local, window 2', 'local, window 1'], ['local, window 4', 'local, window 2']]
    metric: test_loss
    expect: less
  - {text: Wider is worse, row: local, along: window, scale: log, metric: test_loss, expect: greater}
  - {text: Each step is worse, row: local, along: window, metric: test_loss, expect: rising}
  - {text: All windows are worse, in_all: [[local, Transformer]], metric: test_loss, expect: greater, smallest: 0.1}
  - {text: Wide is worse, compare: ['local, window 4', Transformer], metric: test_loss, expect: greater, over: [two]}
END
expect "a grid" 0 '' run $work/one.yaml --runs $runs --quiet
try claims $work/one.yaml --runs $runs
says "one of two grids has no values" 0 \
    '^5\. .*; grids: one [-+][0-9.]+, two not run; the sign agrees in 1 of 1; .*one grid has values: expected two'
says "so there is no verdict" 0 '^5\. Wide is worse +inconclusive '
says "two differences" 0 \
    '^1\. Test loss of local, window 2 minus local, window 1 against local, window 4 minus local, window 2, expected less'
says "a slope" 0 '^2\. Test loss of the points of local \(slope by window, per doubling\) against 0'
try claims $work/one.yaml --runs $runs --format latex
says "in LaTeX it has a label of its own" 0 '^.label\{tab:one-claims\}$'
holds "and no hyphen is a minus" [ "$(printf '%s\n' "$output" | grep -c 'to -[0-9]')" = 0 ]
try claims $work/one.yaml --runs $runs
says "steps" 0 '^3\. Test loss of local, window [24] against local, window [12] \(the weakest of 2 comparisons\)'
says "all comparisons" 0 '^4\. .* \(the weakest of 3 comparisons\), expected greater by 0.1, .*\. Detectable in 4 of 5 cases: '
expect "another grid" 0 '' run $work/two.yaml --runs $runs --quiet
try claims $work/one.yaml --runs $runs --format jsonl
printf '%s\n' "$output" | grep '"claim":5' > $work/five
holds "grids are the unit" grep -q '"seeds":2,' $work/five
output=$(sed -E 's/.*"difference":([-0-9.e]+).*"grids":"\{\\"one\\":([-0-9.e]+),\\"two\\":([-0-9.e]+)\}".*/\1 \2 \3/' $work/five)
awk -v all="$output" 'BEGIN { n = split(all, d); x = (d[2] + d[3]) / 2 - d[1]; exit !(n == 3 && x * x < 1e-12) }'
ok "with the mean of the differences" $?

./sanlab claims $work/one.yaml --runs $runs --format html > $work/claims.html
holds "in HTML, too" grep -q '>2 grids<' $work/claims.html

# bad FROM TO LINE...: replaces a text of the last claim.
bad() {
    sed "s/over: \[two\]/$1/" $work/one.yaml > $work/bad.yaml
    expect "refused: $1" 65 "$2" plan $work/bad.yaml --runs $runs
}
bad 'over: [twoo]' 'bad.yaml:[0-9]+:[0-9]+: over: "twoo"'
bad 'over: two' 'bad.yaml:[0-9]+:[0-9]+: over: expected a list of other grids'
bad 'over: [two, same]' 'over: one and same both read .*dev.a, so they are not independent'
bad 'over: [one]' 'over: one and one both read'
sed 's/name: local/name: locals/' $work/two.yaml > $work/rows.yaml
bad 'over: [rows]' 'there is no row "local, window 4"; nearest is "locals, window 4".*over: two'

sed "s/compare: ..local, window 4., Transformer\(.*over\)/in_all: [[local, Transformer]\1/" $work/one.yaml > $work/bad.yaml
expect "several comparisons" 65 'bad.yaml:[0-9:]+ over: the claim has 3 comparisons; expected one' plan $work/bad.yaml --runs $runs
sed 's/window: \[1, 2, 4\]/window: [1, 2]/' $work/two.yaml > $work/few.yaml
sed 's/over: \[two\]/over: [few]/; s/\(compare: ..local, window\) 4\(.*over\)/\1 2\2/' $work/one.yaml > $work/good.yaml
expect "a grid of fewer rows" 0 '' plan $work/good.yaml --runs $runs

# BLEU by length: no training and no translation is done again.
ls $runs/stages | grep -v lengths > $work/before
{
    sed 's/dev, beam: 1}}/dev, beam: 1}, lengths: {}}/; /^table/d; s/^grid: one/grid: lengths/; /^claims/,$d' $work/one.yaml
    cat << 'END'
table: {columns: [bleu, lengths.bleu, {column: lengths.bleu, class: all}], baseline: Transformer, significance: {family: [lengths.bleu]}}
figures: [{kind: classes, left: lengths.bleu}]
END
} > $work/lengths.yaml
expect "of finished scores" 0 '' run $work/lengths.yaml --runs $runs --quiet
output=$(ls $runs/stages | grep -v lengths | diff - $work/before)
ok "without a new score" $?
try table $work/lengths.yaml --runs $runs
says "in the table" 0 'BLEU: 1-10'
sed 's/train: train, dev: dev/train: train, dev: long/; s/grid: lengths/grid: long/' $work/lengths.yaml > $work/long.yaml
expect "with long sentences" 0 '' run $work/long.yaml --runs $runs --quiet
try table $work/long.yaml --runs $runs --format csv
says "all classes" 0 'BLEU: 1-10.*BLEU: 11-20.*BLEU: 21-30.*BLEU: 31\+'
stage=$runs/stages/$(./sanlab show long/Transformer/1/lengths --runs $runs 2> /dev/null | grep -o -m 1 'lengths-[0-9a-f]*')
score=$runs/stages/$(./sanlab show long/Transformer/1/score --runs $runs 2> /dev/null | grep -o -m 1 'score-[0-9a-f]*')
awk '{ print (NF > 30 ? "31+" : NF > 20 ? "21-30" : NF > 10 ? "11-20" : "1-10") }' "$SANLAB_DATA/long.a" > $work/class
output=$(sed 1d "$stage/lengths.tsv" | cut -f 2 | diff - $work/class)
ok "the class is that of the words of the source" $?
for class in 1-10 11-20 21-30 31+; do
    for file in hypotheses.txt:$score/hypotheses.txt reference:$SANLAB_DATA/long.b; do
        paste $work/class "${file#*:}" |
            awk -F '\t' -v class="$class" '$1 == class { print $2 }' > $work/${file%%:*}
    done
    bleu=$(./sanlab score --ref $work/reference $work/hypotheses.txt --tokenizer none -w 4 2> /dev/null | sed -n "s/^[^=]*= \([0-9.]*\) .*/\1/p")
    output="$class: $bleu; $(grep "\"class\":\"$class\"" "$stage/metrics.jsonl" | head -n 1)"
    printf '%s\n' "$output" | awk -v bleu="$bleu" '{ match($0, /"value":[-0-9.e]+/)
        x = substr($0, RSTART + 8, RLENGTH - 8) - bleu; exit !(RSTART && bleu != "" && x * x < 1e-4) }'
    ok "BLEU of $class is that of these sentences alone" $?
done
if command -v gnuplot > /dev/null; then
    expect "as a figure" 0 '' plot $work/long.yaml --runs $runs --out $work/figures
else
    skipped "as a figure" "there is no gnuplot"
fi
finish
