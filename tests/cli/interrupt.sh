#!/bin/sh
# A stopped or killed run ends with the same bytes after a restart.
. "$(dirname "$0")/../support/cli.sh"
task interrupt_cli 200
thaw_at_end

small $work/g.yaml '{preset: tiny, dropout: 0.1}' << 'END'
encoder.layers: 2
train: {epochs: 12, batch_tokens: 128, warmup: 20, save_every: 5}
rows:
  - name: Transformer
  - name: Local
    encoder.attention: [{layers: 1, branches: [{window: 1}]}]
evaluate: {bleu: {split: dev, beam: 2}}
END

# results RUNS: prints digests of all files that depend on the stages alone.
results() {
    (cd "$1/stages" && for stage in *; do
        sha256sum "$stage/metrics.jsonl" "$stage"/hypotheses.txt "$stage"/ckpt/*/model.safetensors
        cat "$stage/done.json"
    done) 2> /dev/null
}

expect "a run that nobody disturbs" 0 "5 of 5 stages done" run $work/g.yaml --runs $work/whole

# frozen_gets SIGNAL STEP: sends the signal to a run whose workers have stopped at the step.
frozen_gets() {
    freeze step:$2 2 run $work/g.yaml --runs $work/runs -j 2
    kill -$1 $runner
    ended
}

frozen_gets TERM 30
says "stopped by a signal, with workers that are suspended: saved, and says so" 75 "stopping: workers save and stop"
expect "plan says where it would go on" 0 "stopped at step [1-9]" plan $work/g.yaml --runs $work/runs

frozen_gets HUP 45
says "so does a terminal that goes" 75 "stopping: workers save and stop"
try export model g/Local/1 --checkpoint last --out $work/part.safetensors --runs $work/runs
says "what is exported of it is not all" 0 "warning: train-.* is not finished"

# The recorded rate is one operation per second, in a run that continues a training and is stopped again.
sed 's/^grid: g/grid: pace/; s/epochs: 12/epochs: 0, steps: 100000/; /name: Local/,/encoder.attention/d' $work/g.yaml > $work/pace.yaml
for step in 30 400; do
    freeze step:$step 1 run $work/pace.yaml --runs $work/pace --log-format json
    kill -TERM $runner
    wait $runner
    [ $step = 400 ] && break
    ./sanlab plan $work/pace.yaml --runs $work/pace --calibrate > $work/rate 2>&1
    sed 's/ .*/ 1/' $work/pace/rates > $work/rate
    cp $work/rate $work/pace/rates
done
left=$(sed -n 's/.*"event":"end".*"left":\([0-9]*\).*/\1/p' $work/log)
hours=$(./sanlab plan $work/pace.yaml --runs $work/pace | sed -n 's/.*; \([0-9]*\) h [0-9]* min of core time.*/\1/p')
output="$left s left; by the rate $hours h"
[ "${left:-0}" -gt 0 ] && [ "$left" -lt $((hours * 360)) ]
ok "the time left follows from the steps of the run, not from a rate that is too low" $?

./sanlab run $work/g.yaml --runs $work/runs -j 1 > $work/log 2>&1 &
runner=$!
sleep 0.3
kill -KILL $runner
wait $runner 2> /dev/null
expect "killed, and started again" 0 "5 of 5 stages done" run $work/g.yaml --runs $work/runs
results $work/whole > $work/expected
results $work/runs > $work/got
output=$(diff $work/expected $work/got | head -20)
[ -s $work/expected ] && [ -z "$output" ]
ok "the same metric rows, models and hypotheses" $?

# The end of a training validates although no validation is due. A signal between the last due validation
# and the end, or earlier, adds no checkpoint to the final ones and replaces none.
small $work/last.yaml '{preset: tiny, dropout: 0.1}' << 'END'
encoder.layers: 2
train: {epochs: 0, steps: 26, validate_every: 8, keep_last: 3, batch_tokens: 128, warmup: 20}
rows: [{name: Steps}, {name: Epochs, train.validate_every: 0, train.epochs: 4, train.steps: 0}]
END
checkpoints() {
    (cd "$1/stages" && sha256sum train-*/ckpt/*/*.safetensors)
}
./sanlab run $work/last.yaml --runs $work/last.whole --quiet
checkpoints $work/last.whole > $work/expected.last
for step in 11 14; do # number of steps in this run
    freeze step:$step 2 run $work/last.yaml --runs $work/last -j 2 --quiet
    kill -TERM $runner
    wait $runner
done
output=$(ls -d $work/last/stages/train-*/ckpt/*25)
code=$?
says "stopped after the last validation that is due" 0 'step-00000025$'
expect "and started again" 0 "3 of 3 stages done" run $work/last.yaml --runs $work/last
output=$(checkpoints $work/last | diff $work/expected.last -)
[ "$(wc -l < $work/expected.last)" -gt 12 ] && [ -z "$output" ]
ok "the same checkpoints, byte by byte, and no other" $?

# Two runners at once: each stage is done once, and both exit with status 0.
./sanlab run $work/g.yaml --runs $work/two > $work/log1 2>&1 &
runner=$!
./sanlab run $work/g.yaml --runs $work/two > $work/log2 2>&1
second=$?
wait $runner
first=$?
output=$(cat $work/log1 $work/log2)
[ $first = 0 ] && [ $second = 0 ]
ok "two runners at once" $?
holds "every stage was started once" [ "$(cat $work/two/stages/*/events.jsonl | grep -c '"started"')" = 5 ]
results $work/two > $work/got
equals "with the same results" "" "$(diff $work/expected $work/got | head -20)"

# The runner records a killed worker as a failure.
freeze step:30 2 run $work/g.yaml --runs $work/dead -j 2
for worker in $(pgrep -P $runner | sort -n); do victim=$worker; done
kill -KILL $victim
kill -CONT $(pgrep -P $runner) 2> /dev/null
ended
says "a killed worker fails, the other stages go on" 1 "3 of 5 stages done, 1 failed, 1 blocked"
expect "and can be repeated" 0 "5 of 5 stages done" run $work/g.yaml --runs $work/dead --retry failed
results $work/dead > $work/got
equals "with the same results in the end" "" "$(diff $work/expected $work/got | head -20)"
finish
