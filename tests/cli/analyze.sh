#!/bin/sh
# sanlab analyze: one analysis of a saved model, without a grid; and the figures of analyses.
. "$(dirname "$0")/../support/cli.sh"
. tests/support/analyses.sh
analyses_task analyze
CALLS=${CALLS:-40}
awk 'NR <= 12 { for (i = 1; i <= NF; i++) print i "\t" $i "\t_\t" ($i ~ /^s[0-5]$/ ? "NOUN" : "VERB") "\t_\t_\t_\t_\t_\t_"
    print "" }' $work/data/dev.a > $work/data/bank.conllu
mkdir $work/data/banks
for i in $(seq $CALLS); do printf '1\ts%d\t_\tNOUN\t_\t_\t_\t_\t_\t_\n\n' "$i" > "$work/data/banks/$i.conllu"; done
hybrid='encoder.attention: [{layers: all, branches: [global, {window: 1}], fusion: gate}]'
stages() { find $runs/stages -mindepth 1 -maxdepth 1 | wc -l; }

grid hybrid "$hybrid" 'gates: {by: [layer, head]}'
expect "a hybrid with gates" 0 . run $work/hybrid.yaml --runs $runs
before=$(stages)
expect "its gates alone" 0 '^layer 6 +0\.' analyze hybrid/Row/1 gates --runs $runs --out $work/gates
holds "are the stage of the grid" [ "$(stages)" = "$before" ]
holds "whose metrics are copied" cmp -s $work/gates/metrics.jsonl "$(folder hybrid gates)"/metrics.jsonl
value=$(grep '"name":"gate",' $work/gates/metrics.jsonl | grep '"layer":6' | grep -v '"head"' | sed 's/.*"value":\([0-9.]*\).*/\1/')
printf '%s\n' "$output" | awk -v want="$value" '/^layer 6/ { found = ($3 - want) ^ 2 < 3e-9 } END { exit !found }'
ok "and whose mean of layer 6 is printed" $?
try analyze hybrid/Row/1 gates --text bank.conllu --runs $runs --out $work/pos
says "by part of speech of a treebank" 0 '^NOUN +0\.'
holds "with the sums from which it is computed" [ -s $work/pos/clusters.tsv ]
echo mine > $work/pos/clusters.tsv
try analyze hybrid/Row/1 gates --text bank.conllu --runs $runs --out $work/pos
says "a file that is another one is kept" 65 'clusters.tsv already exists'
try analyze hybrid/Row/1 maps --sentences 3,1 --runs $runs --out $work/maps
says "maps of two sentences" 0 '5 files in'
if command -v gnuplot > /dev/null; then
    says "with their pictures" 0 'Attention weights of sentence 1, mean'
    holds "one of each" [ "$(find $work/maps -name 'map-?.svg' | wc -l)" = 2 ]
fi
holds "in their order" [ "$(awk -F'\t' 'NR > 1 { print $1 }' $work/maps/maps.tsv | uniq | tr '\n' ' ')" = '3 1 ' ]
[ "$(tr '\n\t' '; ' < $work/maps/branches.tsv)" = 'layer branch name;6 1 global;6 2 window(1);' ]
ok "with the names of their branches" $?
try analyze hybrid/Row/1 maps --sentences 3,1 --runs $runs
rm "${output##*Files: }/maps.npy"
try analyze hybrid/Row/1 maps --sentences 3,1 --runs $runs --out $work/maps
says "files that are gone are made again" 0 'again: its maps.npy is gone'
try analyze hybrid/Row/1 maps maps.heads=[2] --runs $runs --out $work/second
says "an option by the name that a grid has for it" 0 '5 files in'
holds "is the analysis's own" [ "$(awk -F'\t' 'NR > 1 { print $4 }' $work/second/maps.tsv | sort -u)" = 2 ]
try analyze hybrid/Row/1 localness --runs $runs
says "windows of a model that has none" 65 'no row.s encoder has a gauss term'
try analyze hybrid/Row/1 master --runs $runs
says "master gates of a model that has none" 65 'no row.s encoder has an ON-LSTM layer'
try analyze hybrid/Row/1 gate --runs $runs
says "an analysis that there is not" 65 'no analysis "gate"; nearest is "gates"'
awk 'NR <= 12 { $1 = $1; print }' $work/data/dev.a > $work/data/lines.txt
{ printf '\357\273\277' && cat $work/data/lines.txt; } > $work/data/lines.marked # with a byte order mark
for text in bank.conllu lines.txt lines.marked; do
    try analyze hybrid/Row/1 maps --text $text --sentences 3,1 --runs $runs --out $work/${text#*.}
    says "maps of a text of one's own: $text" 0 '5 files in'
    holds "which are those of the same sentences in dev" cmp -s $work/maps/maps.tsv $work/${text#*.}/maps.tsv
done
cp $work/data/bank.conllu $work/data/bank.txt
try analyze hybrid/Row/1 maps --text bank.txt --sentences 3,1 --runs $runs --out $work/bytes
says "the same bytes as lines" 0 '5 files in'
! cmp -s $work/maps/pieces.tsv $work/bytes/pieces.tsv
ok "are other sentences" $?
try analyze hybrid/Row/1 maps --text lines.txt --sentences 13 --runs $runs
says "a sentence that it has not" 1 'expected a number from 1 to 12'
expect "a text that is not there" 65 'none\.txt' analyze hybrid/Row/1 maps --text none.txt --runs $runs
printf 'a\377b\n' > $work/data/bad.txt
try analyze hybrid/Row/1 maps --text bad.txt --runs $runs
says "a text that is none, before anything runs" 65 'bad\.txt:1: .*UTF-8'
echo 1 > $work/data/bad.conllu
try analyze hybrid/Row/1 maps --text bad.conllu --runs $runs
says "a treebank that is none, before anything runs" 65 'bad\.conllu:1'
try analyze hybrid/Row/1 ablate --text lines.txt --runs $runs
says "text of what needs a translation" 65 'ablate: expected --text with --references'
try analyze hybrid/Row/1 maps --references bank.conllu --runs $runs
says "a translation of what needs none" 65 'evaluate.maps: unknown key "references"'
try analyze hybrid/Row/1 ablate --text bank.conllu --references bank.conllu --runs $runs --out $work/words
says "ablation by part of speech" 0 '^open: NOUN +-?[0-9.]+$'
[ -s $work/words/shut/ablate.tsv ] && [ -s $work/words/open/clusters.tsv ]
ok "with the gate at 0 and at 1" $?
expect "a word too few" 65 'usage: sanlab analyze MODEL' analyze hybrid/Row/1 --runs $runs

# ---- digests ----

# Each call reads a new file, plans the grid and its own analysis, and exits before it computes.
sleep 4 # the list of digests omits files that changed in the last four seconds
calls=0
for i in $(seq $CALLS); do
    try analyze hybrid/Row/1 ablate --text "banks/$i.conllu" --references none.txt --runs $runs
    lines=$(wc -l < $runs/digests)
    [ "$i" = 1 ] && first=$lines # with the files of the corpus
    { [ $code = 65 ] && [ "$lines" = $((first + i - 1)) ]; } || break
    calls=$i
done
says "a call whose references are missing" 65 'none\.txt'
holds "$CALLS of them leave one line each in the list of digests" [ $calls = $CALLS ]

# ---- figures ----

local='encoder.attention: [{layers: 1-2, terms: [localness]}, {layers: 3, terms: [{gauss: {window: head}}]}]'
grid local "$local" 'localness: {split: dev}' 'figures: [{kind: scatter}, {kind: histogram}, {kind: heads}]'
expect "windows" 0 . run $work/local.yaml --runs $runs
expect "their means" 0 '^layer 3 +[0-9.]+ +[0-9.]+$' analyze local/Row/1 localness --runs $runs
try plot $work/local.yaml --runs $runs --out $work/plots --keep
if command -v gnuplot > /dev/null; then
    says "are drawn" 0 'Points: 600 positions, drawn at random .seed 1.'
    at=$(folder local localness)
    # Every point of the figure is a window and a center from the file.
    awk -F'\t' 'NR == FNR { if (FNR > 1) has[sprintf("%.5g %.5g", $7, $6)]; next } NF == 4 { n++
            if (!(sprintf("%.5g %.5g", $1, $2) in has)) bad++ } END { exit bad || n != 600 }' \
        $at/localness.tsv $work/plots/local-1/data.dat
    ok "at random positions" $?
    awk -F'\t' 'NF == 4 { sum[s] += $2 } !NF { gap++; if (gap % 2) s++ }
        END { for (i in sum) if ((sum[i] - 100) ^ 2 > 1e-6) bad++; exit bad || s != 2 }' $work/plots/local-2/data.dat
    ok "shares of a layer sum to 100%" $?
    cp -r $runs $work/changed
    printf x >> $work/changed/stages/"$(id local localness)"/localness.npy
    try plot $work/local.yaml --runs $work/changed --out $work/plots
    says "a file that has changed" 1 'localness.npy has changed since it was written'
fi

awk 'BEGIN { for (i = 0; i < 40; i++) { line = ""; for (j = 0; j < (i == 1 ? 70 : 5); j++) line = line (j ? " " : "") "s" (i + j) % 12; print line } }' > $work/data/long.a
cp $work/data/long.a $work/data/long.b
grid long "$hybrid" 'maps: {sentences: [1, 2]}' 'figures: [{kind: map}, {kind: map, sentence: 2}, {kind: map, sentence: 9}]'
sed -i 's/dev: dev/dev: long/' $work/long.yaml
expect "maps of a long sentence" 0 . run $work/long.yaml --runs $runs
try plot $work/long.yaml --runs $runs --out $work/plots --keep
says "are not drawn" 1 'figure 2 of long: Row: sentence 2 has [0-9]+ pieces; expected at most 60$'
says "nor is one that was not kept" 1 'figure 3 of long: Row: no weights of sentence 9, layer 6, mean over heads'
says "the other one is" 1 'Attention weights of sentence 1, mean over heads'
at=$(folder long maps)
awk -F'\t' 'NR == FNR { if ($1 == 1) w[$3 == 2, $6, $5] = $7; next } FNR == 2 { first = $2 } FNR > 1 { n++; split($4, key, /[ :]/)
    split($3, query, /[ :]/); if ((w[$2 != first, key[2], query[2]] - $7) ^ 2 > 1e-12) bad++ }
    END { exit bad || !n }' $at/maps.tsv $work/plots/long-1/data.tsv
ok "with the weights of its branches" $?
# Panels of one branch stand next to each other; one of three rows has not run.
grid side 'encoder.layers: 2' 'maps: {split: dev}' 'figures: [{kind: map}]'
sed 's/  - {name: Row.*/  - {name: Row}\n  - {name: A row with a name that no frame is wide enough for, train.rate: 2}/' $work/side.yaml > $work/two.yaml
sed '/^  - {name: A row/a\  - {name: New, train.rate: 3}' $work/two.yaml > $work/three.yaml
try run $work/two.yaml --runs $runs
try plot $work/three.yaml --runs $runs --out $work/plots --keep
says "what has not run is named" 0 '^  Not drawn: New'
holds "a long name stands in lines above its frame" grep -q '>A row with a name that no frame is<' $work/plots/side-1.svg
output=$(sed -n 's/.* height="\([0-9]*\)".*/\1/p' $work/plots/side-1.svg | head -n 1)
holds "frames of rows stand side by side" [ "$output" -lt 600 ]

# Computes the precisions of order n of hypotheses against references: matched and total n-grams. Orders
# without a match count as 1/2, 1/4, ..
precisions() {
    awk 'NR == FNR { ref[FNR] = $0; next } {
        m = split(ref[FNR], r, " "); k = split($0, h, " ")
        for (n = 1; n <= 8; n++) {
            split("", has)
            for (i = 1; i + n - 1 <= m; i++) { g = ""; for (j = 0; j < n; j++) g = g " " r[i + j]; has[g]++ }
            for (i = 1; i + n - 1 <= k; i++) { g = ""; for (j = 0; j < n; j++) g = g " " h[i + j]
                total[n]++; if (has[g]-- > 0) match_of[n]++ }
        } }
        END { half = 1; for (n = 1; n <= 8; n++) { if (!total[n]) { print n, "NaN"; continue }
            share = match_of[n]; if (!share) share = half /= 2
            printf "%d %.9f\n", n, 100 * share / total[n] } }' "$1" "$2"
}
cat > $work/ngrams.yaml << 'END'
grid: ngrams
corpus: {source: a, target: b, train: train, dev: dev, merges: 8}
model: tiny
train: {epochs: 0, steps: 200, batch_tokens: 256, warmup: 40}
rows: [{name: One}, {name: Other, encoder.layers: 1}]
evaluate: {bleu: {split: dev}}
table: {columns: [bleu], baseline: Other}
figures: [{kind: ngrams}, {kind: ngrams, baseline: One}, {kind: ngrams, left: ngrams.cumulative}]
END
expect "two rows are scored" 0 . run $work/ngrams.yaml --runs $runs
try plot $work/ngrams.yaml --runs $runs --out $work/plots --keep
if command -v gnuplot > /dev/null; then
    says "their n-grams are compared" 0 'less that of "Other"; n = 40 sentences'
    for row in One Other; do
        score=$(./sanlab plan $work/ngrams.yaml --runs $runs | awk -v row="$row/1" '/^score-/ && index($0, row) { print $1 }')
        precisions "$(ls -d $runs/stages/corpus-*/ | while read -r at; do [ -e $at/dev.reference ] && echo $at; done | head -1)"/dev.reference \
            $runs/stages/$score/hypotheses.txt > $work/$row.n
    done
    paste $work/One.n $work/Other.n | awk '{ if ($2 == "NaN" || $4 == "NaN") print $1, "NaN"; else printf "%d %.9f\n", $1, $2 - $4 }' > $work/want
    paste $work/want $work/plots/ngrams-1/data.dat | awk 'NR <= 8 { n++; if (($2 == "NaN") != ($4 == "NaN") ||
        $2 != "NaN" && ($2 - $4) ^ 2 > 1e-12) bad++; if ($5 != "NaN" && ($5 > $6)) bad++ } END { exit bad || n != 8 }'
    ok "as they are counted here" $?
    paste $work/want $work/plots/ngrams-2/data.dat | awk 'NR <= 8 && $2 != "NaN" && ($2 + $4) ^ 2 > 1e-12 { bad++ } END { exit bad }'
    ok "the other row less this one" $?
    for side in a b; do cut -d ' ' -f 1,2 $work/data/dev.$side > $work/data/brief.$side; done
    sed 's/grid: .*/grid: brief/; s/dev: dev/dev: brief/; s/split: dev/split: dev, extra: 0/; s/steps: 200/steps: 10/
        s/^figures.*/figures: [{kind: ngrams}]/' $work/ngrams.yaml > $work/brief.yaml
    try run $work/brief.yaml --runs $runs --quiet
    try plot $work/brief.yaml --runs $runs --out $work/plots --keep
    holds "orders that no translation is long enough for have no point" grep -q NaN $work/plots/brief-1/data.dat
fi

# wrong WHAT FIGURE PATTERN
wrong() {
    grid bad "$hybrid" 'bleu: {split: dev}' "figures: [$2]"
    expect "$1" 65 "$3" plan $work/bad.yaml --runs $work/none
}
wrong "a column of another kind" '{kind: scatter, left: bleu}' 'a scatter figure has no column "bleu"'
wrong "points of bars" '{kind: bars, points: 7}' 'a bars figure has no points'
wrong "a sentence of a histogram" '{kind: histogram, sentence: 1}' 'a histogram figure has no sentence'
wrong "a map of gates" '{kind: map, left: gates.gate}' 'a map shows maps.weight'
wrong "n-grams of something else" '{kind: ngrams, left: ngrams.individua}' 'nearest is "ngrams.individual"'
wrong "a baseline that is no row" '{kind: ngrams, baseline: Rov}' 'there is no row "Rov"; nearest is "Row"'
wrong "heads of what has none" '{kind: heads, left: {column: localness.window, head: 1}}' 'this figure draws every head'
finish
