#!/bin/sh
# Costs in sanlab plan: time, stale code and disk space; and the stage speed, on a generated task.
. "$(dirname "$0")/../support/cli.sh"
texts=$(cd "${SANLAB_DATA:-data}" 2> /dev/null && pwd)
task plan_cost_cli 300

# about: prints the seconds in the line "to do: ..; about 1 min 12 s with .." of $output.
about() {
    printf '%s\n' "$output" | sed -n 's/^to do: .*; about \(.*\) with .*/\1/p' |
        awk '{ for (i = 1; i < NF; i += 2) sum += $i * ($(i + 1) == "h" ? 3600 : $(i + 1) == "min" ? 60 : 1); print sum }'
}
# within_two SECONDS MEASURED: true if neither is more than twice the other.
within_two() {
    awk -v a="${1:-0}" -v b="$2" 'BEGIN { exit !(a <= 2 * b && b <= 2 * a) }'
}
# near CASE MEASURED ARGUMENTS..: passes if the estimate is within a factor of two of MEASURED, the
# seconds on two cores of 63 GFLOP/s each.
near() {
    case=$1 measured=$2
    shift 2
    output=$(SANLAB_CORES=2 ./sanlab plan "$@" --core 63 --runs $work/none 2>&1)
    holds "the estimate is within a factor of two of the measured time: $case" within_two "$(about)" "$measured"
}

small $work/g.yaml '{preset: tiny, dropout: 0}' << 'END'
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

expect "a guess where nothing is known" 0 "; about [0-9.]+ s with [0-9]+ core" \
    plan $work/g.yaml --runs $work/runs
says "equal rows share their stages" 0 "^train-[0-9a-f]* +Transformer/1 = Twin/1 "
holds "and are named once" [ "$(printf '%s\n' "$output" | grep -c 'row "Twin" equals')" = 0 ]
sed 's/^  - name: Twin/  - {name: Third, encoder.layers: 2}\n&/' $work/g.yaml > $work/three.yaml
expect "a third one has a line below" 0 '^row "Twin" equals "Transformer": the same options, the same stages$' \
    plan $work/three.yaml --runs $work/runs
mkdir -p $work/runs/rates
try plan $work/g.yaml --runs $work/runs --calibrate
says "a rate that cannot be kept" 0 "runs/rates: cannot be read: .*; the rate is not cached"
rmdir $work/runs/rates
try plan $work/g.yaml --runs $work/runs --calibrate
says "a calibration trains for twenty steps" 0 "^calibrated train-.*Local/1: 20 steps"
try plan $work/g.yaml --runs $work/runs --calibrate
[ "$code" = 0 ] && ! printf '%s\n' "$output" | grep -q "^calibrated"
ok "once" $?

try run $work/g.yaml --runs $work/runs train.keep_best=1000 model.width=4096 model.feedforward=65536
says "a disk that is too small" 65 "the disk has .* [GM]B free; this grid needs about .* [GM]B .*--force"
expect "the grid runs" 0 "6 of 6 stages done" run $work/g.yaml --runs $work/runs
printf '%s\n' "$output" | sed 1d | grep -E "  (start|done)  " | tail -2 | grep -cq "speed-"
ok "speed comes last and alone" $?
speed=$(echo $work/runs/stages/speed-*)
for row in 1 2 3; do
    [ -n "$(stage_value "$speed" steps_per_second.$row)" ] &&
        [ -n "$(stage_value "$speed" target_tokens_per_second.$row)" ] && [ -n "$(stage_value "$speed" spread.$row)" ]
    ok "speed of row $row" $?
done
[ "$(stage_value "$speed" steps_per_second.1)" = "$(stage_value "$speed" steps_per_second.3)" ]
ok "rows that are one training have one speed" $?
expect "which the table shows with its unit" 0 "Speed \(steps/s\)$" table $work/g.yaml --runs $work/runs
says "and with the spread of its rounds" 0 "^Twin .* [0-9.]+ \([0-9.]+%\)$"
expect "it is kept for this machine" 0 "^speed-[0-9a-f]* .* done" plan $work/g.yaml --runs $work/runs
try plan $work/g.yaml --runs $work/runs train.precision=bf16
says "another precision has a speed of its own" 1 "^speed-[0-9a-f]* .* missing input"

# Marks the trainings as done by another version.
for file in $work/runs/stages/train-*/done.json; do
    sed -i 's/"code": "[^"]*"/"code": "0000000000000000"/' "$file"
done
expect "older code is said" 0 "^train-.* done, older code \(commit " plan $work/g.yaml --runs $work/runs
expect "run says so, too" 0 "2 of 6 stages were done by other code" run $work/g.yaml --runs $work/runs
[ "$(printf '%s\n' "$output" | grep -c " 6 of 6 stages done")" = 1 ] && [ "$(printf '%s\n' "$output" | wc -l)" = 2 ]
ok "and does nothing by itself" $?
try plan $work/g.yaml --runs $work/runs --stale ignore
[ "$code" = 0 ] && ! printf '%s\n' "$output" | grep -q older
ok "or not, when asked not to" $?
expect "until asked" 0 "start .* train-.* \(again: older code" run $work/g.yaml --runs $work/runs --stale rerun
says "with what reads it" 0 "start .* score-.* \(again: its input train-[0-9a-f]* runs again"
holds "what was there is moved aside" [ "$(find $work/runs/replaced -mindepth 1 -maxdepth 1 | wc -l)" = 4 ]
try plan $work/g.yaml --runs $work/runs
[ "$code" = 0 ] && ! printf '%s\n' "$output" | grep -q older
ok "then all is of this code" $?

# Estimates omit finished work: a third of a training (20 epochs of 15 steps), whose 900 steps take
# seconds at 1 GFLOP/s.
stopped="$work/g.yaml train.steps=900 train.save_every=300 --only name=Local --runs $work/stopped"
output=$(SANLAB_CORES=1 ./sanlab plan $stopped --core 1 2>&1)
whole=$(about)
SANLAB_CRASH_AT=checkpoint-renamed:20 ./sanlab run $stopped > $work/log 2>&1
sed -i '/"event":"failed"/d' $work/stopped/stages/train-*/events.jsonl # as after kill -9
output=$(SANLAB_CORES=1 ./sanlab plan $stopped --core 1 2>&1)
rest=$(about)
awk -v rest="$rest" -v whole="$whole" 'BEGIN { exit !(rest > .6 * whole && rest < .73 * whole) }'
ok "after a stop two thirds of the time are left: $rest of $whole s" $?

# Estimates of measured cases.
cat > $work/tiny.yaml << 'END'
grid: tiny
corpus: {source: a, target: b, train: train, dev: dev, merges: 10}
model: {width: 8, heads: 1, feedforward: 8, share: all, dropout: 0}
encoder.layers: 1
decoder.layers: 1
train: {steps: 1, batch_tokens: 64}
sweep: {train.rate: [1, 2, 3, 4, 5, 6]}
rows: [{name: A}]
evaluate: {bleu: {split: dev, beam: 1}}
END
near "1,200 tiny stages" 3.7 $work/tiny.yaml seeds=1-100
SANLAB_DATA=$PWD/$work/nothing near "hao2019-figure1 without data" 330000 hao2019-figure1
if command -v python3 > /dev/null; then
    SANLAB_DATA=$PWD/$work/made ./sanlab corpus controlled --out $work/made/controlled --quiet
    SANLAB_DATA=$PWD/$work/made near "tour" 144 tour
else
    echo "# skipped: the estimate of tour, because there is no python3"
fi
if [ -e "$texts/libreoffice/en-US-de/tasks/word_content.txt" ]; then
    SANLAB_DATA=$texts near "demo" 360 demo
else
    echo "# skipped: the estimate of demo, whose text is not here"
fi

# took CASE ARGUMENTS..: like near, with the processor time of a run on this machine. Requires a quiet
# machine: under load a tiny stage takes up to four times as much, and estimates from earlier runs use
# their wall time.
took() {
    case=$1
    shift
    output=$(SANLAB_CORES=2 ./sanlab plan "$@" --runs $work/took 2>&1)
    estimate=$(about)
    measured=$( (SANLAB_CORES=2 ./sanlab run "$@" --runs $work/took --quiet > $work/log 2>&1; times) | tail -n 1 |
        sed 's/[ms]/ /g' | awk '{ print (60 * ($1 + $3) + $2 + $4) / 2 }')
    within_two "$estimate" "$measured"
    ok "the estimate, $estimate s, is within a factor of two of the time of a run, $measured s: $case" $?
}
# Takes about 20 minutes; for `make test-long`.
if [ "${COSTS-}" = all ]; then
    took "12,000 tiny stages" $work/tiny.yaml seeds=1-1000
    SANLAB_DATA=$PWD/$work/made took "tour" tour
    rm -rf $work/took/stages/probe-*
    SANLAB_DATA=$PWD/$work/made took "ten probes of the tour" tour '--only=name = Transformer'
    [ ! -e "$texts/libreoffice/en-US-de/tasks/word_content.txt" ] || SANLAB_DATA=$texts took "demo" demo
fi

# Another version started a training, and this one finishes it.
one="$work/g.yaml train.save_every=3 --only name=Local"
SANLAB_CRASH_AT=checkpoint-renamed:1 ./sanlab run $one train.steps=9 --runs $work/begun > $work/log 2>&1
events=$(echo $work/begun/stages/train-*/events.jsonl)
sed -i '/"event":"failed"/d' "$events" # as if its runner had also been killed
try plan $one train.steps=9 --runs $work/begun
says "what this code has begun goes on" 0 "^train-.* stopped at step 3  "
sed -i 's/"text":"train [0-9a-f]*/"text":"train 0000000000000000/' "$events"
try plan $one train.steps=9 --runs $work/begun
says "what other code has begun is said" 0 "^train-.* stopped at step 3, older code"
cp -r $work/begun $work/anew
try run $one train.steps=9 --runs $work/begun
says "run says so, too" 0 "1 of 4 stages were begun by other code and continue"
try plan $one train.steps=9 --runs $work/begun
says "what two codes have trained is not this one's" 0 "^train-.* done, older code  "
try table $one train.steps=9 --runs $work/begun
says "which a table says" 0 "^Rows differ in code of train: 00000000 \(Local\), [0-9a-f]{8} \(Local\)\.$"
try run $one train.steps=15 --runs $work/begun
says "a longer one goes on from it" 0 "continues train-[0-9a-f]* from step 6, older code;"
expect "and is as old" 0 "^train-.* done, older code  " plan $one train.steps=15 --runs $work/begun
try run $one train.steps=9 --runs $work/anew --stale rerun
says "a rerun starts anew" 0 "start .* train-.* \(again: older code"
expect "and is of this code alone" 0 "^train-.* done  " plan $one train.steps=9 --runs $work/anew
try plan $work/g.yaml --runs $work/runs --stale perhaps
says "unknown policies are refused" 65 "expected one of warn, rerun, ignore"
finish
