#!/bin/sh
# Logical inference on a frozen encoder: evaluate.inference in a grid and `sanlab logic probe` share one
# stage. Refused requests.
. "$(dirname "$0")/../support/cli.sh"
task inference_frozen_cli 200
runs="--runs $work/runs"

# Maps each symbol to a word of the encoder's text.
printf '(\ts0\n)\ts1\nnot\ts2\nand\ts3\nor\ts4\na\ts5\nb\ts6\nc\ts7\nd\ts8\ne\ts9\nf\ts10\n' > $work/words.tsv
small $work/g.yaml '{width: 16, heads: 2, feedforward: 16}' << 'END'
encoder.layers: 1
decoder.layers: 1
train: {steps: 10, batch_tokens: 256}
rows:
  - name: base
evaluate:
  inference: {pairs: 4000, train: 2000, rules: words.tsv}
table:
  columns: [inference.accuracy, inference.long, inference.start_long, margin(inference.long),
            statements.unknown_pieces, {column: inference.accuracy, class: all}]
claims:
  - {text: "Training tells of logic", compare: [base], metric: margin(inference.long), expect: greater}
  - {text: "of three operators", compare: [base], expect: greater,
     metric: {column: margin(inference.accuracy), class: "3"}}
figures:
  - {kind: profile, left: inference.accuracy, x: Operators}
END
expect "a stage on a training" 0 "^inference-[0-9a-f]+ +base/1 +new" plan $work/g.yaml $runs
expect "it runs" 0 "^$" run $work/g.yaml $runs --quiet
expect "a column for each number of operators" 0 "Logic: 12" table $work/g.yaml $runs --notes full
says "with what it was learned from" 0 "learned on operators 0-6, checkpoint best, rules words.tsv"
output=$(awk -F '\t' 'NR > 1 && $2 > 6 { n++; sum += $1 } END { printf "%.12g", sum / n }' \
    $work/runs/names/g/base/1/inference/start.tsv)
stage_value $work/runs/names/g/base/1/inference start_long | grep -q "^${output%0}"
ok "the start has its items, too ($output)" $?
expect "which a claim is of" 0 "^1. Training tells of logic .*inconclusive" claims $work/g.yaml $runs
says "of a class, too" 0 "^2. of three operators .*inconclusive"
expect "pair by pair, by McNemar" 0 "McNemar" table $work/g.yaml $runs --explain base "margin(inference.long)"
expect "a figure along operators" 0 "Dashed: where the classes 0-6 end" plot $work/g.yaml $runs
sed 's/^grid: g/grid: bare/; s/words.tsv}/words.tsv, start: false}/; /^table/,$d' $work/g.yaml > $work/bare.yaml
cp -r $work/runs $work/bare
try run $work/bare.yaml --runs $work/bare --quiet
expect "without the start nothing is missing" 0 ": 0 problems$" verify --runs $work/bare
rm -r $work/bare
stage=$work/runs/names/g/base/1/inference
vectors=$work/runs/names/g/base/1/statements
# Occurrences of the symbol's word in the text, counted by tr and grep.
output=$(tr ' ' '\n' < $work/data/train.a | grep -cx s2)
grep -q "\"occurrences\",\"value\":$output.0,\"class\":\"not\"" $vectors/metrics.jsonl
ok "symbols are counted in the encoder's text" $?
output=$(awk -F '\t' 'NR > 1 { n += $4 } END { print n }' $stage/confusion.tsv)
holds "the confusion has every pair" [ "$output" = "$(($(wc -l < $stage/items.tsv) - 1))" ]
expect "whole" 0 "" verify $runs

try logic probe g/base/1 $runs evaluate.inference.pairs=4000 --train 2000 --rules $work/words.tsv
says "the verb finds what the grid has done" 0 "^12 +[0-9.]+ +[0-9.]+ +[0-9.]+"
says "with how it learned and what it read" 0 "checkpoint best, rules .*words.tsv, training pairs 2000, protocol fixed, features match, standardize true, pool mean; "
says "all of them together, 1-6 and 7-12" 0 "^all( +[0-9.]+){7}$"
says "beside start and the majority" 0 "^ +Logic +Start +Majority"
# Accuracy of the most frequent relation in each bin, from the confusion matrix of the stage.
output=$(printf '%s\n' "$output" | awk '$1 ~ /^([1-9]|1[0-2])$/ { print $1, $4 }')
expected=$(awk -F'\t' 'NR > 1 { n[$1 " " $2] += $4 }
    END {
        for (k in n) {
            split(k, at, " ")
            all[at[1]] += n[k]
            if (n[k] > most[at[1]]) most[at[1]] = n[k]
        }
        for (bin = 1; bin <= 12; bin++) printf "%d %.1f\n", bin, 100 * most[bin] / all[bin]
    }' $stage/confusion.tsv)
holds "the majority of each" [ "$output" = "$expected" ]
holds "and does nothing twice" [ "$(ls -d $work/runs/stages/inference-* | wc -l)" = 1 ]
# A second run folder and two threads give the same bytes.
OMP_NUM_THREADS=2 try run $work/g.yaml --runs $work/again --quiet
cmp -s $stage/metrics.jsonl $work/again/names/g/base/1/inference/metrics.jsonl &&
    cmp -s $stage/items.tsv $work/again/names/g/base/1/inference/items.tsv
ok "the same bytes again" $?

refused() {
    what=$1 pattern=$2
    shift 2
    expect "$what" 65 "$pattern" plan $work/g.yaml $runs "$@"
}
sed 's/s10/s9/' $work/words.tsv > $work/twice.tsv
refused "two symbols that become one" 'makes "s9" of "[ef]", .*; expected a word of its own' \
    evaluate.inference.rules=$work/twice.tsv
sed 's/s10//' $work/words.tsv > $work/none.tsv
refused "a symbol that is taken away" 'and "s0" of "\( f"; expected a word of its own for each symbol' evaluate.inference.rules=$work/none.tsv
printf '( not\tnever\n' | cat $work/words.tsv - > $work/joined.tsv
refused "two symbols that become one word" 'and "never" of "\( not"; expected a word of its own for each symbol, and no rule for two' \
    evaluate.inference.rules=$work/joined.tsv
refused "rules that there are not" 'nearest is "formulas-words"' evaluate.inference.rules=formula-words
refused "several encoders" "mean_of_best\(3\) is several encoders" 'evaluate.inference.checkpoint=mean_of_best(3)'
refused "bins beyond 12" '"0-13": expected bins of 0 to 12' evaluate.inference.bins=0-13
refused "few pairs" "train: expected .*100" evaluate.inference.train=3
refused "an option of nobody" "evaluate.inference.*nearest" evaluate.inference.polo=mean
sed 's/\[inference.accuracy,/[margin(inference.dev),/' $work/g.yaml > $work/dev.yaml
try plan $work/dev.yaml $runs
says "a margin of what has no start" 65 'dev.yaml:[0-9:]+ "margin\(inference.dev\)": inference.dev has no control of this name'
try plan $work/g.yaml $runs evaluate.inference.pairs=0 --all
says "a missing file" 1 "^!! inference.*: missing input: logic/train0"
./sanlab logic generate --out $work/data/logic --pairs 3000 --quiet
: > $work/data/logic/test9
refused "an empty file" "data: .*logic/test9 is empty; expected pairs of 9 operators" evaluate.inference.pairs=0
try run $work/g.yaml $runs evaluate.inference.rules=none --quiet
says "symbols that the encoder cannot tell apart" 1 'reads "\(" and "\)" as the same pieces, unknown pieces'
try logic probe g/base/1 $runs --pairs 3
says "an option of another action" 65 "probe has no option --pairs"
try logic probe $runs
says "no training" 65 "usage: sanlab logic .* probe MODEL"
try logic probe g/base/2 $runs
says "a training that there is not" 65 "there is no train stage at .base.2."
# Other classifiers read the same vectors.
try run $work/g.yaml $runs evaluate.inference.protocol=fixed,senteval evaluate.inference.features=concat --quiet
says "another classifier" 0 "^$"
[ "$(ls $work/runs/stages/statements-*/done.json | wc -l)" = 1 ] &&
    [ "$(ls $work/runs/stages/inference-*/done.json | wc -l)" = 3 ]
ok "finds the vectors of the first one" $?

# Classifiers on models of the task logic, without a text.
cat > $work/l.yaml << 'END'
grid: l
task: logic
logic: {pairs: 3000, seed: 2, bins: 0-5, hidden: [16]}
model: {width: 16, heads: 2, feedforward: 24}
train: {epochs: 1, batch_pairs: 32, rate: 0.003, schedule: constant}
rows:
  - name: SAN
    encoder.stack: [{san: 1}]
    logic.pool: {queries: 2}
  - name: LSTM
    encoder.stack: [{lstm: {layers: 1, direction: forward}}]
evaluate: {inference: {train: 300}}
table:
  columns: [logic.long, inference.long, inference.start_long]
END
expect "a stage on a training of the task logic" 0 "^inference-[0-9a-f]+ +SAN/1 +new" plan $work/l.yaml $runs
expect "runs" 0 "^$" run $work/l.yaml $runs --quiet
try table $work/l.yaml $runs --notes full
says "with the bins that the model was trained on" 0 "learned on operators 0-5"
for row in SAN LSTM; do
    output=$(head -c 128 $work/runs/names/l/$row/1/statements/trained.npy | tr -d '\0' | grep -ao "'shape': ([0-9]*, [0-9]*)")
    [ $row = SAN ] && width=32 || width=16
    statements=$(stage_value $work/runs/names/l/$row/1/statements statements)
    holds "$row: its own vector of each statement" [ "$output" = "'shape': (${statements%.0}, $width)" ]
done
expect "the verb finds it" 0 "^12 +[0-9.]+ +[0-9.]+" logic probe l/LSTM/1 $runs --train 300
says "of symbols, without rules" 0 "checkpoint best, rules none, .*, pool own[.]$"
holds "done by the grid" [ "$(ls $work/runs/stages/inference-*/done.json | wc -l)" = 5 ]
expect "its last row" 0 "^12 +[0-9.]+ +[0-9.]+" logic probe l/LSTM/1 $runs --train 300 --pool last
output=$(cd $work/runs/stages && sha256sum statements-*/trained.npy | cut -c1-64 | sort | uniq -d | wc -l)
holds "is its own vector, to the bit" [ "$output" = 1 ]
expect "no tasks of words on it" 65 'probe: there is no train stage at "LSTM/1"' probe l/LSTM/1 $runs
task_refused() {
    what=$1 pattern=$2
    shift 2
    expect "$what" 65 "$pattern" plan $work/l.yaml $runs "$@"
}
task_refused "no end symbol" "inference.end: statements of the task logic have no end symbol; expected true" \
    evaluate.inference.end=false
task_refused "no text" "inference.rules: models of the task logic read symbols, not text; expected none" \
    evaluate.inference.rules=formulas-words
refused "a pool of the other task" "inference.pool: own is for models of the task logic; expected mean, max or last" \
    evaluate.inference.pool=own
finish
