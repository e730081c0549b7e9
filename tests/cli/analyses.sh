#!/bin/sh
# Analyses of frozen encoders: centers and windows, master gates, maps. The files they keep, and requests
# that are refused before anything is computed.
. "$(dirname "$0")/../support/cli.sh"
. tests/support/analyses.sh
analyses_task analyses

grid local 'encoder.attention: [{layers: 1-2, terms: [localness]}, {layers: 6, terms: [{gauss: {center: self, window: head}}]}]' \
    'localness: {split: dev}'
expect "centers and windows are measured" 0 . run $work/local.yaml --runs $runs
at=$(folder local localness)
head -1 $at/localness.tsv | grep -q '^layer.head.sentence.position.keys.center.window$'
ok "a file of names and numbers" $?
awk -F'\t' 'NR > 1 { n[$1]++; if ($6 < 0 || $6 > $5 - 1 || $7 <= 0 || ($1 == 6 && $6 != $4)) bad++ }
    END { exit bad || !n[1] || n[1] != n[2] || n[1] != n[6] || n[3] }' $at/localness.tsv
ok "centers lie in their sentences, those of center: self at the query" $?
awk 'NR == 1 { next } { w[$1, $2] += $7; n[$1, $2]++ } END { printf "%.6f", w[2, 3] / n[2, 3] }' $at/localness.tsv > $work/mean
grep '"name":"window",.*"layer":2,"head":3' $at/metrics.jsonl | sed 's/.*"value":\([0-9.]*\).*/\1/' |
    awk -v want="$(cat $work/mean)" '{ exit ($1 - want) ^ 2 > 1e-9 }'
ok "a row has the mean window of a head" $?
awk 'NR == 1 || $1 != 2 { next } { n++; d = $7 - m; m += d / n; q += d * ($7 - m) } END { printf "%.6f", sqrt(q / (n - 1)) }' $at/localness.tsv > $work/sd
[ "$(cat $work/sd)" != 0.000000 ] &&
    grep '"name":"window_sd",.*"layer":2,' $at/metrics.jsonl | grep -v '"head"' | sed 's/.*"value":\([0-9.]*\).*/\1/' |
    awk -v want="$(cat $work/sd)" '{ rows++; bad += ($1 - want) ^ 2 > 1e-8 } END { exit bad || rows != 1 }'
ok "and the deviation of those of a layer" $?
rows=$(($(wc -l < $at/localness.tsv) - 1))
holds "the same rows as numpy keeps them" [ "$(wc -c < $at/localness.npy)" = $((128 + 4 * 7 * rows)) ]
expect "all of it verifies" 0 . verify --runs $runs

grid master 'encoder.stack: [{onlstm: {layers: 1, chunk: 8}}, {san: 1}]' 'master: {split: dev, sentences: 10}'
expect "master gates are measured" 0 . run $work/master.yaml --runs $runs
at=$(folder master master)
awk -F'\t' 'NR == 1 { next } $1 != 1 || $2 > 10 || $4 <= 0 || $4 >= 1 || $5 <= 0 || $5 >= 1 { bad++ } END { exit bad || NR < 11 }' $at/master.tsv
ok "of layer 1 and ten sentences, each between 0 and 1" $?
awk 'NR > 1 { f += $4; n++ } END { printf "%.6f", f / n }' $at/master.tsv > $work/mean
grep '"name":"forget"' $at/metrics.jsonl | sed 's/.*"value":\([0-9.]*\).*/\1/' |
    awk -v want="$(cat $work/mean)" '{ exit ($1 - want) ^ 2 > 1e-9 }'
ok "a row has their mean" $?

# ---- maps ----

hysan='encoder.attention: [{layers: 6, branches: [global, forward, backward, {window: 1}], fusion: {squeeze: 2}}]'
grid maps "$hysan" 'maps: {sentences: [3, 1]}'
expect "maps are drawn from the kernel" 0 . run $work/maps.yaml --runs $runs
at=$(folder maps maps)
# Every row sums to 1. The forward branch has no weight on later keys, the backward branch none on
# earlier keys, and a window none outside of its neighbors.
awk -F'\t' 'NR == 1 { next } { sum[$1, $2, $3, $4, $5] += $7; if ($2 != 6 || $4 != 0) bad++
        if ($3 == 2 && $6 > $5 && $7 != 0 || $3 == 3 && $6 < $5 && $7 != 0) bad++
        if ($3 == 4 && ($6 - $5) ^ 2 > 1 && $7 != 0) bad++ }
    END { for (i in sum) { n++; if ((sum[i] - 1) ^ 2 > 1e-10) bad++ }; exit bad || !n }' $at/maps.tsv
ok "of the last layer, mean over heads, by branch" $?
[ "$(awk -F'\t' 'NR > 1 { print $1 }' $at/maps.tsv | uniq | tr '\n' ' ')" = '3 1 ' ]
ok "the sentences in the order in which they are named" $?
want=$(sed -n 3p $work/data/dev.a)
[ "$(awk -F'\t' '$1 == 3 { printf "%s ", $3 }' $at/pieces.tsv | sed 's/@@ //g')" = "$want </s> " ] ||
    [ "$(awk -F'\t' '$1 == 3 { printf "%s ", $3 }' $at/pieces.tsv | sed 's/@@ //g')" = "$want <eos> " ]
ok "with their pieces" $?
grid heads "$hysan" 'maps: {layers: [1, 6], heads: [1, 3, mean], branches: [1, 4]}'
expect "single heads, layers and branches" 0 . run $work/heads.yaml --runs $runs
at=$(folder heads maps)
[ "$(awk -F'\t' 'NR > 1 { print $2 $3 $4 }' $at/maps.tsv | uniq | tr '\n' ' ')" = '111 113 110 611 613 610 641 643 640 ' ]
ok "as they were named; layer 1 has one branch" $?
grid bad 'encoder.layers: 2' 'maps: {layers: [3]}'
refused "a layer outside" 'evaluate.maps.layers: "3": expected a number from 1 to 2, last or all'
grid bad 'encoder.layers: 2' 'maps: {heads: [1, 9]}'
refused "a head outside" 'evaluate.maps.heads: "9": expected a number from 1 to 4, all or mean'
try plan $work/bad.yaml --runs $runs 'evaluate.maps.heads=1,9'
says "and in which row" 65 'evaluate.maps.heads: "9": expected .* \(row "[^"]*9"\)'
grid bad 'encoder.layers: 2' 'maps: {branches: [2]}'
refused "a branch outside" 'evaluate.maps.branches: "2": expected a number from 1 to 1 or all'
grid bad 'encoder.stack: [{lstm: 1}, {san: 1}]' 'maps: {layers: [1]}'
refused "a recurrent layer" 'layer 1 is recurrent and has no attention'
grid bad 'encoder.stack: [{san: 1}, {lstm: 1}]' 'maps: {layers: [1, 2]}'
refused "the second of two layers" 'bad.yaml:[0-9]*:.*: evaluate.maps.layers: layer 2 is recurrent and has no attention'
grid bad 'encoder.layers: 2' 'maps: {heads: [1e300]}'
refused "a number that is too large" 'evaluate.maps.heads: "1e300": expected a number from 1 to 4'
grid last 'encoder.stack: [{san: 1}, {lstm: 1}]' 'maps: {layers: [last]}'
expect "the last layer that has attention" 0 . run $work/last.yaml --runs $runs
holds "is the first one" [ "$(awk -F'\t' 'NR > 1 { print $2 }' "$(folder last maps)"/maps.tsv | uniq)" = 1 ]
grid many 'encoder.layers: 2' 'maps: {sentences: [41]}'
try run $work/many.yaml --runs $runs
says "a sentence that is not there" 1 'evaluate.maps.sentences: "41": expected a number from 1 to 40'

grid bad 'encoder.layers: 2' 'maps: {layers: []}'
refused "no layer" 'bad.yaml:8:18: evaluate.maps.layers: expected at least one'
grid bad 'encoder.layers: 2' 'localness: {split: dev}'
refused "no gauss term" "evaluate.localness: no row's encoder has a gauss term"
grid bad 'encoder.layers: 2' 'master: {split: dev}'
refused "no ON-LSTM" "evaluate.master: no row's encoder has an ON-LSTM layer"
grid bad 'encoder.layers: 2, evaluate.master.split: dev' 'bleu: {split: dev}'
refused "a row that asks itself" 'evaluate.master: .*"Row" has none'
grid bad 'encoder.stack: [{onlstm: 1}], evaluate.ablatepos.text: dev.a' 'ablate: {split: dev}'
sed -i 's/^rows:/&\n  - {name: Other}/' $work/bad.yaml
refused "a row that asks for what begins with the same letters" 'evaluate.ablatepos: .*"Row" has none'
grid bad 'encoder.layers: 1' 'bleu: {split: train}'
sed -i 's/ dev: dev,//' $work/bad.yaml
refused "a training without text to validate on" 'bad.yaml:2:9: corpus.dev is missing: a training needs text'
grid bad 'encoder.stack: [{onlstm: 1}]' 'master: {checkpoint: mean_of_best(2)}'
refused "several encoders" 'mean_of_best\(2\) is several encoders'
grid bad 'encoder.stack: [{onlstm: 1}]' 'master: {split: test}'
refused "a split without text" 'evaluate.master.split: the corpus has no test text'

cp -r $runs $work/digits
digits $work/digits
rm -r $work/digits

# A GPU's kernels on the emulator, from the same trainings.
if [ -e sanlab-emu.so ]; then
    cp -r $runs $work/emu
    rm -rf $work/emu/stages/maps-* $work/emu/stages/localness-* $work/emu/stages/master-*
    for name in maps local master; do
        expect "emu: $name" 0 . run $work/$name.yaml --runs $work/emu --device emu
    done
    for file in $(cd $runs/stages && ls maps-*/maps.tsv localness-*/localness.tsv master-*/master.tsv); do
        [ -e $work/emu/stages/$file ] || continue
        paste $runs/stages/$file $work/emu/stages/$file | awk -F'\t' 'NR > 1 {
            for (i = 1; i <= NF / 2; i++) if (($i - $(i + NF / 2)) ^ 2 > 1e-8 * (1 + $i * $i)) bad++ }
            END { exit bad || NR < 2 }'
        ok "emu says the same as cpu: $file" $?
    done
fi
finish
