#!/bin/sh
# sanlab table end to end: a sweep arranged by a factor, output formats, explanations, refused requests.
. "$(dirname "$0")/../support/cli.sh"
task table_cli 100

cat > $work/g.yaml << 'END'
grid: g
title: A table
corpus: {source: a, target: b, train: train, dev: dev, merges: 20}
model: tiny
train: {epochs: 0, steps: 4, batch_tokens: 256, warmup: 20}
sweep: {encoder.position: [sinusoid, none]}
rows:
  - {name: "Others (2016)", section: Theirs, quote: {metric: printed, bleu: {NoPos: 24.6}}}
  - {name: Base, section: Ours}
  - name: + Local
    encoder.attention: [{layers: 1-2, branches: [{window: 1}]}]
  - name: A file
    hyp: {Pos: x.txt}
evaluate: {bleu: {split: dev, beam: 1}}
table:
  names: System
  by: {option: encoder.position, headings: {sinusoid: Pos, none: NoPos}}
  baseline: Base
  columns: [has(encoder.attention.branches.global), parameters, bleu, delta(bleu)]
  significance: {samples: 500, correction: holm}
END
cp $work/data/dev.b $work/x.txt
mkdir $work/none
try table $work/g.yaml --runs $work/none
says "a grid that has not run" 0 \
    "^sanlab: warning: g: has not run in $work/none with its current file: sanlab run $work/g.yaml --runs $work/none$"
says "before anything has run" 0 "^Not done: Base, position=sinusoid \(new\); "
expect "the grid runs" 0 "done" run $work/g.yaml --runs $work/runs
expect "groups by the factor" 0 "Pos .*NoPos" table $work/g.yaml --runs $work/runs
says "a section" 0 "^Theirs"
says "a quoted row" 0 "^ *Others \(2016\) .*24.6( |$)"
says "the default counts for a check mark" 0 "^ *Base +✓ +[0-9,]+ "
says "the row's own does" 0 "^ *\+ Local +[0-9,]+ "
says "its own file is perfect, and better" 0 "^ *A file .*100.00△△"
says "the caption" 0 "with one seed: .* Holm over 3 comparisons[.]"
says "every row with a training is undertrained" 0 "^Undertrained \(the warm-up did not end\): Base, .*"
below() { printf '%s\n' "$output" | sed '1,/^  A file/d'; }
[ "$(below | cut -d ' ' -f 1 | tr '\n' ' ')" = "One BLEU: Undertrained Undertrained Short Others A Pairs " ]
ok "below it: seeds and test, signature, a line for each warning" $?
try table $work/g.yaml --runs $work/runs table.notes_below=false table.notes=Mine
holds "or the table's own notes alone" [ "$(below)" = Mine ]
expect "an unknown word for notes is refused" 65 '"full"' table $work/g.yaml --runs $work/runs --notes fll
try table $work/g.yaml --runs $work/runs --notes full
says "in full also how it was translated" 0 "^Translations: dev, checkpoint best, beam 1, length penalty [0-9.]+\.$"
# The best value is bold on a terminal. An empty NO_COLOR counts as unset (no-color.org).
bold() { TERM=xterm script -qec "./sanlab table $work/g.yaml --runs $work/runs" /dev/null < /dev/null | grep -c "$(printf '\033')"; }
output="$(NO_COLOR='' bold) $(NO_COLOR=1 bold)"
[ "${output% 0}" != "$output" ] && [ "$output" != "0 0" ]
ok "bold on a terminal unless NO_COLOR says something: $output" $?
try table $work/g.yaml --runs $work/runs table.names=Model table.columns=parameters,bleu
says "keys of the table on the command line: other columns" 0 "^Model +Parameters +BLEU +Parameters +BLEU$"
says "and no other results" 0 "^ *A file .*100.00△△"
try table $work/g.yaml --runs $work/runs "~table.names" table.significance.samples=200
says "without a key, and with another within one" 0 "200 samples, random seed"
printf 'grid: h\nbase: g.yaml\nsweep: ~\nrows: [{name: One}, {name: Two, train.warmup: ~}]\n' > $work/h.yaml
printf 'table: {by: ~, columns: [option(train.warmup)], significance: ~, baseline: ~}\n' >> $work/h.yaml
expect "an option that a row takes away has its default" 0 "^Two +4000$" table $work/h.yaml --runs $work/runs
printf 'grid: h\nbase: g.yaml\nsweep: ~\nrows: [{name: Steps, train.epochs: ~}, {name: Epochs, train.steps: ~, train.epochs: 1, model.dropout: 0.0}]\n' > $work/h.yaml
printf 'table: {by: ~, columns: [has(train.epochs), has(model.dropout)], significance: ~, baseline: ~}\n' >> $work/h.yaml
try table $work/h.yaml --runs $work/runs --format csv
says "beside steps no epochs are there by themselves" 0 "^Steps,,"
says "and 0.0 is off as 0 is" 0 "^Epochs,✓,[^✓]*$"
expect "as CSV" 0 "^section,System," table $work/g.yaml --runs $work/runs --format csv
try table $work/g.yaml --runs $work/runs --format latex --standalone --out $work/table.tex
says "as LaTeX, to a file" 0 "^$"
output=$(grep -c 'begin{document}' $work/table.tex)
ok "which is a document" $?
output=$(grep -A2 '^.caption{' $work/table.tex)
matches "its caption is one sentence" '^.caption{A table (g)\.}$'
output=$(sed -n '/end{tabular}/,$p' $work/table.tex)
matches "the notes stand below the table" '^BLEU: nrefs'
try table $work/g.yaml --runs $work/runs --explain "+ Local, position=none" bleu
says "an explanation: the folder" 0 "score +done +$work/runs/stages/score-[0-9a-f]{12}$"
says "the signature" 0 "; nrefs:1"
says "the command" 0 "^command: sanlab run $work/g.yaml --runs $work/runs$"
says "the statistics" 0 "paired bootstrap \(Koehn 2004, one-sided\)"

# Steps of the scored checkpoint.
small $work/steps.yaml tiny << 'END'
train: {steps: 4, validate_every: 2, batch_tokens: 256, warmup: 20}
evaluate: {bleu: {split: dev, beam: 1, checkpoint: average(2)}}
table: {columns: [dev_loss, bleu], notes_below: full}
END
try run $work/steps.yaml --runs $work/steps --quiet
done=$(echo $work/steps/stages/score-*/done.json)
output=$(tr -d ' \n' < "$done")
matches "a score records its steps" '"scored_steps":\[2,4\]'

# The test for bold cells takes longer than everything else, so it runs only for output that shows bold.
small $work/bold.yaml tiny << 'END'
train: {epochs: 0, steps: 4, batch_tokens: 256, warmup: 20}
seeds: [1, 2]
rows:
  - {name: One}
  - {name: Two, encoder.layers: 1}
evaluate: {bleu: {split: dev, beam: 1}}
table: {columns: [test_loss]}
END
try run $work/bold.yaml --runs $work/bold --quiet
for form in text csv md latex html; do
    try table $work/bold.yaml --runs $work/bold --format $form --trace table
    case $form in text | csv) wanted=0 ;; *) wanted=1 ;; esac
    [ "$code" = 0 ] && [ "$(printf '%s\n' "$output" | grep -c 'sentences are resampled')" = $wanted ]
    ok "tests for bold in the form $form: $wanted" $?
done

# The initial model of a seed is scored and translates without a checkpoint, as a control.
try run $work/steps.yaml evaluate.bleu.checkpoint=start --runs $work/steps --quiet
ok "a model that has learned nothing is scored" "$code"
start=$(grep -l 'checkpoint.*start' $work/steps/stages/score-*/stage.json | sed 's|/stage.json||')
output=$(tr -d ' \n' < "$start/done.json")
matches "which is of step 0" '"scored_steps":\[0\]'
try table $work/steps.yaml evaluate.bleu.checkpoint=start --runs $work/steps
says "and the table says so" 0 "checkpoint start"
model=$(basename $work/steps/stages/train-*)
output=$(./sanlab translate "$model" $work/data/dev.a --checkpoint start --beam 1 --runs $work/steps |
    diff - "$start/hypotheses.txt" 2>&1)
ok "translate has the same words" $?
try run $work/steps.yaml evaluate.bleu.checkpoint=start seeds=1,2 --runs $work/steps --quiet
output=$(for score in $(grep -l 'checkpoint.*start' $work/steps/stages/score-*/stage.json); do
    sha256sum < "${score%/stage.json}/hypotheses.txt"
done | sort -u | wc -l)
holds "another seed starts another model" [ "$output" = 2 ]
try translate "$model" --checkpoint "mean_of_best(2)" --runs $work/steps < /dev/null
says "but several models translate no line" 65 "mean_of_best\(2\) selects several models; expected one"

# A sweep on the command line over named rows. If the file refers to a swept row, the reference
# applies to every row that the sweep makes of it.
small $work/swept.yaml tiny << 'END'
train: {epochs: 0, steps: 4, batch_tokens: 256, warmup: 20}
rows:
  - name: Base
  - name: + Local
    encoder.attention: [{layers: 1-2, branches: [{window: 1}]}]
evaluate: {bleu: {split: dev, beam: 1}}
table:
  columns: [bleu, delta(bleu), delta(steps)]
  baseline: Base
  paper: {metric: printed, bleu: {Base: 20}}
claims:
  - {text: Local helps, compare: [+ Local, Base], expect: greater}
figures:
  - {kind: curve, rows: [Base], left: dev_loss, right: none}
END
try run $work/swept.yaml train.steps=4,6 --runs $work/runs
try table $work/swept.yaml train.steps=4,6 --runs $work/runs
says "a swept baseline: each row has its own" 0 "^\+ Local, steps=6 .* 0 +-$"
says "the paper's value is of none of them" 0 "^1 of the paper's values are left out"
try claims $work/swept.yaml train.steps=4,6 --runs $work/runs
says "a claim of each" 0 "^2\. Local helps \(\+ Local, steps=6\) "
try plot $work/swept.yaml train.steps=4,6 --runs $work/runs --out $work
says "figures of all" 0 "^$work/swept[+]train.steps=4,6-1.svg$"
try table $work/swept.yaml train.steps=4,6 --runs $work/runs --explain "+ Local, steps=6" bleu
says "and what a cell is compared with" 0 "^Against Base, steps=6, n = 1"
sed 's/  - name: + Local/&\n    label: Narrow\n    section: Ours\n    rule: true/' $work/swept.yaml > $work/called.yaml
try table $work/called.yaml train.steps=4,6 --runs $work/none
says "rows of one label are told apart" 0 "^  Narrow, steps=6 +new"
holds "their heading stands once" [ "$(printf '%s\n' "$output" | grep -c '^Ours$')" = 1 ]
holds "and so does the line above them" [ "$(printf '%s\n' "$output" | grep -c '^──')" = 2 ]
expect "of a file" 0 "100.00 of $work/x.txt; nrefs:1" table $work/g.yaml --runs $work/runs --explain "A file" bleu
try table $work/g.yaml --runs $work/runs --explain "A file" parameters
says "of which no more than metrics of text is known" 0 "^  no value: a file of hypotheses has only BLEU, chrF and TER$"
try table $work/g.yaml --runs $work/runs --explain "+ Lokal, position=none" bleu
says "a row that is not there" 65 "nearest is \"\+ Local, position=none\""
try table $work/g.yaml --runs $work/runs --explain Nobody bleu
says "those that are, each once" 65 'expected one of: "Base, position=sinusoid", '
try table $work/g.yaml --runs $work/runs --explain Base
says "without a column" 65 "expected GRID, a row and a column"
expect "an unknown form" 65 "latex" table $work/g.yaml --runs $work/runs --format latx

# A two-way table, as in papers.
small $work/two.yaml tiny << 'END'
train: {epochs: 0, steps: 4, batch_tokens: 256}
sweep: {train.warmup: [20, 30], encoder.position: [sinusoid, none]}
rows:
  - name: Base
  - name: + Local
    encoder.attention: [{layers: 1-2, branches: [{window: 1}]}]
evaluate: {bleu: {split: dev, beam: 1}}
table: {by: [train.warmup, encoder.position], columns: [bleu]}
END
expect "two axes: one across" 0 "^ +BLEU by position$" table $work/two.yaml --runs $work/none
says "the other down" 0 "^warmup +sinusoid +none$"
says "a section for each row" 0 "^\+ Local$"
says "whose lines are its values" 0 "^  30 +new +new$"
expect "two axes as CSV" 0 "^'\+ Local,30," table $work/two.yaml --runs $work/none --format csv
try run $work/two.yaml --runs $work/runs --quiet
try table $work/two.yaml --runs $work/runs --explain "+ Local, warmup=30, position=none" bleu
says "an explanation of a cell of two axes" 0 "^Against Base, warmup=20, n = 1"
sed 's/columns: .bleu./columns: [bleu, delta(bleu)], baseline: Base/' $work/two.yaml > $work/both.yaml
try table $work/both.yaml --runs $work/runs --format latex
says "two axes as LaTeX, with two columns a heading" 0 \
    "^ & .multicolumn\{[0-9]\}\{c\}\{position sinusoid\} & .multicolumn\{[0-9]\}\{c\}\{position none\}"
says "a heading for each row of the file" 0 "^.multicolumn\{[0-9]\}\{l\}\{.textit\{\+ Local\}\}"
try table $work/two.yaml train.rate=1,2 --runs $work/none
says "a third axis makes sections" 0 "^\+ Local, rate=2$"

# refuse WHAT SED-COMMAND PATTERN: passes if the grid with an edited table line is refused.
refuse() {
    sed "$2" $work/g.yaml > $work/wrong.yaml
    expect "$1" 65 "$3" plan $work/wrong.yaml --runs $work/runs
}
refuse "an unknown key" 's/baseline:/basline:/' "wrong.yaml:[0-9]+:3: .*nearest is \"baseline\""
refuse "an unknown option" 's/has(encoder.attention/has(encoder.atention/' \
    "there is no option \"encoder.atention\"; nearest is \"encoder.attention\""
sed 's/branches.global/global/' $work/g.yaml > $work/wrong.yaml
try table $work/wrong.yaml --runs $work/runs
says "a word that no row has" 0 "wrong.yaml:[0-9]+:[0-9]+: has\\(encoder.attention.global\\): no row has this word"
refuse "an unknown kind" 's/parameters, /trian.parameters, /' \
    "there is no kind of stage \"trian\"; nearest is \"train\""
refuse "an unknown factor" 's/option: encoder.position/option: encoder.positon/' \
    "nearest is \"encoder.position\""
refuse "a heading without rows" 's/none: NoPos/nowhere: NoPos/' "no row has encoder.position"
refuse "an unknown test" 's/samples: 500/test: bootstrap/' "paired-bootstrap"
refuse "a file for which factor" 's/hyp: .*/hyp: x.txt/' "expected a file for each encoder.position"
sed 's/parameters, /train.paramters, /' $work/g.yaml > $work/wrong.yaml
try table $work/wrong.yaml --runs $work/runs
says "a value that no stage has" 65 "no column \"train.paramters\"; did you mean \"train.parameters\"\?"
finish
