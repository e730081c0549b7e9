#!/bin/sh
# A sweep as a figure of kind lines, from the grid to the picture. Also the kept data files, and the
# example of docs/figures.md, which draws from them.
#   PYTHON: an interpreter that has matplotlib (python3)
. "$(dirname "$0")/../support/cli.sh"
task lines 200

python=${PYTHON:-python3}

small $work/g.yaml '{preset: tiny}' << 'END'
sweep: {encoder.layers: [2, 1], train.warmup: [20, 40]}
train: {epochs: 0, steps: 20, batch_tokens: 256, validate_every: 10}
seeds: [1, 2, 3]
rows: [{name: Transformer}]
figures:
  - {kind: lines, axis: encoder.layers, left: dev_loss}
END
mkdir $work/runs
try plot $work/g.yaml --runs $work/runs
says "before anything ran there is a figure" 0 "Not drawn: Transformer, layers=2, warmup=20 \(new\)"
try run $work/g.yaml --runs $work/runs --quiet
ok "a sweep of two axes runs" $code
try plot $work/g.yaml --runs $work/runs --out $work/out --keep
says "points are seeds, with an interval" 0 "; bars: 95% t interval of the mean over seeds"
if [ -e $work/out/g-1.svg ]; then
    holds "groups are named by the other axis" [ "$(grep -cE '>Transformer, warmup=(20|40)<' $work/out/g-1.svg)" = 2 ]
else
    skipped "groups are named by the other axis" "there is no gnuplot (Debian: gnuplot-nox)"
fi

# One line per seed of a row, with the value of its stage.
tsv=$work/out/g-1/data.tsv
holds "data.tsv has a header" [ "$(head -n 1 $tsv | tr '\t' ' ')" = "row group axis place column seed value mean low high" ]
output=$(awk -F '\t' 'NR > 1 && (NF != 10 || $3 != "encoder.layers" || $4 !~ /^[12]$/)' $tsv)
[ -z "$output" ] && [ "$(wc -l < $tsv)" = 13 ]
ok "and a line of ten cells for each of 4 rows and 3 seeds" $?
row="Transformer, layers=1, warmup=40"
loss=$(stage_value $work/runs/names/g/*layers=1*warmup=40*/2/train dev_loss)
output=$(awk -F '\t' -v row="$row" '$1 == row && $6 == 2 { print $7 }' $tsv)
[ -n "$loss" ] && [ "$output" = "$loss" ]
ok "with all digits of its value" $?

sed -n '/^```python/,/^```/p' docs/figures.md | sed '/^```/d' > $work/lines.py
holds "the example is short" [ "$(wc -l < $work/lines.py)" -le 20 ]
if "$python" -c 'import matplotlib' 2> /dev/null; then
    { # the value of a row that is not on the axis
        cat $tsv
        printf 'Baseline\tBaseline\tencoder.layers\t\tdev_loss\t1\t2.5\t2.5\t\t\n'
    } > $work/data.tsv
    output=$(MPLCONFIGDIR=$work "$python" $work/lines.py $work/data.tsv $work/figure.svg 2>&1) &&
        for text in "Transformer, warmup=20" "Transformer, warmup=40" Baseline encoder.layers dev_loss; do
            grep -q "<!-- $text -->" $work/figure.svg || output="$output
not drawn: $text"
        done
    [ -s $work/figure.svg ] && [ -z "$output" ]
    ok "and draws all of it" $?
    { # gates by word class, as in the figure of make demo
        head -n 1 $tsv
        printf 'A\tA\tclass\tNOUN\tgates.gate\t1\t0.7\t0.7\t0.6\t0.8\n'
        printf 'A\tBefore training\tclass\tNOUN\tgates.gate_start\t1\t0.5\t0.5\t\t\n'
        printf 'A\tA\tclass\tVERB\tgates.gate\t1\t0.8\t0.8\t\t\n'
    } > $work/data.tsv
    output=$(MPLCONFIGDIR=$work "$python" $work/lines.py $work/data.tsv $work/figure.svg 2>&1) &&
        for text in NOUN VERB "Before training" class gates.gate; do
            grep -q "<!-- $text -->" $work/figure.svg || output="$output
not drawn: $text"
        done
    [ -z "$output" ]
    ok "and words on its axis" $?
else
    skipped "and draws all of it" "there is no $python with matplotlib"
fi

sed -i 's/axis: encoder.layers/axis: encoder.layer/' $work/g.yaml
try plot $work/g.yaml --runs $work/runs
says "an axis that is none" 65 "g.yaml:9:25: figures.axis: .*nearest is \"encoder.layers\""
finish
