#!/bin/sh
# Vectors of another program, by layer: folders DIR/encoder.1, .., DIR/bag and DIR/encoder.1@start. Rows `vectors: DIR`
# have the same numbers as the model whose vectors they are: paths, controls, margins and the figure by layer.
. "$(dirname "$0")/../support/cli.sh"
. tests/support/analyses.sh
analyses_task vectors_layers
SANLAB_DATA=$PWD/$work/data
export SANLAB_DATA
awk '{ print (NR <= 80 ? "tr" : NR <= 100 ? "va" : "te") "\t" (/s[34]/ ? "YES" : "NO") "\t" $0 }' $work/data/train.a > $work/data/has.txt
probe='probe: {tasks: [{name: Has, file: has.txt, group: Words}], path: layers, controls: [bag, start], standardize: true}'
grid own 'encoder.layers: 2' "$probe"
./sanlab run $work/own.yaml --runs $runs --quiet || exit 1
for view in encoder.1 encoder.2 bag; do
    mkdir -p "$work/BERT/$view"
    cp $runs/names/own/Row/1/encode.Has/$view.npy "$work/BERT/$view/Has.npy"
done
for view in encoder.1 encoder.2; do
    mkdir -p "$work/BERT/$view@start"
    cp $runs/names/own/Row/1/encode.Has@start/$view.npy "$work/BERT/$view@start/Has.npy"
done
grid both 'encoder.layers: 2' "$probe" 'table: {columns: [probe.Has@encoder.1, probe.Has@encoder.2, probe.Has@bag, probe.Has@encoder.1@start, probe.Has@encoder.1.majority, margin(probe.Has@encoder.1), margin(probe.Has@encoder.2)]}
figures: [{kind: layers, left: probe.Has}, {kind: layers, left: margin(probe.Has)}]'
sed -i 's/^rows:/&\n  - {name: BERT, vectors: BERT}/' $work/both.yaml
try plan $work/both.yaml --runs $runs
holds "a row has a probe for each layer and control" [ "$(printf '%s\n' "$output" | grep -c '^probe-.* BERT/1 Has@[a-z0-9@.]* *new')" = 5 ]
lacks "and no model" -E '^(train|encode)-.* BERT'
./sanlab run $work/both.yaml --runs $runs --quiet
try table $work/both.yaml --runs $runs --notes false
model=$(printf '%s\n' "$output" | sed -n 's/^Row *//p')
equals "the numbers are those of the model" "$model" "$(./sanlab table $work/both.yaml --runs $runs --notes false | sed -n 's/^BERT *//p')"
holds "of all columns" [ "$(printf '%s\n' "$model" | wc -w)" = 7 ]
try table $work/both.yaml --runs $runs
says "a warning says whose vectors they are" 0 "^BERT: vectors of another program[.]$"
if command -v gnuplot > /dev/null; then
    try plot $work/both.yaml --runs $runs --out $work/figure --format svg
    says "figures by layer" 0 .
    points() { grep -E '^[12] ' $work/figure*/*.tsv $work/figure*.tsv 2> /dev/null; }
    output=$(find $work -name 'figure*' | sort)
    holds "are drawn" [ -n "$output" ]
fi
try export csv $work/both.yaml --runs $runs
says "other programs have the numbers by path" 0 'probe.Has@encoder.2'
expect "whose stages are sound" 0 ": 0 problems" verify --runs $runs

# Folders of seeds have folders of layers. A number alone stays a seed.
mkdir -p $work/seeds/1 $work/seeds/3
cp -r $work/BERT/encoder.1 $work/BERT/encoder.2 $work/seeds/1
cp -r $work/BERT/encoder.2 $work/seeds/3
cp -r $work/BERT/bag $work/seeds/3/encoder.1
task='[{name: Has, file: has.txt, group: Words}]'
try probe --vectors $work/seeds --path layers --tasks "$task" --runs $runs --quiet
says "of seeds" 0 '^Has@encoder.1 +[0-9.]+ ± [0-9.]+'
says "in a line for each layer" 0 '^Has@encoder.2'
lacks "without the controls that it lacks" -E 'bag|start'
try probe --vectors $work/BERT --path encoder.2 --tasks "$task" --runs $runs --quiet
says "one layer with the controls that it has" 0 '^Has@bag '
before=$(ls $runs/stages)
mkdir $work/seeds/3/encoder.3 && rm -r $work/seeds/3/encoder.2
try probe --vectors $work/seeds --path layers --tasks "$task" --runs $runs
says "a layer that a seed lacks" 65 'vectors: there is no file .*/seeds/3/encoder.2/Has.npy$'
rm $work/BERT/encoder.2/Has.npy
cp -r $work/BERT $work/both
sed 's/^grid: .*/grid: bad/' $work/both.yaml > $work/bad.yaml
try plan $work/bad.yaml --runs $runs
says "a missing file" 65 'vectors: there is no file .*/BERT/encoder.2/Has.npy$'
try probe --vectors $work/BERT --path encoder.7 --tasks "$task" --runs $runs
says "a layer that it lacks" 65 '^sanlab: probe: --path encoder.7 applies to a model, or to vectors with a folder encoder.7; .*/BERT has none$'
mkdir $work/plain && cp $work/BERT/encoder.1/Has.npy $work/plain
sed 's/vectors: BERT/vectors: plain/; s/^grid: .*/grid: plain/' $work/both.yaml > $work/plain.yaml
try plan $work/plain.yaml --runs $runs
says "a folder without layers has one probe, as before" 0 '^probe-[0-9a-f]+ +BERT/1 Has@vectors +(new|done)'
try probe --vectors $work/both --tasks "$task" --runs $runs
says "layers that nobody asked for" 65 'vectors: there is no file .*/both/Has.npy; .*/both has folders of layers, which path layers reads$'
holds "and no stage was begun" [ "$before" = "$(ls $runs/stages)" ]
finish
