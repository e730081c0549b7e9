#!/bin/sh
# Ablation: the loss without parts of the encoder, and with gates fixed for words of one class. Tables,
# claims and files, and requests that are refused before anything is computed.
. "$(dirname "$0")/../support/cli.sh"
task ablate 120
export OMP_NUM_THREADS=1
runs=$work/runs

# Writes the first twelve lines of dev with tags, and their translations with one range each.
awk 'NR <= 12 { for (i = 1; i <= NF; i++) print i "\t" $i "\t_\t" (i % 3 ? "NOUN" : "CCONJ") "\t_\t_\t_\t_\t_\t_"
    print "" }' $work/data/dev.a > $work/data/source.conllu
awk 'NR <= 12 { print "1-2\t" $1 "\t_\t_\t_\t_\t_\t_\t_\t_"; print "1\tx\t_\t_\t_\t_\t_\t_\t_\t_"; print "2\ty\t_\t_\t_\t_\t_\t_\t_\t_"
    for (i = 2; i <= NF; i++) print i + 1 "\t" $i "\t_\t_\t_\t_\t_\t_\t_\t_"
    print "" }' $work/data/dev.b > $work/data/target.conllu

# grid NAME ENCODER EVALUATE
grid() {
    cat > $work/$1.yaml << END
grid: $1
corpus: {source: a, target: b, train: train, dev: dev, merges: 8}
model: tiny
train: {epochs: 0, steps: 20, batch_tokens: 256, warmup: 10}
rows:
  - {name: Row, encoder.attention: [$2]}
evaluate:
  $3
table:
  columns:
    - ablate.rise
    - {column: ablate.rise, layer: 1, head: 2, class: head}
    - {column: ablate.rise, layer: 1, class: gate 0.5}
    - ablate.rank_correlation
    - {column: ablatepos.shut, class: NOUN}
    - {column: ablatepos.open, layer: 1, class: CONJ}
claims:
  - text: nouns lose most
    metric: ablatepos.shut
    row: Row
    compare: [{class: [NOUN]}, {class: [CONJ]}]
    expect: greater
END
}
gated='{layers: 1-2, branches: [global, {window: 1}], fusion: gate}'
# file KIND: prints the path of the numbers of the first stage of this kind.
file() { echo $runs/stages/$1-*/ablate.tsv | cut -d' ' -f1; }

grid g "$gated" 'ablate: {sentences: 40}
  ablatepos: {text: source.conllu, references: target.conllu}'
expect "parts are taken away" 0 . run $work/g.yaml --runs $runs
# One row for the whole model. Layers 1 and 2: attention, 4 heads, 2 branches, 3 + 12 gates. Layers 3 to
# 6: attention, 4 heads.
holds "each part once" [ "$(wc -l < "$(file ablate)")" = $((1 + 1 + 2 * 22 + 4 * 5)) ]
awk -F'\t' 'NR > 1 && !($6 >= 0 && $7 <= $5 && $5 <= $8) { bad++ } END { exit bad || NR < 2 }' "$(file ablate)"
ok "with error and interval around it" $?
awk -F'\t' 'NR > 1 { n[$4]++ } END { for (k in n) kinds++; exit kinds != 1 }' "$(file ablate)"
ok "of the same tokens" $?
words=$(awk '/^[0-9]+\t/ { n++ } END { print n }' $work/data/source.conllu)
awk -F'\t' -v words="$words" 'NR == 1 || $2 { next } $1 == "" { all = $4 } $1 != "" { sum += $4 }
    END { exit all != words || sum != words }' "$(file ablatepos)"
ok "classes share the words of the treebank" $?
try table $work/g.yaml --runs $runs
says "a table has them" 0 "Row +-?[0-9.]+ +-?[0-9.]+ +-?[0-9.]+ +-?[0-9.]+ +-?[0-9.]+ +-?[0-9.]+"
says "which says of what" 0 "nats per word.*text:source\.conllu"
expect "a claim within a row" 0 "nouns lose most" claims $work/g.yaml --runs $runs
expect "all of it verifies" 0 . verify --runs $runs
expect "nothing is left to do" 0 "5 stages: 5 done" plan $work/g.yaml --runs $runs

# A runs folder from elsewhere, with more parts than a model has.
cp -r $runs $work/many
row=$(grep '"class":"gate 1"' $work/many/stages/ablate-*/metrics.jsonl | grep '"layer":1' | head -1)
for gate in $(seq 2 300); do
    printf '%s\n' "$row" | sed "s/gate 1/gate $gate/"
done >> "$(echo $work/many/stages/ablate-*/metrics.jsonl)"
expect "a table of many parts" 0 "^layer 1: gate 300 +-?[0-9]" analyze g/Row/1 ablate --sentences 40 --runs $work/many

# Gates are averaged over the ablated sentences only: the first three, or a split of three.
three="{layers: 1-3, branches: [global, {window: 1}], fusion: gate}"
grid cut "$three" 'ablate: {sentences: 3, checkpoint: last}'
sed -i '/^table/,$d' $work/cut.yaml
sed 's/sentences: 3, //; s/merges: 8/&, dev_limit: 3/; s/: cut$/: limited/' $work/cut.yaml > $work/limited.yaml
for name in cut limited; do
    try run $work/$name.yaml --runs $work/$name
    stage_value $work/$name/stages/ablate-* rank_correlation > $work/$name.rank
done
output=$(cat $work/cut.rank $work/limited.rank)
[ -s $work/cut.rank ] && cmp -s $work/cut.rank $work/limited.rank
ok "gates and rises of the same sentences" $?

# A GPU's kernels on the emulator, from the same training, for few sentences.
if [ -e sanlab-emu.so ]; then
    grid few "$gated" 'ablate: {sentences: 4}
  ablatepos: {gates: [shut], text: source.conllu, references: target.conllu}'
    sed -i '/open/d' $work/few.yaml
    for device in cpu emu; do
        cp -r $runs $work/$device
        rm -rf $work/$device/stages/ablate*
        expect "few of them, on $device" 0 . run $work/few.yaml --runs $work/$device --device $device
    done
    for kind in ablate ablatepos; do
        paste $work/cpu/stages/$kind-*/ablate.tsv $work/emu/stages/$kind-*/ablate.tsv | awk -F'\t' 'NR > 1 {
            if ($1 $2 $3 $4 != $9 $10 $11 $12 || ($5 - $13) ^ 2 > 1e-8) bad++ } END { exit bad || NR < 10 }'
        ok "emu says the same as cpu: $kind" $?
    done
fi

refused() {
    what=$1 pattern=$2
    shift 2
    grid bad "$@"
    expect "$what" 65 "$pattern" run $work/bad.yaml --runs $work/none
    holds "$what: nothing was begun" [ ! -e $work/none/stages ]
}
refused "no gates" "evaluate.ablatepos: no row's encoder has a fusion with gates" \
    '{layers: 1, branches: [{window: 1}]}' 'ablatepos: {text: source.conllu, references: target.conllu}'
refused "no translation" "evaluate.ablatepos: references is missing" "$gated" 'ablatepos: {text: source.conllu}'
refused "another number" 'gates: "half": expected shut or open' "$gated" \
    'ablatepos: {text: source.conllu, references: target.conllu, gates: [half]}'
refused "several encoders" "mean_of_best\(2\) is several encoders" "$gated" 'ablate: {checkpoint: mean_of_best(2)}'
head -20 $work/data/target.conllu > $work/data/short.conllu
refused "other sentences" "short\.conllu: [0-9]+ sentences; expected 12" "$gated" \
    'ablatepos: {text: source.conllu, references: short.conllu}'
sed 's/CCONJ/CKONJ/' $work/data/source.conllu > $work/data/wrong.conllu
refused "an unknown tag" 'unknown part of speech "CKONJ"; nearest is "CONJ"' "$gated" \
    'ablatepos: {text: wrong.conllu, references: target.conllu}'
finish
