#!/bin/sh
# A kind of stage is one file. It is added, found by the build, requested by a grid, run, shown in
# tables and figures, and removed. Runs in a copy of the tree with its built objects.
#
#   tests/kinds/kind_parity.c    a section, parts, inputs, classes, items, a column and a series
#   tests/kinds/kind_tally.c     a task of its own, without parallel text
. "$(dirname "$0")/../support/cli.sh"
copy=build/tmp/new_kind
tree_copy $copy
cd $copy || exit 1

cp tests/kinds/kind_parity.c tests/kinds/kind_tally.c experiments/stage
build sanlab
[ "$code" = 0 ] && [ -z "$output" ]
ok "the build finds them and has nothing to say" $?
output=$(cat build/gen/kind.def build/gen/evaluation.def build/gen/offer.def | grep -c 'parity\|tally')
holds "in all its lists" [ "$output" = 6 ]

task kind 100
cat > $work/g.yaml << 'END'
grid: g
corpus: {source: a, target: b, train: train, dev: dev, merges: 200}
model: tiny
train: {epochs: 0, steps: 4, batch_tokens: 256, warmup: 4}
evaluate:
  bleu: {split: dev, beam: 1}
  parity: {sides: [source, target], limit: 5}
seeds: [1, 2]
rows:
  - name: "Base"
  - name: "Local"
    encoder.attention: [{layers: 1, branches: [{window: 1}]}]
table:
  columns: [bleu, parity.source, parity.target, {column: parity.source, class: all}]
  significance: {family: [bleu, parity.source], correction: holm}
claims:
  - {text: "As even", compare: [Local, Base], metric: parity.source, expect: equal, smallest: 1}
figures:
  - {kind: classes, left: parity.source, y: Even (%), from: 0, to: 100, dotted: 50}
  - {kind: bars, left: parity.target}
END
expect "help has its section" 0 "evaluate\.parity\.limit +int 1\.\.1000 +5" help options evaluate
expect "a part is a stage" 0 "^parity-[0-9a-f]+ +Base/1 target +new" plan $work/g.yaml --runs $work/runs
expect "it runs" 0 "" run $work/g.yaml --runs $work/runs --quiet
try table $work/g.yaml --runs $work/runs
# Independent of the model: sentences of the dev text, each with <eos>.
even=$(awk '{ n += (NF + 1) % 2 == 0 } END { printf "%.1f", 100 * n / NR }' $work/data/dev.a)
short=$(awk 'NF + 1 < 5 { n++; e += (NF + 1) % 2 == 0 } END { printf "%.1f", 100 * e / n }' $work/data/dev.a)
printf '%s\n' "$output" > $work/table
says "a table shows its parts" 0 "Base .* $even "
says "and their classes" 0 "short"
says "Holm's family is both columns" 0 "Holm over 2 comparisons"
output=$(grep -c " $short" $work/table; cat $work/table)
holds "with the value of a class" [ "$(printf '%s\n' "$output" | head -1)" -ge 2 ]
expect "a claim holds" 0 "1\. As even +supported" claims $work/g.yaml --runs $work/runs
says "and is judged by items" 0 "resampled over items"
try plot $work/g.yaml --runs $work/runs --out $work/figures
if command -v gnuplot > /dev/null; then
    says "its series is drawn" 0 ""
    holds "in both figures" [ "$(find $work/figures -name '*.svg' | wc -l)" = 2 ]
fi
expect "a stage is found by its part" 0 "part +source" show g/Base/1/parity.source --runs $work/runs
[ "$(ls $work/runs/names/g/Base/1 | tr '\n' ' ')" = "corpus parity.source parity.target score train " ]
output=$(ls $work/runs/names/g/Base/1)
ok "and has a name of its own" $?
expect "and listed with it" 0 "^parity-[0-9a-f]+ +done .* g/Base/1 source$" ls kind=parity --runs $work/runs
expect "all of it is done" 0 "parity-[0-9a-f]+ +Base/1 target +done" plan $work/g.yaml --runs $work/runs
expect "verify finds it whole" 0 "" verify --runs $work/runs

sed 's/sides: \[source, target\]/sides: [source, source]/' $work/g.yaml > $work/twice.yaml
try plan $work/twice.yaml --runs $work/runs
says "a part twice" 65 'twice.yaml:7:[0-9]+: evaluate.parity: "source" is named twice'
sed 's/parity.target,/parity.targer,/' $work/g.yaml > $work/unknown.yaml
try plan $work/unknown.yaml --runs $work/runs
says "a part that no row has" 65 'unknown.yaml:14:[0-9]+: .*targer.*"parity.target"'
sed 's/class: all/class: shirt/' $work/g.yaml > $work/class.yaml
try table $work/class.yaml --runs $work/runs
says "a class that there is not" 65 'class.yaml:14:[0-9]+: .*shirt.*"short"'
sed 's/class: all/layer: 1/' $work/g.yaml > $work/layer.yaml
expect "a dimension that it lacks" 65 'layer.yaml:14:[0-9]+: .*layer' plan $work/layer.yaml --runs $work/runs

cat > $work/t.yaml << 'END'
grid: t
task: tally
sweep: {tally.to: [5, 10]}
table: {columns: [tally]}
END
expect "a grid of another task needs no text" 0 "" run $work/t.yaml --runs $work/runs --quiet
expect "one sum" 0 "to=5 +15$" table $work/t.yaml --runs $work/runs
says "the other" 0 "to=10 +55$"
sed 's/task: tally/task: taly/' $work/t.yaml > $work/taly.yaml
try plan $work/taly.yaml --runs $work/runs
says "a task that there is not" 65 'taly.yaml:2:7: task: .*"taly".*"tally"'
sed 's/^sweep.*/evaluate: {bleu: {}}/' $work/t.yaml > $work/bleu.yaml
try plan $work/bleu.yaml --runs $work/runs
says "what is of another task" 65 "bleu.yaml:3:[0-9]+: evaluate.bleu: reads corpus, which belongs to the task translation; this grid's task is tally"
sed 's/^sweep.*/train: {epochs: 3}/' $work/t.yaml > $work/train.yaml
try plan $work/train.yaml --runs $work/runs
says "what no stage of it depends on" 65 "train.yaml:3:[0-9]+: train: no stage of this grid's task, tally, depends on it"
try plan $work/g.yaml tally.to=3 --runs $work/runs
says "and the other way round" 65 "tally: tally belongs to the task tally; this grid's task is translation"

rm experiments/stage/kind_parity.c experiments/stage/kind_tally.c
build sanlab
[ "$code" = 0 ] && [ -z "$output" ]
ok "taken out, the rest builds without them" $?
try plan $work/g.yaml --runs $work/runs
says "and does not know them" 65 'g.yaml:7:[0-9]+: evaluate: unknown key "parity"'
sed '/parity/d; /^table/,$d; s/beam: 1/beam: 2/; s/^grid: g$/grid: without/' $work/g.yaml > $work/without.yaml
expect "trainings that it had read are read on" 0 "" run $work/without.yaml --runs $work/runs --quiet
finish
