#!/bin/sh
# The grid language end to end: sweeps on the command line, hostile names of rows, names as links.
# Also filters on elements of lists, and rows without a run.
. "$(dirname "$0")/../support/cli.sh"
task grid_cli 100

cat > $work/base.yaml << 'END'
corpus: {source: a, target: b, train: train, dev: dev, merges: 20}
model: tiny
train: {epochs: 0, steps: 4, batch_tokens: 256, warmup: 20}
evaluate: {bleu: {split: dev, beam: 1}}
END
cat > $work/g.yaml << 'END'
grid: g
base: base.yaml
tags: [smoke, "it's"]
note: "a note"
rows:
  - name: "'; DROP TABLE stage; --"
  - name: "../../../escaped $(touch canary)"
    encoder.attention: [{layers: 1, branches: [{window: 1}]}]
  - name: "two\nlines \e[31m"
    encoder.attention: [{layers: 1, branches: [{window: 3}]}]
  - name: "quoted, not run"
    quote: {metric: "BLEU, tokenized", bleu: 27.3}
END

try plan $work/g.yaml encoder.layers=2,3 train.rate=range\(1,4\) --runs $work/runs
says "a sweep over three rows: 18 trainings and their scores" 0 "^37 stages:"
try plan $work/g.yaml encoder.layers=2,3 train.rate=range\(1,4\) model.heads=3 --runs $work/runs
says "every point is checked" 65 "model.heads.*\(row \"'; DROP TABLE stage; --, layers=2, rate=1\"\)"
try plan $work/g.yaml '~train.steps' --runs $work/runs
says "~key takes a value away" 65 "epochs and steps are both 0"
try plan $work/g.yaml encoder.layers --runs $work/runs
says "a word that is no assignment" 65 "expected an assignment such as train.epochs=3"
expect "help says where a range ends" 0 "the end is excluded" help options grid

try run $work/g.yaml --runs $work/runs --quiet
ok "hostile names run" "$code"
expect "and are in the table as they were typed" 0 "^'; DROP TABLE stage; -- " table $work/g.yaml --runs $work/runs
says "with the row that has no run" 0 "^quoted, not run .*27.3"
try ls 'kind=train and encoder.attention.window == 1' --runs $work/runs
says "a filter finds an element of a list" 0 "escaped"
holds "and that one only" [ "$(printf '%s\n' "$output" | grep -c '^train-')" = 1 ]
try ls 'window == 1 or window == 3' --runs $work/runs
holds "its last word is enough" [ "$(printf '%s\n' "$output" | grep -c '^train-')" = 2 ]
output=$(find $work/runs/names -type l)
[ "$(printf '%s\n' "$output" | wc -l)" = 9 ] && [ "$(ls $work/runs/names/g | wc -l)" = 3 ]
ok "every stage has a readable name" $?
equals "and each leads to its folder" "" "$(find $work/runs/names -type l ! -exec test -f {}/done.json \; -print)"
output=$(find . -maxdepth 1 -name 'canary*'; find build/tmp -maxdepth 2 -name 'escaped*')
holds "nothing ran, nothing escaped" [ -z "$output" ]
output=$(cat $work/runs/grids/g/*.json)
printf '%s\n' "$output" | grep -q '"note": "a note"' && printf '%s\n' "$output" | grep -q "\"it's\""
ok "tags and note are recorded" $?
finish
