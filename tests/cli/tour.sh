#!/bin/sh
# grids/tour.yaml in small: every part of it yields a number, a figure or a verdict.
. "$(dirname "$0")/../support/cli.sh"
. tests/support/latex.sh
if ! command -v python3 > /dev/null; then
    echo "1..0 # SKIP there is no python3"
    exit
fi
fresh_data tour
./sanlab corpus controlled --out $work/data/controlled --train 300 --dev 20 --test 20 --items 60 --quiet
small="train.epochs=0 train.steps=30 train.batch_tokens=256 train.warmup=10 window=1 layers=1-2
    evaluate.inference.pairs=1500 evaluate.inference.train=300 evaluate.ablate.sentences=10 table.means=all"
expect "it runs" 0 "" run tour $small --runs $work/runs --quiet
try ls tour $small --runs $work/runs
printf '%s\n' "$output" > $work/ls
# part WHAT KIND STAGES: compares the number of finished stages.
part() {
    holds "$1" [ "$(grep -c "^$2-.* done" $work/ls)" = "$3" ]
}
part "one corpus" corpus 1
part "windows, fusion and stacks: four trainings" train 4
part "translations" score 4
part "ten tasks, four encoders, trained and not" probe 80
part "logic on the frozen encoders" inference 4
part "gates by layer and part of speech" gates 1
part "ablation of four encoders" ablate 4
part "and of gates at the words of a class" ablatepos 1
try table tour $small --runs $work/runs
says "a table of all" 0 'BLEU +Surface +Syntactic +Semantic +Logic +Mean gate +Rise'
[ "$(printf '%s\n' "$output" | grep -cE '^(Transformer|ON-LSTM and attention|  1-2) .*([0-9]+\.[0-9]+[^0-9]+){5}')" = 4 ]
ok "with numbers of every row" $?
mkdir $work/latex
./sanlab table tour $small --runs $work/runs --format latex > $work/latex/tour.tex
latex_fits "which fits a page of a paper" $work/latex
# Every number of a stage is a column, also numbers that its kind does not describe.
columns=$(./sanlab export csv tour $small --runs $work/runs 2> /dev/null | head -n 1 | tr -d '\r"' | tr ',' '\n' |
    grep -E '^(corpus|train|score|encode|probe|inference|statements|gates|ablate|ablatepos)\.' |
    grep -vE '@|signature' | paste -s -d ,)
[ "${#columns}" -gt 1000 ] || columns=too.few
try plan tour $small "table.columns=[$columns]" --runs $work/runs
says "all numbers of all kinds are columns" 0 "[0-9]+ stages: [0-9]+ done"
expect "a claim with a verdict" 0 'supported|contradicted|inconclusive' claims tour $small --runs $work/runs
expect "figures" 0 'tour.*-3\.svg' plot tour $small --runs $work/runs --out $work/figures
expect "a page" 0 . report tour $small --runs $work/runs --out $work/report.html
holds "and a database" [ -s $work/runs/sanlab.db ]
finish
