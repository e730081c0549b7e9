#!/bin/sh
# Figures from a training: gates, three formats, kept data, hostile names, a machine without gnuplot.
. "$(dirname "$0")/../support/cli.sh"
task plot_cli 200
export OMP_NUM_THREADS=1

canary=$(mktemp -u) # a name without masked characters
sed "s|CANARY|$canary|" > $work/g.yaml << 'END'
grid: g
title: Two windows
corpus: {source: a, target: b, train: train, dev: dev, merges: 20}
model: {preset: tiny, dropout: 0.1}
encoder.layers: 2
train: {epochs: 3, batch_tokens: 256, warmup: 20, validate_sentences: 10, select: bleu}
rows:
  - name: "`touch CANARY`"
    encoder.attention: [{layers: 1-2, branches: [global, {window: 1}], fusion: gate}]
  - name: "'; system(\"touch CANARY\") #"
    encoder.attention: [{layers: 1, branches: [global, {window: 2}], fusion: gate}]
  - name: Transformer
evaluate:
  bleu: {split: dev, beam: 2, checkpoint: mean_of_best(2)}
  gates: {split: dev, checkpoint: mean_of_best(2), by: [head, layer]}
figures:
  - kind: window
    x: "< touch CANARY"
    rows:
      - "`touch CANARY`"
      - "'; system(\"touch CANARY\") #"
  - {kind: layers, title: "By layer\n!touch CANARY"}
  - {kind: curve}
END

mkdir $work/runs
expect "a row without gates has no stage of them" 0 "^9 stages:" plan $work/g.yaml --runs $work/runs
try plot $work/g.yaml --runs $work/runs
ok "before anything ran there are figures" $code
holds "which say that there is no value yet" grep -q "No values yet" $work/runs/figures/g-2.svg
try run $work/g.yaml --runs $work/runs --quiet
ok "the grid runs to its end" $code
expect "its gates are shown" 0 "gate_sd" show "$(basename $work/runs/stages/gates-* | head -1)" --runs $work/runs
[ "$(cat $work/runs/stages/gates-*/metrics.jsonl | grep -c '"head":4')" = 18 ]
ok "by layer and head, for both checkpoints and over them" $?

expect "figures with captions" 0 "mean of the 2 best checkpoints" plot $work/g.yaml --runs $work/runs --keep
says "a row that has no gates is named" 0 "Not drawn: Transformer \(no value\)"
for text in ">\`touch $canary\`<" ">'; system(\"touch $canary\") #<" ">&lt; touch $canary<"; do
    cat $work/runs/figures/g-1.svg $work/runs/figures/g-3.svg | grep -qF -e "$text"
    ok "in a figure as typed: $text" $?
done
try plot $work/g.yaml --runs $work/runs --format pdf --out $work/out
head -c 5 $work/out/g-3.pdf | grep -q %PDF-
ok "PDF" $?
cp $work/out/g-3.pdf $work/first.pdf
try plot $work/g.yaml --runs $work/runs --format png --out $work/out
head -c 4 $work/out/g-1.png | grep -q PNG
ok "PNG" $?
try plot $work/g.yaml --runs $work/runs --format pdf --out $work/out
holds "the same values give the same bytes" cmp -s $work/out/g-3.pdf $work/first.pdf
if command -v gnuplot > /dev/null; then
    (cd $work/runs/figures/g-1 && gnuplot -d script.gp) > $work/log 2>&1 &&
        cmp $work/runs/figures/g-1/figure.svg $work/runs/figures/g-1.svg
    ok "what --keep leaves draws the same figure" $?
fi
holds "and no name started anything" [ ! -e "$canary" ]

expect "a format that is none" 65 "svg" plot $work/g.yaml --runs $work/runs --format jpg
mkdir -p $work/empty
PATH=$PWD/$work/empty try plot $work/g.yaml --runs $work/runs
says "without gnuplot: what to do" 1 "gnuplot is not installed .apt-get install gnuplot-nox"
PATH=$PWD/$work/empty try table $work/g.yaml --runs $work/runs
says "and the table is as it was" 0 "^Transformer"

# Columns with dimensions show the numbers of the metric rows.
{
    cat $work/g.yaml
    echo 'table:'
    echo '  columns: [{column: gates.gate, layer: 1, head: 4, decimals: 6},'
    echo '            {column: gates.gate, set: 2, decimals: 6}]'
} > $work/table.yaml
# row JSON: prints the value of that metric row for the second row, whose only layer is the first
row() {
    gates=$(readlink "$(printf '%s\n' $work/runs/names/g/*touch*/1/gates | grep system)")
    sed -n "s/.*\"value\":\([0-9.]*\),$1,\"n\".*/\1/p" "$work/runs/stages/${gates##*/}/metrics.jsonl" | head -n 1
}
try table $work/table.yaml --runs $work/runs
says "a column of a head of a layer, and one of a checkpoint" 0 \
    "system.* $(printf '%.6f  *%.6f' "$(row '"layer":1,"head":4')" "$(row '"set":2')")\$"
says "which say so" 0 "Mean gate layer 1 head 4 +Mean gate set 2"
says "a row that has none is empty" 0 "^Transformer +- +-\$"
sed 's/gate, layer: 1/gate_sd, layer: 3/' $work/table.yaml > $work/bad.yaml
try table $work/bad.yaml --runs $work/runs
says "no stage has that layer" 65 "bad.yaml:25:22: no stage has values of \"gates.gate_sd layer 3 head 4"
try export csv --long --runs $work/runs
says "the export names the set" 0 "^id,kind,.*,step,layer,head,set,class,n,value\$"
says "of each row" 0 ",gates,.*,gate,,1,4,2,,[0-9]+,0[.]"

# Mistakes are reported before anything is trained.
sed 's/kind: curve/kind: curves/' $work/g.yaml > $work/bad.yaml
expect "an unknown kind" 65 "bad.yaml:23:[0-9]+: .*nearest is" plan $work/bad.yaml --runs $work/runs
sed '/^figures/,$d; s/fusion: gate/fusion: concat/' $work/g.yaml > $work/bad.yaml
try plan $work/bad.yaml --runs $work/runs
says "gates that no row has" 65 "bad.yaml:[0-9]+:[0-9]+: evaluate.gates: no row"
try plot $work/bad.yaml evaluate.gates.by=layer --runs $work/runs
sed '/^figures/,$d; s/name: Transformer/name: Transformer\n    evaluate.gates: {split: dev}/' \
    $work/g.yaml > $work/bad.yaml
try plan $work/bad.yaml --runs $work/runs
says "a row that asks for gates and has none" 65 "evaluate.gates: expected an encoder with a fusion with gates; the encoder of row"
sed '/^figures/,$d' $work/g.yaml > $work/none.yaml
expect "a grid without figures" 65 "has no figures" plot $work/none.yaml --runs $work/runs
try plan $work/g.yaml evaluate.gates.split=test --runs $work/runs
says "a split without text" 65 "evaluate.gates.split: the corpus has no test text"
try plan $work/g.yaml evaluate.gates.checkpoint=mean_of_best --runs $work/runs
says "a checkpoint that is none" 65 "evaluate.gates.checkpoint: expected best, last"
finish
