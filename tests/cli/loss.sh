#!/bin/sh
# test_loss of score stages equals dev_loss of validation, and the losses of sentences add up to it. In
# tables, tests, claims and compare; and stages that were scored by older programs without it.
. "$(dirname "$0")/../support/cli.sh"
task loss 200

small $work/g.yaml tiny << 'END'
train: {epochs: 0, batch_tokens: 256, warmup: 20, validate_every: 2, keep_best: 2}
evaluate.bleu: {split: dev, checkpoint: last}
rows:
  - {name: Short, train.steps: 8}
  - {name: Long, train.steps: 120}
  - {name: Two, train.steps: 8, evaluate.bleu.checkpoint: mean_of_best(2)}
table:
  columns: [dev_loss, test_loss, delta(test_loss), p(test_loss), bleu]
  baseline: Short
  significance: {family: [test_loss, bleu], correction: holm}
claims:
  - {text: "Longer fits better", compare: [Long, Short], metric: test_loss, expect: less, smallest: 0.1}
END
expect "it runs" 0 "" run $work/g.yaml --runs $work/runs --quiet

# stage ROW: prints the folder of its score.
stage() {
    echo "$work/runs/stages/$(./sanlab show "g/$1/1/score" --runs $work/runs 2> /dev/null |
        grep -o -m 1 'score-[0-9a-f]*')"
}
# ratio FILE...: prints the nats of a file's items divided by their weights, averaged over the files.
ratio() {
    awk -F '\t' 'FNR == 1 { if (files++) { sum += n / w; n = w = 0 } }
        FNR > 1 { n += $1; w += $4 }
        END { printf "%.9f", (sum + n / w) / files }' "$@"
}
near() {
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a - b < 1e-6 && b - a < 1e-6) }'
}

./sanlab ls --runs $work/runs > $work/ls
output=$(cat $work/ls)
short=$(stage Short) two=$(stage Two)
recorded=$(stage_value "$short" test_loss)
output="$short: $recorded, items $(ratio "$short/items.tsv")"
holds "the items of all sentences are the recorded loss" near "$recorded" "$(ratio "$short/items.tsv")"
output="$two: $(stage_value "$two" test_loss)"
near "$(stage_value "$two" test_loss)" "$(ratio "$two"/items.[12].tsv)"
ok "of several checkpoints the mean of theirs" $?
holds "with a row of each" [ "$(grep -c '"name":"test_loss".*"set"' "$two/metrics.jsonl")" = 2 ]
tokens=$(sed -n 's/.*|tokens:\([0-9]*\)".*/\1/p' "$short/done.json")
output="$tokens tokens"
awk -F '\t' -v tokens="$tokens" 'FILENAME == ARGV[1] { words[FNR] = split($0, part, " "); next }
    FNR > 1 { bad += $4 < words[FNR - 1] + 1; sum += $4; lines++ }
    END { exit bad || lines != 40 || sum != tokens }' $work/data/dev.b "$short/items.tsv"
ok "a line per sentence, which weighs its tokens and <eos>" $?

try table $work/g.yaml --runs $work/runs --format csv
output=$(printf '%s\n' "$output" | grep '^\(Short\|Long\),')
printf '%s\n' "$output" | awk -F , '{ split($2, a, /[^0-9.]/); split($3, b, /[^0-9.]/)
    if (a[1] == "" || a[1] != b[1]) exit 1 } END { exit NR != 2 }'
ok "on dev it is the last validation's dev_loss, to four decimals" $?
try table $work/g.yaml --notes full --runs $work/runs
says "less is better: the lower loss has the mark" 0 '^Long .* [0-9]\.[0-9]{4}△△ +-[0-9]\.[0-9]{4} +<?0'
says "and of which tokens it is" 0 '^Test loss: nats per token\|targets:[0-9a-f]{8}\|tokens:'
try table $work/g.yaml --runs $work/runs --explain Long test_loss
says "an explanation has the smallest difference" 0 'Smallest difference .* [0-9.]+ Test loss'
says "its decimals and its items" 0 'Test loss -[0-9]\.[0-9]{4}, 95%'
expect "a claim may be of it" 0 'Longer fits better' claims $work/g.yaml --runs $work/runs
try compare g/Short g/Long --runs $work/runs
says "compare tests it, too" 0 '^A [0-9]\.[0-9]{4}, B [0-9]\.[0-9]{4}, n = 1 and 1; B - A:$'
says "by the same page as an explanation" 0 'difference of mean Test loss -[0-9]\.[0-9]{4}, 95%'
# A last validation above 20 is finite but no result, also if an older sanlab recorded the stage as done.
sed '/^claims/,$d; /name: Two/s/.*/  - {name: Lost, train: {steps: 8, rate: 300}}/' $work/g.yaml > $work/lost.yaml
try run $work/lost.yaml --runs $work/lost
says "a training above it diverged" 1 "5 of 7 stages done, 1 diverged, 1 blocked"
for train in $work/lost/stages/train-*; do
    first_format "$train"
    sed -i 's/"status": "diverged"/"status": "done"/' "$train/done.json"
done
expect "the table says so" 0 '^Lost +diverged +diverged ' table $work/lost.yaml --runs $work/lost
expect "and ls, with the number" 0 'g/Lost/1: dev_loss: [0-9.e+]+, above 20' ls 'status=diverged' --runs $work/lost

expect "verify computes it again" 0 "3 scored again: 0 problems" verify --runs $work/runs

sed -i '3s/^[0-9.]*/1/' "$two/items.2.tsv"
expect "and finds another number" 1 ': items.2.tsv has changed since it was written' verify --runs $work/runs
output=$(./sanlab table $work/g.yaml --runs $work/runs 2>&1)
matches "which no table tests" 'Not compared: .*items.2.tsv has changed'

# Removes the losses, as in older stages, and builds the database anew.
for folder in "$short" "$two"; do
    first_format "$folder"
    sed -i '/"test_loss"\|"loss_signature"\|"items"\|"items\.\|"metrics.jsonl"\|"summary_digest"/d' "$folder/done.json"
    sed -i -z 's/,\n\( *\)}/\n\1}/g' "$folder/done.json"
    sed -i '/test_loss/d' "$folder/metrics.jsonl"
    rm "$folder"/items*
done
expect "a score from before has none" 0 '^Short +[0-9.]+ +- +[0-9.]+$' table $work/g.yaml --runs $work/runs
says "the caption says which, and what to do" 0 \
    'Done before this value was measured: Test loss .Short, Two.\. .*.sanlab redo g/ROW/SEED/KIND.'
try compare g/Short g/Long --runs $work/runs
says "compare says so, too" 0 '^Not compared: score-.* was done before test_loss was measured'
expect "it is no problem of the runs" 0 "3 scored again: 0 problems" verify --runs $work/runs
expect "and nothing is done again" 0 '^6 stages: 6 done' plan $work/g.yaml --runs $work/runs
rm -r "$short"
try run $work/g.yaml --runs $work/runs --quiet
expect "until its folder is gone" 0 "^Short +([0-9.]+) +\1 " table $work/g.yaml --runs $work/runs
finish
