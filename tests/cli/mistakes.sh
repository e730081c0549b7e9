#!/bin/sh
# Mistakes in a grid: one line that names file, line and column, and proposes the nearest word.
. "$(dirname "$0")/../support/cli.sh"
fresh_data mistakes

# mistake WHAT PATTERN LINES [HEAD]: passes if a grid of HEAD (default: three lines) and these lines is
# refused in one line.
head='grid: g
corpus: multi30k-en-de
model: small'
mistake() {
    printf '%s\n' "${4-$head}" "$3" > $work/g.yaml
    expect "$1" 65 "^sanlab: $2" plan $work/g.yaml --runs $work/runs
    holds "$1: in one line" [ "$(printf '%s\n' "$output" | wc -l)" = 1 ]
}

mistake "an unknown key" "$work/g.yaml:3:1: .*\"modle\".*nearest is \"model\"" 'modle: small' \
    'grid: g
corpus: multi30k-en-de'
mistake "a wrong type" "$work/g.yaml:4:17: .*epochs.*12abc" 'train: {epochs: 12abc}'
mistake "a training without an end" "$work/g.yaml:4:16: train: epochs and steps are both 0" \
    'train: {steps: 0, epochs: 0}'
mistake "of a preset's steps" "$work/g.yaml:4:17: train: epochs and steps are both 0" 'train: {epochs: 0}'
mistake "no corpus" "$work/g.yaml:1:1: corpus is missing: expected corpus: PRESET or " 'model: small' 'grid: g'
mistake "a layer beyond the stack" "$work/g.yaml:6:.*layer" 'rows:
  - name: far
    encoder.attention: [{layers: 1-3, branches: [{window: 1}]}]'
mistake "a dimension that a metric lacks" "$work/g.yaml:4:41: layer: \"bleu\" has no values by layer; it has them by: set" \
    'table: {columns: [{column: bleu, layer: 3}]}'
mistake "a layer 0" "$work/g.yaml:4:47: layer: expected a whole number .*\"0\"" \
    'table: {columns: [{column: gates.gate, layer: 0}]}'
mistake "a class that is a number" "$work/g.yaml:4:48: class: .*the number 3; .* needs quotes" \
    'table: {columns: [{column: score.items, class: 3}]}'
mistake "a key that no column has" "$work/g.yaml:4:40: a column: .*\"layr\".*nearest is \"layer\"" \
    'table: {columns: [{column: gates.gate, layr: 3}]}'
mistake "a dimension of what is no value" "$work/g.yaml:4:39: set: \"wall\" is not a value" \
    'table: {columns: [{column: wall, set: 1}]}'
mistake "a claim about every class" "$work/g.yaml:6:.*metric: class: all makes a column for each" \
    'rows: [{name: a}, {name: b}]
claims:
  - {text: t, compare: [a, b], expect: less, metric: {column: score.items, class: all}}'
mistake "an axis of a layer that is all layers'" "$work/g.yaml:4:.*this figure draws every layer" \
    'figures: [{kind: layers, left: {column: gates.gate, layer: 2}}]'
mistake "a figure of classes that has none" "$work/g.yaml:4:[0-9]+: .*by class is called \"localness.window\"" \
    'figures: [{kind: classes, left: localness.window}]'
mistake "a baseline that is no row" "$work/g.yaml:5:.*\"two\"" 'rows: [{name: one}]
table: {baseline: two}'
swept='sweep: {window: [1, 3], fusion: [gate, concat]}
rows:
  - {name: plain, sweep: false}
  - {name: hybrid, encoder.attention: [{layers: all, branches: [global, {window: $window}], fusion: $fusion}]}
evaluate: {gates: {split: dev}}'
mistake "a heat map with two rows in a cell" \
    "$work/g.yaml:9:[0-9]+: figures.rows: \"hybrid, window 1, fusion gate\" and \"hybrid, window 3, fusion gate\" are in the same cell; expected a frame for each, or one row" \
    "$swept
figures: [{kind: heat, axis: layer, down: fusion, left: gates.gate}]"
mistake "a curve of BLEU that no training validates" \
    "$work/g.yaml:9:31: figures: no row has dev_bleu; expected train.validate_sentences above 0" \
    "$swept
figures: [{kind: curve, left: dev_bleu}]"
mistake "even by default" "$work/g.yaml:9:11: figures: no row has dev_bleu" "$swept
figures: [{kind: curve, right: none}]"
mistake "a claim on gates of a row without gates" \
    "$work/g.yaml:10:5: claims: row \"plain\" does not compute gates.gate; expected a row that does" \
    "$swept
claims:
  - {text: t, compare: [hybrid, window 1, fusion gate, plain], metric: gates.gate, expect: less}"
mistake "of half of the rows" "$work/g.yaml:10:5: claims: row \"hybrid, window 3, fusion concat\" does not compute" \
    "$swept
claims:
  - {text: t, compare: {fusion: [gate, concat]}, metric: gates.gate, expect: less}"
printf '%s\n' "$head" "$swept" 'figures: [{kind: heat, axis: layer, down: window, left: gates.gate}]' \
    'claims: [{text: t, row: hybrid, along: layer, metric: gates.gate, expect: less}]' > $work/g.yaml
expect "rows without gates have no cells, and other claims of a sweep remain" 1 '^to do: 1 corpus, 5 train, 2 gates' plan $work/g.yaml --runs $work/runs
cat > $work/g.yaml << 'END'
grid: g
corpus: multi30k-en-de
model: small
train: {epochs: x}
rows: [{name: a, model.heads: 0}, {name: b, encoder.layer: 3}, {name: c}]
END
try plan $work/g.yaml --runs $work/runs
says "of several mistakes the first" 65 '^sanlab: .*g.yaml:5:31: model.heads: .*row "a"'
holds "in one line" [ "$(printf '%s\n' "$output" | wc -l)" = 1 ]
mistake "what other toolkits call it" "$work/g.yaml:4:9: .*\"lr\"; in sanlab it is train.rate" 'train: {lr: 0.1}'
mistake "no blank after a colon" "$work/g.yaml:4:9: .*\"epochs:3\"; expected a blank after the colon: \"epochs: 3\"" \
    'train: {epochs:3}'
refused() {
    expect "$1" 65 "^sanlab: command line: $2" plan grids/demo.yaml "$3" --runs $work/runs
}
refused "seeds that are none" '.*"3-1" is empty; expected a range such as 1-3' seeds=3-1
try plan grids/demo.yaml train.epochs=1 train.epochs=2
says "an option given twice" 65 "train.epochs is given twice, also as train.epochs=1"
try plan grids/demo.yaml seeds=1-3,7 corpus.train=absent/text --runs $work/none
says "seeds from 1 to 3, and 7" 1 "^train-[0-9a-f]+ +Transformer/7 "
says "three of them" 1 "^train-[0-9a-f]+ +Transformer/2 "
try plan grids/demo.yaml train.epoch=3
says "a mistake on the command line" 65 'command line.*"epoch".*nearest is "epochs"'
try plan grids/demo.yaml epochs
says "a word that is no assignment" 65 "expected an assignment such as train.epochs=3"

# Trainings that are too short: one warning for all affected rows.
cat > $work/short.yaml << 'END'
grid: short
corpus: {source: a, target: b, train: absent/text, dev: absent/text, test: absent/text}
model: small
train: {warmup: 101, steps: 100}
rows: [{name: A, train.warmup: 100}, {name: B}, {name: C, model.dropout: 0},
       {name: D, train.schedule: constant}, {name: E, train.warmup: ~}]
END
try plan $work/short.yaml --runs $work/none
says "a warm-up that does not end" 1 "warning: $work/short.yaml:4:29: the warm-up of 101 steps does not end within the budget of 100 steps, .*: B .and 1 more.$"
says "that of the default" 1 "warning: .*the warm-up of 4,000 steps, the default, does not end .*: E$"
[ "$(printf '%s\n' "$output" | grep -c warning:)" = 2 ]
ok "one line for both rows, and nothing of a warm-up that ends with the budget or of a constant rate" $?
cat > $work/short.yaml << 'END'
grid: short
corpus: {source: a, target: b, train: absent/text, dev: absent/text, test: absent/text}
recipe: multi30k
rows: [{name: A}, {name: B, train.epochs: 13}, {name: C, train.epochs: 15}]
END
try plan $work/short.yaml --runs $work/none
says "a budget below the recipe's" 1 "warning: $work/short.yaml:4:43: the budget of 13 epochs is below that of the recipe multi30k, 14 epochs: B$"
holds "and not one that is as long, or longer" [ "$(printf '%s\n' "$output" | grep -c warning:)" = 1 ]
cat > $work/recipe.yaml << 'END'
train.steps: 1000
END
sed -i 's/^recipe: .*/recipe: recipe.yaml/; s/^rows.*/train.warmup: 9/' $work/short.yaml
try plan $work/short.yaml train.steps=999 --runs $work/none
says "a budget in steps on the command line, and a recipe in a file" 1 "warning: command line: train.steps=999: the budget of 999 steps is below that of the recipe recipe.yaml, 1,000 steps: "
try plan $work/short.yaml train.steps=1000 --runs $work/none
holds "the recipe's own number" [ "$(printf '%s\n' "$output" | grep -c warning:)" = 0 ]

# Options without effect because of other options: a warning if no row uses them.
cat > $work/idle.yaml << 'END'
grid: idle
corpus: multi30k-en-de
model: small
train: {warmup: 100, epochs: 1}
rows: [{name: A, train.schedule: constant}, {name: B, train.schedule: constant}]
END
try plan $work/idle.yaml --runs $work/none
says "a warmup of a constant rate, once" 1 \
    "warning: $work/idle.yaml:4:17: train.warmup has no effect here; it has an effect where schedule != constant"
holds "and not for each row" [ "$(printf '%s\n' "$output" | grep -c 'has no effect')" = 1 ]
try plan $work/idle.yaml corpus.separator=x train.schedule=rsqrt corpus.merges=9 --runs $work/none
says "a word of the command line" 1 \
    "warning: command line: corpus.separator=x: corpus.separator has no effect here"
holds "and nothing of what has a use" [ "$(printf '%s\n' "$output" | grep -c 'has no effect')" = 1 ]
sed -i 's/A, train.schedule: constant/A/' $work/idle.yaml
try plan $work/idle.yaml --runs $work/none
holds "nor where one row has a use for it" [ "$(printf '%s\n' "$output" | grep -c 'has no effect')" = 0 ]
sed -i 's/rows: .*/sweep: {train.warmup: [7, 8, 9]}/' $work/idle.yaml
try plan $work/idle.yaml train.schedule=constant --runs $work/none
says "of several places the first is named" 1 \
    "idle.yaml:5:24: train.warmup has no effect here, nor in 2 other places; it has an effect where schedule"
holds "once" [ "$(printf '%s\n' "$output" | grep -c 'has no effect')" = 1 ]
cat > $work/logic.yaml << 'END'
grid: logic
task: logic
logic: {pairs: 200, variables: 3, depth: 4}
model: tiny
decoder.layers: 3
encoder.layers: 1
train: {epochs: 1, label_smoothing: 0.2}
rows: [{name: A}]
END
try plan $work/logic.yaml --runs $work/none
says "what the task does not read" 0 \
    "$work/logic.yaml:5:17: decoder.layers has no effect here; the task logic does not use it"
says "of each section" 0 "$work/logic.yaml:7:37: train.label_smoothing has no effect here; the task logic"
try plan $work/logic.yaml logic.pairs=0 --runs $work/none
says "how deep pairs are that are not made up" 1 \
    "$work/logic.yaml:3:42: logic.depth has no effect here; it has an effect where pairs > 0"
mkfifo $work/pipe
for verb in table report; do
    try $verb $work/g.yaml --out $work/pipe
    says "$verb over what is not a regular file" 65 "^sanlab: $verb: --out \"$work/pipe\": expected the path of a file"
    holds "$verb leaves it alone" [ -p $work/pipe ]
done
ls $work/runs > /dev/null 2>&1
ok "nothing was started" $((! $?))
finish
