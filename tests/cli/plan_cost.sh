#!/bin/sh
# What plan says of time, of other code and of the disk, and the stage speed, on a generated task.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
task plan_cost_cli 300

cat > $work/g.yaml << 'END'
grid: g
corpus: {source: a, target: b, train: train, dev: dev, merges: 20}
model: {preset: tiny, dropout: 0}
encoder.layers: 2
train: {steps: 6, batch_tokens: 128, warmup: 20}
rows:
  - name: Transformer
  - name: Local
    encoder.attention: [{layers: 1, branches: [{window: 1}]}]
  - name: Twin
    encoder.layers: 2
evaluate: {bleu: {split: dev, beam: 1}, speed: {steps: 2, warmup: 1, rounds: 2}}
table: {columns: [parameters, speed]}
END

try plan $work/g.yaml --runs $work/runs
says "a guess where nothing is known" 0 "sgemm's rate \(--calibrate measures"
says "the longest chain" 0 "^longest chain .* of core time: corpus-[0-9a-f]*, "
says "what sharing saves" 0 "core time, .* saved by sharing"
says "equal rows are named" 0 'row "Twin" equals "Transformer"'
says "and share their stages" 0 "^train-[0-9a-f]* +Transformer/1 = Twin/1 "
mkdir -p $work/runs/rates
try plan $work/g.yaml --runs $work/runs --calibrate
says "a rate that cannot be kept" 0 "runs/rates: cannot be read: .*; the rate is not kept for later"
rmdir $work/runs/rates
try plan $work/g.yaml --runs $work/runs --calibrate
says "a calibration trains for twenty steps" 0 "^calibrated train-.*Local/1: 20 steps"
says "and is what times come from" 0 "calibration for [24] stage"
try plan $work/g.yaml --runs $work/runs --calibrate
[ "$code" = 0 ] && ! printf '%s\n' "$output" | grep -q "^calibrated"
ok "once" $?

try run $work/g.yaml --runs $work/runs train.keep_best=1000 model.width=4096 model.feedforward=65536
says "a disk that is too small" 65 "the disk has .* [GM]B left, this grid needs about .* [GM]B .*--force"
try run $work/g.yaml --runs $work/runs
says "the grid runs" 0 "6 of 6 stages done"
printf '%s\n' "$output" | sed 1d | grep -E "  (start|done)  " | tail -2 | grep -cq "speed-"
ok "speed comes last and alone" $?
done=$(echo $work/runs/stages/speed-*/done.json)
for row in 1 2 3; do
    grep -Eq "\"steps_per_second.$row\": [0-9.]+" "$done" &&
        grep -q "\"target_tokens_per_second.$row\"" "$done" && grep -q "\"spread.$row\"" "$done"
    ok "speed of row $row" $?
done
[ "$(sed -n 's/.*"steps_per_second.1": //p' "$done")" = "$(sed -n 's/.*"steps_per_second.3": //p' "$done")" ]
ok "rows that are one training have one speed" $?
try table $work/g.yaml --runs $work/runs
says "which the table shows with its unit" 0 "Speed \(steps/s\)$"
says "and with the spread of its rounds" 0 "^Twin .* [0-9.]+ \([0-9.]+%\)$"
try plan $work/g.yaml --runs $work/runs
says "it is kept for this machine" 0 "^speed-[0-9a-f]* .* done"
try plan $work/g.yaml --runs $work/runs train.precision=bf16
says "another precision has a speed of its own" 1 "^speed-[0-9a-f]* .* missing input"
try plan $work/g.yaml --runs $work/runs 'seeds=[2]'
says "another seed takes as long" 0 "finished runs of the same options for 2 stages"

# As if the trainings had been done by another version.
for file in $work/runs/stages/train-*/done.json; do
    sed -i 's/"code": "[^"]*"/"code": "0000000000000000"/' "$file"
done
try plan $work/g.yaml --runs $work/runs
says "older code is said" 0 "^train-.* done, older code \(commit "
try run $work/g.yaml --runs $work/runs
says "run says so, too" 0 "2 of 6 stages were done by other code"
[ "$(printf '%s\n' "$output" | grep -c " 6 of 6 stages done")" = 1 ] && [ "$(printf '%s\n' "$output" | wc -l)" = 2 ]
ok "and does nothing by itself" $?
try plan $work/g.yaml --runs $work/runs --stale ignore
[ "$code" = 0 ] && ! printf '%s\n' "$output" | grep -q older
ok "or not, when asked not to" $?
try run $work/g.yaml --runs $work/runs --stale rerun
says "until asked" 0 "start .* train-.* \(again: older code"
says "with what reads it" 0 "start .* score-.* \(again: train-[0-9a-f]* is done again"
[ "$(find $work/runs/replaced -mindepth 1 -maxdepth 1 | wc -l)" = 4 ]
ok "what was there is moved aside" $?
try plan $work/g.yaml --runs $work/runs
[ "$code" = 0 ] && ! printf '%s\n' "$output" | grep -q older
ok "then all is of this code" $?

# A training that another version has begun, and that this one ends.
one="$work/g.yaml train.save_every=3 --only name=Local"
SANLAB_CRASH_AT=checkpoint-renamed:1 ./sanlab run $one train.steps=9 --runs $work/begun > $work/log 2>&1
events=$(echo $work/begun/stages/train-*/events.jsonl)
sed -i '/"event":"failed"/d' "$events" # as if its runner had been killed with it
try plan $one train.steps=9 --runs $work/begun
says "what this code has begun goes on" 0 "^train-.* stopped at step 3  "
sed -i 's/"text":"train [0-9a-f]*/"text":"train 0000000000000000/' "$events"
try plan $one train.steps=9 --runs $work/begun
says "what other code has begun is said" 0 "^train-.* stopped at step 3, older code"
cp -r $work/begun $work/anew
try run $one train.steps=9 --runs $work/begun
says "run says so, too" 0 "1 of 4 stages were begun by other code than this and go on"
try plan $one train.steps=9 --runs $work/begun
says "what two codes have trained is not this one's" 0 "^train-.* done, older code  "
try table $one train.steps=9 --runs $work/begun
says "which a table says" 0 "^Done by different code of train: 00000000 \(Local\), [0-9a-f]{8} \(Local\)\.$"
try run $one train.steps=15 --runs $work/begun
says "a longer one goes on from it" 0 "continues train-[0-9a-f]* from step 6, older code;"
try plan $one train.steps=15 --runs $work/begun
says "and is as old" 0 "^train-.* done, older code  "
try run $one train.steps=9 --runs $work/anew --stale rerun
says "a rerun starts anew" 0 "start .* train-.* \(again: older code"
try plan $one train.steps=9 --runs $work/anew
says "and is of this code alone" 0 "^train-.* done  "
try plan $work/g.yaml --runs $work/runs --stale perhaps
says "unknown policies are refused" 65 "expected one of warn, rerun, ignore"
finish
