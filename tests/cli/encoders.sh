#!/bin/sh
# encoder.stack on the command line: the output of each verb, and errors of one line.
. "$(dirname "$0")/../support/cli.sh"
task encoders_cli 200
runs=$work/runs

cat > $work/g.yaml << 'END'
grid: g
corpus: {source: a, target: b, train: train, dev: dev, test: dev, merges: 20}
model: {preset: tiny, dropout: 0}
train: {epochs: 0, steps: 30, batch_tokens: 256, warmup: 20}
rows:
  - name: SANs
    encoder.layers: 2
  - name: Hybrid
    encoder.stack: [{onlstm: {layers: 2, chunk: 4}}, {lstm: {direction: backward}}, {san: 2}]
    encoder.shortcut: true
    encoder.attention: [{layers: 5, branches: [global, {window: 1}], fusion: gate}]
  - name: Flat
    encoder.stack: [{onlstm: {layers: 2, chunk: 4}}, {lstm: {direction: backward}}, {san: 2}]
    encoder.attention: [{layers: 5, branches: [global, {window: 1}], fusion: gate}]
evaluate: {bleu: {split: dev, beam: 2}, gates: {by: [layer]}}
table: {columns: [parameters, option(encoder.layers), has(encoder.stack.onlstm), {column: gates.gate, layer: 5}]}
END
try run $work/g.yaml --runs $runs --quiet
holds "models are trained, translate, and show their gates" [ "$code" = 0 ]
expect "a table has what a stack says" 0 "^Hybrid +[0-9,]+ +5 +✓ +0\.[0-9]+$" table $work/g.yaml --runs $runs
says "which attention alone does not" 0 "^SANs +[0-9,]+ +2 +-$"
stack='\[\{onlstm: \{layers: 2, chunk: 4\}\}, \{lstm: \{direction: backward\}\}, \{san: 2\}\]'
try show g/Hybrid/1/train --runs $runs
says "show: the stack" 0 '^  encoder\.stack +\[\{"onlstm":\{"layers":2,"chunk":4\}\},.*\{"san":2\}\]$'
says "and its number of layers" 0 "^  encoder\.layers +5$"
try diff g/SANs/1/train g/Hybrid/1/train --runs $runs
says "diff: other stacks" 0 "^encoder\.stack +\[\{san: layers\}\] \(default\) +$stack$"
says "with other layers" 0 "^encoder\.layers +2 +5$"
expect "diff: a short-cut" 0 "^encoder\.shortcut +false \(default\) +true$" diff g/Flat/1/train g/Hybrid/1/train --runs $runs
says "and nothing else" 0 "^[0-9]+ equal$"
printf '%s\n' "$output" | grep -q "^encoder\.stack"
ok "of equal stacks" $((! $?))
try ls 'encoder.layers > 2 and kind = train' --runs $runs
holds "ls takes their number of layers" [ "$(printf '%s\n' "$output" | grep -c '^train-')" = 2 ]
expect "and kinds" 0 " g/Hybrid/1$" ls 'encoder.stack ~ onlstm and encoder.shortcut = true' --runs $runs
head -n 5 $work/data/dev.a | ./sanlab translate g/Hybrid/1/train --runs $runs > $work/said 2>&1
output=$(cat $work/said)
[ "$(wc -l < $work/said)" = 5 ] && ! grep -qv '^\(t[0-9]* \?\)*$' $work/said
ok "translate" $?
printf 's1 s2\tt1 t2\tt2 t1\n' > $work/pairs.tsv
try score --contrast $work/pairs.tsv g/Hybrid/1/train --runs $runs --verbose
says "score --contrast" 0 "^1	-[0-9.]+	-[0-9.]+	3	3	"
expect "verify" 0 "scored again: 0 problems" verify --runs $runs
try check tiny 'encoder.stack=[{onlstm: 1}, {lstm: 1}, {san: 1}]' encoder.shortcut=true --quick
[ "$code" = 0 ] && [ "$(printf '%s\n' "$output" | grep -c ' ok  ')" = 4 ]
ok "check: four findings, all ok" $?
try help options model
for words in "lstm: LSTM" "onlstm: ON-LSTM" " direction +both\\|forward\\|backward " " chunk +int "; do
    says "help: $words" 0 "^ *$words"
done

# Refused in one line, before anything is computed. tests/unit/layers_test.c has the other errors of a
# stack.
try check small6 'encoder.stack=[{lstm: 2}]' encoder.layers=3
says "two numbers of layers" 65 "^sanlab: command line: .*encoder.layers is 3, encoder.stack has 2; expected one of them"
holds "in one line" [ "$(printf '%s\n' "$output" | wc -l)" = 1 ]
finish
