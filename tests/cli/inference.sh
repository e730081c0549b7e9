#!/bin/sh
# A grid of the task logic: planned, trained, continued to the same bytes, tested by number of
# operators, printed as a table. Also on the emulator, and requests that are refused before anything
# is trained.
. "$(dirname "$0")/../support/cli.sh"
fresh_data inference_cli

cat > $work/g.yaml << 'END'
grid: g
task: logic
logic: {pairs: 3000, seed: 2, hidden: [16, 16]}
model: {width: 16, heads: 2, feedforward: 24, dropout: 0.1}
train: {epochs: 2, batch_pairs: 32, rate: 0.003, schedule: constant, save_every: 3}
rows:
  - name: "SAN"
    encoder.stack: [{san: 2}]
    logic.pool: {queries: 2}
  - name: "LSTM"
    encoder.stack: [{lstm: {layers: 1, direction: forward}}]
    logic.features: match
table:
  columns: [relate.parameters, relate.dev_accuracy, logic.short, logic.long, logic.tran_long,
            {column: logic.accuracy, class: all}]
claims:
  - {text: "The LSTM generalizes", compare: [LSTM, SAN], metric: logic.long, expect: greater}
END
runs="--runs $work/runs"
expect "a row is three stages" 0 "^formulas-[0-9a-f]+ .* new" plan $work/g.yaml $runs
says "a training" 0 "^relate-[0-9a-f]+ +SAN/1 .*new"
says "and its test" 0 "^logic-[0-9a-f]+ +LSTM/1 .*new"
holds "both rows read the same pairs" [ "$(printf '%s\n' "$output" | grep -c '^formulas-')" = 1 ]
expect "it runs" 0 "^$" run $work/g.yaml $runs --quiet
expect "and is not done twice" 0 "^logic-[0-9a-f]+ +LSTM/1 .* done" plan $work/g.yaml $runs
expect "a table has accuracy by operators" 0 "12" table $work/g.yaml $runs
try table $work/g.yaml 'table.columns=[parameters, relate.parameters, steps, dev_loss]' $runs
says "short names mean what trains the model" 0 '^LSTM +([0-9,]+) +\1 +[0-9,]+ +[0-9.]+'
says "for each row" 0 "^SAN .*[0-9]+\.[0-9]"
expect "a claim is about long pairs" 0 "The LSTM generalizes" claims $work/g.yaml $runs
expect "its values" 0 "long +[0-9.]+" show g/SAN/1/logic $runs
expect "listed" 0 "^relate-[0-9a-f]+ +done" ls kind=relate $runs
expect "whole" 0 "" verify $runs
output=$(awk -F '\t' 'NR > 1 { n += $4 } END { print n }' $work/runs/names/g/SAN/1/logic/confusion.tsv)
holds "the confusion has every pair" [ "$output" = "$(($(wc -l < $work/runs/names/g/SAN/1/logic/items.tsv) - 1))" ]

try_dev bench pairs $work/g.yaml --row LSTM $runs --threads 1 --batches 2 --rounds 1
says "its steps are measured" 0 "^pairs/s +[0-9]+ "

# An archive has no pairs: a stage generates them again when it reads them.
./sanlab archive $work/g.yaml $runs $work/g.tar.gz > /dev/null
tar -xzf $work/g.tar.gz -C $work
try plan $work/g.yaml seeds=+2 --runs $work/g
says "pairs are made again for another seed" 0 '^formulas-[0-9a-f]+ +again: its formulas.pairs is gone'
says "and nothing else" 0 '^9 stages: 4 done, 5 new'
try_dev bench pairs $work/g.yaml --row LSTM --runs $work/g
says "without them nothing is measured" 65 'formulas of the grid are not made yet; run the grid, or give --corpus'
try redo "$(cd $work/g/stages && ls -d logic-* | head -1)" --runs $work/g --quiet
says "a test is done again on a training that is" 0 '^$'
holds "of the same pairs" cmp $work/runs/stages/formulas-*/formulas.pairs $work/g/stages/formulas-*/formulas.pairs
try_dev bench pairs multi30k-small $runs
says "of no other task" 65 "expected a grid of the task logic; the task of multi30k-small is translation"

# Killed as by kill -9 at several steps, and with two threads: the bytes are the same.
for at in 2 3 1; do
    SANLAB_CRASH_AT=step:$at try run $work/g.yaml --runs $work/parts --quiet --retry failed
done
holds "a training is killed" [ "$code" != 0 ]
OMP_NUM_THREADS=2 try run $work/g.yaml --runs $work/parts --quiet --retry failed
says "and goes on" 0 ""
for row in SAN LSTM; do
    whole=$work/runs/names/g/$row/1 parts=$work/parts/names/g/$row/1
    output=$(cmp "$whole/relate/metrics.jsonl" "$parts/relate/metrics.jsonl" &&
        cmp "$whole/logic/metrics.jsonl" "$parts/logic/metrics.jsonl" &&
        for file in "$whole"/relate/ckpt/*/model.safetensors; do
            cmp "$file" "$parts/relate/${file#"$whole/relate/"}" || exit 1
        done)
    ok "$row: the same bytes" $?
done

# A GPU's kernels on the emulator: the numbers agree up to rounding.
small="logic.pairs=400 train.steps=2 train.batch_pairs=8 train.log_every=1"
for device in cpu emu; do
    # shellcheck disable=SC2086
    expect "$device: it runs" 0 "^$" run $work/g.yaml --runs $work/$device $small --device $device -j 1 --quiet
done
for row in SAN LSTM; do
    output=$(paste -d " " $work/cpu/names/g*/$row/1/relate/metrics.jsonl \
        $work/emu/names/g*/$row/1/relate/metrics.jsonl | awk -F '"value":' '
            { a = $2 + 0; b = $3 + 0; d = a - b; n++
              if (d > 1e-5 * a + 1e-5 || d < -1e-5 * a - 1e-5) print a " and " b }
            END { if (n < 5) print n " values" }')
    holds "$row: emu agrees with cpu" [ -z "$output" ]
done

# The training names the bins without pairs.
try run $work/g.yaml logic.pairs=100 logic.dev=1000 --runs $work/few --quiet
says "no pairs are held out" 1 "no held-out pairs in bins 0 to 6"
try run $work/g.yaml logic.pairs=60 logic.bins=11-12 --runs $work/few --quiet
says "no pairs are trained" 1 "no training pairs in bins 11 to 12"

# Refused in one line, before anything is trained.
refused() {
    what=$1 pattern=$2
    shift 2
    expect "$what" 65 "$pattern" plan $work/g.yaml --runs $work/none "$@"
}
refused "a score of translations" \
    "evaluate.bleu: reads corpus, which belongs to the task translation; this grid's task is logic" \
    evaluate.bleu.split=test
refused "a corpus" "corpus: no stage of this grid's task, logic, depends on it" corpus=multi30k-en-de
refused "bins beyond 12" 'logic.bins.*"0-13": expected bins of 0 to 12' logic.bins=0-13
refused "no queries" "logic.pool.queries: expected .*1" 'logic.pool={queries: 0}'
refused "another pool" 'logic.pool' logic.pool=lost
refused "a recurrence both ways" "layer 1 runs both ways; .*direction: forward" 'encoder.stack=[{lstm: 1}]'
refused "no norm for attention" "norm: none is for recurrent layers" model.norm=none
refused "selection by BLEU" "train.select: bleu" train.select=bleu train.validate_sentences=3
refused "an option of nobody" "logic: unknown option|logic.*nearest" logic.pol=last
try plan multi30k-small train.batch_pairs=3 --runs $work/none
says "pairs of a translation" 65 "train.batch_pairs: is an option of the task logic"

# Statements of at most three operators have no long pairs.
sed 's/pairs: 3000/pairs: 500, depth: 2/' $work/g.yaml > $work/short.yaml
try run $work/short.yaml --runs $work/short train.steps=1 --quiet
try table $work/short.yaml --runs $work/short train.steps=1
says "pairs that there are not have no accuracy" 0 "^LSTM .*[0-9] +-  "
lacks "which no second run would measure" "before it was measured"
expect "and says why" 0 "long +no pairs" show "$(ls -d $work/short/stages/logic-* | head -1)" --runs $work/short

./sanlab logic generate --out $work/data/files --pairs 3000 --seed 2 --quiet
try plan $work/g.yaml --runs $work/files logic.pairs=0 logic.data=files
says "files are read as well" 0 "^formulas-[0-9a-f]+ .* new"
./sanlab run $work/g.yaml --runs $work/read logic.pairs=0 logic.data=files train.steps=1 --quiet
stage=$(echo $work/read/stages/formulas-*)
rm "$stage/done.json"
mv $work/data/files/test12 $work/test12
try work --stage "$stage"
says "the last file is gone after the plan" 65 "files/test12: the file is gone; start again"
mv $work/test12 $work/data/files
cp $work/data/files/test12 $work/data/files/valid12
try work --stage "$stage"
says "there is one more" 65 "files/valid12: the file did not exist when the stage was planned; start again"
rm $work/data/files/valid12
mv $work/data/files/train9 $work/train9
try plan $work/g.yaml --runs $work/files logic.pairs=0 logic.data=files
says "a bin that nobody trains may lack" 0 "^formulas-[0-9a-f]+ .* new"
try plan $work/g.yaml --runs $work/files logic.pairs=0 logic.data=files logic.split=tran
says "but not where its pairs are split anew" 1 "^!! logic.data files is missing \(1 file, [0-9]+ stages wait\): files/train9$"
mv $work/train9 $work/data/files
rm $work/data/files/train4
try plan $work/g.yaml --runs $work/files logic.pairs=0 logic.data=files
says "a missing bin" 1 "^!! logic.data files is missing \(1 file, [0-9]+ stages wait\): files/train4$"
: > $work/data/files/train4
try plan $work/g.yaml --runs $work/files logic.pairs=0 logic.data=files
says "an empty one" 65 "logic.data: .*files/train4 is empty; expected pairs of 4 operators"
printf '?\ta\t( a ( and b ) )\n' > $work/data/files/train4
try run $work/g.yaml --runs $work/files logic.pairs=0 logic.data=files --quiet
says "a label that there is not" 1 'files/train4:1:1: relation: unknown word "\?"'
output=$(ls $work/files/stages | grep relate-; ls $work/files/stages/relate-*/ckpt 2> /dev/null)
lacks "before anything is trained" ckpt
finish
