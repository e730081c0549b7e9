#!/bin/sh
# claims, compare and score --contrast on two small models.
. "$(dirname "$0")/../support/cli.sh"
task compare_cli 100

small $work/g.yaml tiny << 'END'
train: {epochs: 0, steps: 12, batch_tokens: 256, warmup: 20}
rows:
  - name: Base
  - name: + Local
    encoder.attention: [{layers: 1-2, branches: [{window: 1}]}]
evaluate: {bleu: {split: dev, beam: 1}}
claims:
  - {text: A window changes no size, compare: [+ Local, Base], metric: parameters, expect: equal, smallest: 1, undertrained: allow}
  - {text: A window helps, compare: [+ Local, Base], expect: greater, smallest: 99, undertrained: allow}
  - {text: A window learns faster, compare: [+ Local, Base], metric: dev_loss, expect: less, undertrained: allow}
END
mkdir $work/runs
expect "claims before anything has run" 0 "^2\. A window helps +not run" claims $work/g.yaml --runs $work/runs
expect "the grid runs" 0 "done" run $work/g.yaml --runs $work/runs
try claims $work/g.yaml --runs $work/runs
says "supported: sizes are compared as they are" 0 "^1\. A window changes no size +supported +0 "
says "one seed decides nothing; sentences are resampled" 0 \
    "^2\. A window helps +inconclusive \(one seed\) +[+-]?[0-9.]+ .* 1\.000"
says "inconclusive, and why" 0 "^3\. .*alpha 0.05; one seed: expected two or more.*; 1 and 1 stages"
sed 's/\[+ Local, Base\], expect: greater/[+ Lokal, Base], expect: greater/' $work/g.yaml > $work/typo.yaml
try plan $work/typo.yaml --runs $work/runs
says "a claim on a row that is not there" 65 \
    'typo.yaml:12:[0-9]+: compare: there is no row "\+ Lokal"; nearest is "\+ Local"'
sed '/^claims/,$d' $work/g.yaml > $work/silent.yaml
expect "a grid that claims nothing" 65 "silent.yaml: claims are missing" claims $work/silent.yaml --runs $work/runs

try compare g/Base "g/+ Local/1" --runs $work/runs --sentences 2
says "the tests" 0 "^  p [01]\.[0-9]+: paired bootstrap \(Koehn 2004, one-sided\) over sentences alone"
losses=$(for row in Base "+ Local"; do
    ./sanlab show "g/$row/1/score" --runs $work/runs | awk '$1 == "test_loss" { printf "%.4f\n", $2 }'
done | paste -s -d ' ')
says "the losses of what was scored, too" 0 "^A ${losses% *}, B ${losses#* }, n = 1 and 1; B - A:$"
says "and their difference" 0 "^  difference of mean Test loss [+-]0\.00"
says "with one training each, no verdict" 0 "With one seed, no p gives a verdict"
try compare g/Base g/Bass --runs $work/runs
says "a system that is not there" 65 'there is no score stage at "Bass"; nearest is "Base"'
expect "a row without its grid" 65 'no score stage "Base" in .*; nearest is "g/Base/1" ' compare Base '+ Local' --runs $work/runs
expect "or the beginning of a place" 65 'no stage "[+] Lo" in .*; nearest is "g/[+] Local/1" ' show '+ Lo' --runs $work/runs
expect "three words" 65 'two systems, as in GRID/ROW GRID/ROW, got 3' compare $work/g.yaml Base '+ Local' --runs $work/runs

# The forced probability of the references equals the loss of validation.
paste $work/data/dev.a $work/data/dev.b $work/data/dev.b |
    awk -F'\t' '{ print $1 "\t" $2 "\t" $3 " " $3 "\t" (NR % 2 ? "odd" : "even") }' > $work/pairs.tsv
try score --contrast $work/pairs.tsv g/Base/1 --runs $work/runs
holds "a line for each pair, and a header" [ "$(printf '%s\n' "$output" | wc -l)" = 41 ]
says "with its tag" 0 "^40	-[0-9.]+	-[0-9.]+	[0-9]+	[0-9]+	[01]\.[0-9]+	even$"
forced=$(printf '%s\n' "$output" |
    awk -F'\t' 'NR > 1 { sum -= $2; pieces += $4 } END { print sum / pieces }')
output="forced $forced per piece"
loss=$(for stage in $work/runs/stages/train-*; do stage_value "$stage" dev_loss; done | head -n 2 |
    awk -v forced="$forced" '{ d = $1 - forced; if (d < 0) d = -d; if (d < 2e-5) print "same" }')
holds "forced decoding is validation's likelihood" [ "$loss" = same ]
try score --contrast $work/pairs.tsv --ref $work/data/dev.b g/Base/1 --runs $work/runs
says "references of nothing" 65 "expected no --ref"

# Readable names are links, and score reads a file through them.
try score --runs $work/runs --ref $work/data/dev.b $work/runs/names/g/Base/1/score/hypotheses.txt
says "a file by its readable name" 0 "^BLEU[|].* = [0-9.]+ "
sed "s|^rows:|rows:\n  - {name: Named, hyp: runs/names/g/Base/1/score/hypotheses.txt}|" $work/g.yaml > $work/named.yaml
expect "also of a grid" 0 "^ *Named .*[0-9]" table $work/named.yaml --runs $work/runs
for place in Named Named/1; do
    try compare $work/named.yaml/$place "$work/named.yaml/Base" --runs $work/runs
    says "but the row $place has nothing to compare" 65 "compare: there is no score stage at \"$place\"; expected one of: "
done
expect "and a folder" 0 "^a to b, " corpus check $work/runs/names/g/Base/1/corpus --runs $work/runs
output=$(echo aa | ./sanlab bpe apply --codes $work/runs/names/g/Base/1/corpus/codes.bpe --runs $work/runs 2>&1)
ok "and its merges: $output" $?

# Several trainings per row.
expect "the help says which p decides" 0 "With one seed no p gives a verdict" compare --help
try run $work/g.yaml seeds=1,2 --runs $work/runs --quiet
try compare g/Base "g/+ Local" seeds=1,2 --runs $work/runs --sentences 0
says "of several trainings, the test that samples them" 0 "^  p [01]\.[0-9]+: Student's t over seeds and sentences, two-sided"
says "and their number" 0 ", n = 2 and 2; B - A:$"
finish
