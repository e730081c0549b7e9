#!/bin/sh
# Axes that a grid defines, from end to end: run, list, table, figure, claim, command line.
. "$(dirname "$0")/../support/cli.sh"
. tests/support/latex.sh
task axes_cli 60
runs=$work/runs
cat > $work/g.yaml << 'END'
grid: g
title: Windows and layers
corpus: {source: a, target: b, train: train, dev: dev, merges: 20}
model: tiny
encoder.layers: 2
train: {epochs: 0, steps: 8, batch_tokens: 128, validate_every: 4}
evaluate: {bleu: {split: dev, beam: 1}}
seeds: [1, 2]
sweep: {window: {narrow: 1, wide: 3}, layers: [1, 1-2, all]}
rows:
  - {name: Transformer, sweep: false}
  - {name: local, encoder.attention: [{layers: $layers, branches: [{window: $window}]}]}
  - {name: gate, encoder.attention: [{layers: $layers, branches: [global, {window: $window}], fusion: gate}]}
table: {by: [layers, window], baseline: Transformer, columns: [test_loss]}
figures: [{kind: lines, axis: window, left: test_loss}]
claims: [{text: Wide is better, compare: {window: [wide, narrow]}, metric: test_loss, expect: less}]
END

try plan $work/g.yaml --runs $runs
says "equal points are one row" 0 \
    '^row "local, window narrow, layers 1-2" is also layers all: the same options, one row$'
try run $work/g.yaml --runs $runs
says "and are computed once" 0 '37 of 37 stages done' # 9 rows of two seeds, train and score; a corpus
try ls 'kind = score and window = narrow and layers = all' --runs $runs --columns name,window,layers
says "ls knows axes, and all places of a row" 0 'g/gate, window narrow, layers 1-2/2 +.* narrow +1-2 all$'
holds "and nothing else" [ "$(printf '%s\n' "$output" | grep -c '^score-')" = 4 ]
try ls 'kind = score and encoder.attention.window = 3' --runs $runs
holds "options are known as before" [ "$(printf '%s\n' "$output" | grep -c '^score-')" = 8 ]
expect "and which grid" 0 'g/' ls 'kind = score and grid = g and window = narrow' --runs $runs
expect "a slip" 65 'no stage has the key "windw"; did you mean "window"' ls 'windw = 1' --runs $runs

try table $work/g.yaml --runs $runs
says "a table of two axes: the baseline above, with its value at each coordinate" 0 \
    '^Transformer +([0-9.]+ ± [0-9.]+) +\1$'
says "a line for each of the first" 0 '^  all +[0-9.]+ ± [0-9.]+ '
says "seeds are counted once" 0 '^Mean ± sample standard deviation over 2 seeds \(1, 2\)\.'
[ "$(printf '%s\n' "$output" | sed -n 's/^  all //p' | tr -d '*')" = \
    "$(printf '%s\n' "$output" | sed -n 's/^  1-2 //p' | tr -d '*')" ]
ok "equal points stand at both places" $?
try table $work/g.yaml --runs $runs --format latex --standalone --out $work/t.tex
holds "in LaTeX" grep -Eq '^Transformer & ([0-9][^&]*) & \1 ' $work/t.tex
if command -v pdflatex > /dev/null; then
    output=$(cd $work && pdflatex -halt-on-error -interaction=batchmode t.tex 2>&1)
    ok "which compiles" $?
else
    skipped "which compiles" "there is no pdflatex (Debian: texlive-latex-recommended)"
fi
sed 's/^table: .*/table: {columns: [window, option(layers), bleu]}/' $work/g.yaml > $work/c.yaml
try table $work/c.yaml --runs $runs
says "which says where equal points are" 0 \
    '^Equal points are one row: .*gate, window wide, layers 1-2 \(also layers all\)'
says "an axis is a column" 0 '^gate, window wide, layers 1 +wide +1 +[0-9.]+ ± '
sed 's/^table: .*/table: {by: window, columns: [bleu]}/' $work/g.yaml > $work/c.yaml
expect "or stands across" 0 '^ +narrow +wide$' table $work/c.yaml --runs $runs
sed 's/^table: .*/table: {by: window, columns: [layers, bleu]}/' $work/g.yaml > $work/c.yaml
try table $work/c.yaml --runs $runs
says "beside the axis of each of the equal points" 0 '^gate, layers all +all +[0-9.]+ ± '
sed 's/\[layers, window\]/[layers, windo]/' $work/g.yaml > $work/c.yaml
try table $work/c.yaml --runs $runs
says "a slip there" 65 'by: there is no option "windo"; did you mean the axis "window"'
sed 's/^table: .*/table: {by: layers, columns: [test_loss]}/' $work/g.yaml > $work/c.yaml
expect "values that are no words need the axis" 0 '^ +layers 1 +layers 1-2 +layers all$' table $work/c.yaml --runs $runs
sed 's/^table: .*/table: {columns: [test_loss, {column: $window, header: Width}, $encoder.attention.layers]}/' $work/g.yaml > $work/c.yaml
try table $work/c.yaml --runs $runs
says "an axis is a column, with its dollar" 0 ' Test loss +Width +layers$'
says "its value" 0 '^gate, window wide, layers 1 +[0-9.]+ ± [0-9.]+ +wide +1$'
expect "a slip in it" 65 'command line: .*\$windw: no row has the axis "windw"; nearest is "window"' \
    table $work/g.yaml --runs $runs table.columns='$windw'
# Three axes: window by layers, with a section for each rate.
sed 's/^sweep: {/&train.rate: [0.5, 1], /; s/\[layers, window\]/[layers, window, train.rate]/
    s/columns: .test_loss./columns: [test_loss, bleu, $window]/; s/^claims.*//; s/^figures.*//' $work/g.yaml > $work/three.yaml
mkdir $work/three
for format in text md html csv latex; do ./sanlab table $work/three.yaml --runs $runs --format $format > $work/three/t.$format 2> /dev/null; done
output=$(cat $work/three/t.text)
matches "text has sections of three axes" '^gate, rate=0.5$'
output=$(cat $work/three/t.md)
matches "Markdown too" "^| .*gate, rate=0.5"
output=$(cat $work/three/t.csv)
matches "and csv" '^"local, rate=1",all,'
holds "and html" grep -q '>gate, rate=1<' $work/three/t.html
holds "and latex" grep -q 'textit{gate, rate=1}' $work/three/t.latex
mv $work/three/t.latex $work/three/t.tex
latex_fits "which fits a page" $work/three
sed 's/\[layers, window\]/[layers, window, train.rat]/' $work/g.yaml > $work/c.yaml
expect "a slip in the third" 65 'c.yaml:14:30: by: there is no option "train.rat"; nearest is "train.rate"' table $work/c.yaml --runs $runs

try claims $work/g.yaml --runs $runs
says "a main effect" 0 'Test loss of window wide against window narrow over 4 pairs of rows'
try plot $work/g.yaml --runs $runs --out $work --keep
says "a figure against an axis" 0 'Lines without points: rows that are not on the axis'
sed 's/^figures: .*/figures: [{kind: bars, left: test_loss, rows: [gate, window wide, layers 1, Transformer]}]/' \
    $work/g.yaml > $work/c.yaml
try plot $work/c.yaml --runs $runs --out $work --keep
cut -f 1 $work/g-1/data.tsv | sort -u > $work/rows
holds "a figure names a row without quotes" [ "$(grep -c . $work/rows)" = 3 ]
# The name of the varied option, as ls prints it.
sed 's/\[layers, window\]/[encoder.attention.layers, encoder.attention.window]/
    s/compare: {window/compare: {encoder.attention.window/
    s/axis: window/axis: encoder.attention.window/' $work/g.yaml > $work/c.yaml
same() {
    ./sanlab "$1" $work/g.yaml --runs $runs > $work/g.txt
    equals "$1 knows an axis by its option" "$(cat $work/g.txt)" "$(./sanlab "$1" $work/c.yaml --runs $runs 2>&1)"
}
same table
same claims
same plot
sed 's/^table: .*/table: {columns: [encoder.attention.layers, option(encoder.attention.fusion), bleu]}/' \
    $work/g.yaml > $work/c.yaml
try table $work/c.yaml --runs $runs
says "options in lists are columns" 0 '^gate, window wide, layers 1 +1 +gate +[0-9.]+ ± '
sed 's/^table: .*/table: {columns: [option(encoder.attention.windw), bleu]}/' $work/g.yaml > $work/c.yaml
try table $work/c.yaml --runs $runs
says "if some row has them" 65 'there is no option "encoder.attention.windw"; nearest'
try plan $work/g.yaml --runs $runs window=wide layers=2
says "the command line knows labels, and other values" 0 ' gate/2 '
holds "in the place of the grid's" [ "$(printf '%s\n' "$output" | grep -c '^train-')" = 6 ]

# Assignments that the table cannot show, and those that only it reads.
expect "a sweep of another axis makes sections" 0 '^gate, rate=2$' table $work/g.yaml --runs $runs train.rate=1,2
sed 's/by: \[layers, window\]/by: {option: [layers, window], headings: {narrow: N}}/' $work/g.yaml > $work/c.yaml
try plan $work/c.yaml --runs $runs window=wide
says "a sweep that the table cannot show" 0 \
    'warning: .*c.yaml:14:[0-9]+: by: no row has window = "narrow"; the table has a line for each row instead$'
says "is planned" 0 '^[0-9]+ stages: .*'
try table $work/c.yaml --runs $runs window=wide 2> /dev/null
says "and has a plain table" 0 '^gate, layers 1 '
try table $work/g.yaml --runs $runs table.bold=false
says "an assignment to the table is not in its title" 0 '^Windows and layers \(g\)$'
lacks "nor is it another run" 'has not run'
try table $work/g.yaml --runs $runs 'table.baseline=gate, window wide, layers 1' 'table.columns=test_loss,delta(test_loss)'
says "the name of a cell has commas" 0 '^Transformer +.*[-+]?[0-9.]+'
try table $work/g.yaml --runs $runs 'table.baseline=gate, window wid, layers 1'
says "a slip in it" 65 'command line: .*: there is no row "gate, window wid, layers 1"; nearest is "gate, window wide, layers 1"'
try table $work/g.yaml --runs $runs table.baseline=locla
says "the name as written is near, too" 65 'there is no row "locla"; nearest is "local"'
sed '/name: local/d; s/name: gate/&, label: "with $window words, gate"/; s/baseline: Transformer/baseline: gate/' $work/g.yaml > $work/d.yaml
expect "a baseline that is several cells" 65 'd.yaml:13:41: baseline: "gate" is several cells .*; expected the full name of one' \
    plan $work/d.yaml --runs $runs
try table $work/d.yaml --runs $runs table.baseline=Transformer
says "a heading has no value of an axis that is a heading" 0 '^with … words, gate$'
sed 's/sweep: {/&fusion: [gate, sum], /; s/fusion: gate/fusion: $fusion/; s/name: gate/name: hybrid ($fusion)/
    s/\[layers, window\]/[layers, window, fusion]/; /^claims/d; /^figures/d' $work/g.yaml > $work/d.yaml
try table $work/d.yaml --runs $runs
says "a heading has a value that all of its rows have, once" 0 '^hybrid \(sum\)$'
holds "not for all rows of the name" [ "$(printf '%s\n' "$output" | grep -c '^hybrid (gate)$')" = 1 ]
expect "also if it is not in the table" 0 '^hybrid \(gate\)$' table $work/d.yaml --runs $runs fusion=gate 'table.by=[layers,window]'
sed 's/name: gate/name: gate of $layers/; /^claims/d' $work/g.yaml > $work/d.yaml
try plot $work/d.yaml --runs $runs --out $work --keep
holds "a line has the name of its rows" grep -q '	gate of 1	window	narrow' $work/g-1/data.tsv
holds "never as written" [ "$(cat $work/g-1/* | grep -c '$layers')" = 0 ]
sed 's/\[layers, window\], baseline: Transformer, .*/window, baseline: ~}/' $work/g.yaml > $work/c.yaml
try table $work/c.yaml --runs $runs
says "without a baseline" 0 '^Transformer +([0-9,]+ +[0-9.]+ ± [0-9.]+) +\1$'
lacks "there is no difference" 'Δ'
sed -i 's/baseline: ~/&, columns: [bleu, delta(bleu)]/' $work/c.yaml
expect "and a column of differences is empty" 0 \
    'c.yaml:14:[0-9]+: delta.bleu.: the table has no baseline, so this column is empty$' table $work/c.yaml --runs $runs
sed "s/'Wide/Wide/; s/compare: .window: .wide, narrow../compare: [gate, window wide, layers 1, Transformer]/" \
    $work/g.yaml > $work/c.yaml
try claims $work/c.yaml --runs $runs
says "a claim names a row without quotes" 0 'gate, window wide, layers 1'
expect "which the command line may have changed" 0 '^[0-9]+ stages: ' plan $work/c.yaml --runs $runs train.rate=1,2
expect "so that no claim is left" 65 'c.yaml: no claim is about rows that exist' claims $work/c.yaml --runs $runs train.rate=1,2
sed -i 's/compare: .gate, window wide/compare: [gate, window wid/' $work/c.yaml
expect "a slip in it" 65 'c.yaml:16:49: compare: there is no row "gate, window wid, layers 1"; nearest is "gate, window wide, layers 1"' \
    claims $work/c.yaml --runs $runs
sed 's/^figures: .*/figures: [{kind: bars, rows: [Transformer, gate, window wide, layres 1, local]}]/' $work/g.yaml > $work/c.yaml
expect "and in a figure" 65 'figures.rows: there is no row "window wide, layres 1"; .*gate, window wide, layers 1' \
    plan $work/c.yaml --runs $runs
# Rows that the command line selects: claims about other rows are left out.
sed "s/^claims: .*/claims: [{text: Wide differs by gate, compare: [[gate, window wide, layers 1, gate, window narrow, layers 1], [local, window wide, layers 1, local, window narrow, layers 1]], metric: test_loss, expect: less},/" \
    $work/g.yaml > $work/c.yaml
echo '  {text: Less, compare: [gate, local], metric: test_loss, expect: less}]' >> $work/c.yaml
expect "a table of selected rows" 0 '^layers +narrow$' table $work/c.yaml window=narrow --runs $runs
try claims $work/c.yaml window=narrow --runs $runs
says "claims on them" 0 '^1. Less '
says "others are counted" 0 '^Left out: 1 claim about rows that are not selected.$'
# Names are those of the whole grid, also if the command line selects rows.
expect "a name of no row" 65 'there is no row "gate, window wid, layers 1"; nearest is "gate, window wide, layers 1"' \
    table $work/g.yaml window=narrow 'table.baseline=gate, window wid, layers 1' --runs $runs
try table $work/g.yaml window=narrow 'table.baseline=gate, window wide, layers 1' 'table.columns=test_loss,delta(test_loss)' --runs $runs
says "a baseline that is not selected" 0 '^No differences: the baseline "gate, window wide, layers 1" is not selected.$'
lacks "is not replaced by another row" 'difference from|[+-][0-9]+[.][0-9]+$'
expect "nor is the row of the tests" 0 '^No differences: the baseline "gate, window wide, layers 1" is not selected.$' \
    table $work/g.yaml window=narrow 'table.significance={against: "gate, window wide, layers 1"}' --runs $runs
sed 's/\[wide, narrow\]/[wide, narow]/' $work/g.yaml > $work/c.yaml
expect "a value of no row" 65 'window: there is no value "narow"; nearest is "narrow"' plan $work/c.yaml window=narrow --runs $runs
sed 's/compare: {window/compare: {windw/' $work/g.yaml > $work/c.yaml
expect "an axis of no row" 65 'no row has the axis "windw"; nearest is "window"' plan $work/c.yaml window=narrow --runs $runs
sed 's/^figures: .*/figures: [{kind: bars, rows: [Transfomer, gate]}]/' $work/g.yaml > $work/c.yaml
expect "a row of a figure" 65 'figures.rows: there is no row "Transfomer"; nearest is "Transformer"' plan $work/c.yaml window=narrow --runs $runs
sed 's/^figures: .*/figures: [{kind: bars, rows: [Transformer, "gate, window wide, layers 1"]}]/' $work/g.yaml > $work/c.yaml
expect "which is not selected" 0 '^[0-9]+ stages: ' plan $work/c.yaml window=narrow --runs $runs
expect "in a list, only the wrong item is named" 65 'table: there is no row "gaet"' plan $work/g.yaml table.baseline=Transformer,gaet --runs $runs

# Gates, which local and Transformer lack.
sed 's/^evaluate: {/&gates: {split: dev, by: [layer]}, /; s/columns: .test_loss./columns: [test_loss, gates.gate]/; s/fusion: gate/fusion: $fusion/
    s/^sweep: {/&fusion: [gate, concat], /; s/^claims.*//; s/^table: {by: .layers, window.,/table: {/
    s/^figures: .*/figures: [{kind: heat, axis: window, down: layers, left: gates.gate}, {kind: heat, axis: window, down: layers, left: test_loss, rows: [Transformer, gate, fusion gate, window narrow, layers 1]}]/' \
    $work/g.yaml > $work/gates.yaml
expect "rows without gates have no cell" 0 '^[0-9]+ stages: ' plan $work/gates.yaml --runs $runs
expect "they may be selected alone" 0 '^[0-9]+ stages: ' plan $work/gates.yaml fusion=concat --runs $runs
./sanlab run $work/gates.yaml fusion=gate --runs $runs --quiet
sed -i 's/left: gates.gate}/left: gates.gate, frame: fusion}/' $work/gates.yaml
try plot $work/gates.yaml fusion=gate --runs $runs --out $work --keep
holds "a frame without them is left out" grep -q '^panels = 1$' $work/*-1/script.gp
says "a row that is on no axis" 0 'Not drawn: Transformer .not on the axes.\.'
try plan $work/g.yaml --runs $runs --only Transformer 'encoder.stack=[{onlstm: 2}]'
says "rows that are not selected are not checked" 0 '^train-[0-9a-f]+ +Transformer/1 .* new '
try plan $work/g.yaml --runs $runs --only 'window = wid'
says "the nearest value" 65 'command line: --only: no row has window = "wid"; nearest is "wide"'
sed '/^sweep/,$d' $work/g.yaml > $work/o.yaml
printf '%s\n' 'model.dropout: 0.1' 'sweep: {encoder.layers: [1, 2]}' 'rows: [{name: A}, {name: B, model.dropout: 0.3}]' \
    'table: {by: [encoder.layers, model.dropout], columns: [test_loss]}' >> $work/o.yaml
try table $work/o.yaml --runs $runs
says "an option that is not swept: the heading of a row that does not set it" 0 '^layers +0\.1 +0\.3$'
holds "is its value" [ "$(printf '%s\n' "$output" | tr -s ' ' | grep -c '^ [12] new -$\|^ [12] - new$')" = 4 ]
finish
