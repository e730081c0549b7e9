#!/bin/sh
# Longer trainings continue shorter ones and end with the bytes of an uninterrupted training.
. "$(dirname "$0")/../support/cli.sh"
task longer_cli 200
unset SANLAB_PRODUCTS SANLAB_ANY_NUMERICS

# grid NAME CHECKPOINT TRAIN: writes a grid of one training with these options, scored with this
# checkpoint.
grid() {
    name=$1
    cat > $work/"$name".yaml << END
grid: $name
corpus: {source: a, target: b, train: train, dev: dev, merges: 20}
model: {preset: tiny, dropout: 0.1}
encoder.layers: 1
train: {batch_tokens: 128, warmup: 20, $3}
evaluate: {bleu: {split: dev, beam: 1, checkpoint: $2}}
rows: [{name: A}]
END
}

# results RUNS STAGES: prints digests of the files that depend on these stages alone.
results() {
    (cd "$1/stages" && for stage in $2; do
        find "$stage/ckpt" -type f 2> /dev/null | sort | xargs -r sha256sum
        sha256sum "$stage/metrics.jsonl" "$stage/hypotheses.txt"
        cat "$stage/done.json"
    done) 2> /dev/null
}

# same WHAT RUNS LONG: passes if RUNS equals LONG, the folder of the uninterrupted training.
same() {
    names=$(cd "$3/stages" && ls -d train-* score-* relate-* 2> /dev/null)
    results "$3" "$names" > $work/expected
    results "$2" "$names" > $work/got
    output=$(diff $work/expected $work/got | head -20)
    grep -q model.safetensors $work/expected && [ -z "$output" ]
    ok "$1" $?
}

# of RUNS STEPS: prints the folder of the training with that number of steps.
of() {
    dirname "$(grep -l "ntrain.steps=$2.ntrain" "$1"/stages/train-*/stage.json)"
}

# The final validation and the last loss row of the 100 steps are not copied.
grid g 'average(3)' 'steps: 100, validate_every: 40, patience: 50, log_every: 7'
expect "100 steps" 0 "3 of 3 stages done" run $work/g.yaml --runs $work/runs
short=$(of $work/runs 100)
cp -r $work/runs $work/before
expect "170 steps would go on from the newest checkpoint that both make" 0 "continues ${short##*/} from step 80 " \
    plan $work/g.yaml train.steps=170 --runs $work/runs
expect "and do" 0 "start .*continues ${short##*/} from step 80" run $work/g.yaml train.steps=170 --runs $work/runs
try run $work/g.yaml train.steps=170 --runs $work/long
same "checkpoints, rows and results of 170 steps in one go" $work/runs $work/long
long=$(of $work/runs 170)
output=$(tail -n 3 "$long/metrics.jsonl"; grep '"step":100,' "$long/metrics.jsonl")
! grep -q '"step":100,' "$long/metrics.jsonl"
ok "without a row of step 100" $?
equals "from 120 on it saved them itself" 3 "$(grep -c '"event":"saved"' "$long/events.jsonl")"
expect "show says from where" 0 "^  from +${short##*/}, step 80$" show "${long##*/}" --runs $work/runs
output=$(stat -c '%h %n' "$long"/ckpt/step-00000080/*)
holds "what is the same is a hard link" [ "$(stat -c %h "$long/ckpt/step-00000080/state.json")" = 2 ]
rm -r "$short" "$(grep -l "${short##*-}" $work/runs/stages/score-*/stage.json | xargs dirname)"
expect "the shorter one may go" 0 "^3 stages, .*: 0 problems" verify --runs $work/runs
try translate "${long##*/}" $work/data/dev.a --checkpoint 'average(4)' --runs $work/runs
says "and the longer one still has what it took over" 0 "t[0-9]"

# Killed at each point of the copy. Other code computed the first 80 steps; the end event, show and a
# table report this.
rm -rf $work/by-other
cp -r $work/before $work/by-other
sed -i 's/"code": "[^"]*"/"code": "train 0123456789abcdef"/' $work/by-other/stages/train-*/done.json
for point in continued-rows continued-events continued; do
    rm -rf $work/crash
    cp -r $work/by-other $work/crash
    SANLAB_CRASH_AT=$point:1 ./sanlab run $work/g.yaml train.steps=170 --runs $work/crash > /dev/null 2>&1
    try run $work/g.yaml train.steps=170 --runs $work/crash --retry failed
    says "killed at $point and started again" 0 "3 of 3 stages done"
    output=$(grep '"code"' "$(of $work/crash 170)/done.json")
    matches "the code of both is in done.json" '"train 0123456789abcdef, train [0-9a-f]*"'
    sed -i 's/"train 0123456789abcdef, /"/' "$(of $work/crash 170)/done.json"
    same "else the same after $point" $work/crash $work/long
    expect "from where, too" 0 "^  from +${short##*/}, step 80$" show "${long##*/}" --runs $work/crash
    equals "nothing is left" "" "$(find $work/crash -name '*.tmp-*')"
done

# If the shorter training has disappeared, the longer one starts from step 0, with one code.
rm -rf $work/crash
cp -r $work/by-other $work/crash
SANLAB_CRASH_AT=continued-events:1 ./sanlab run $work/g.yaml train.steps=170 --runs $work/crash > /dev/null 2>&1
rm -r "$(of $work/crash 100)"
try run $work/g.yaml train.steps=170 --runs $work/crash --retry failed
same "without the shorter one it begins anew" $work/crash $work/long
try show "${long##*/}" --runs $work/crash
lacks "which show knows" '^  from'

# An epoch ends between two loss rows, and a longer training writes no row there.
grid e last 'epochs: 2, log_every: 7'
try run $work/e.yaml --runs $work/epochs
end=$(ls -d $work/epochs/stages/train-*/ckpt/step-* | tail -n 1 | sed 's/.*step-0*//')
try plan $work/e.yaml train.epochs=3 --runs $work/epochs
says "a third epoch goes on from the end of the second" 0 "continues train-[0-9a-f]* from step $end "
try run $work/e.yaml train.epochs=3 --runs $work/epochs --quiet
try run $work/e.yaml train.epochs=3 --runs $work/epochs-long --quiet
same "with the bytes of three epochs" $work/epochs $work/epochs-long
try show "$(cd $work/epochs/stages && dirname "$(grep -l "train.epochs=3" train-*/stage.json)")" --runs $work/epochs
says "of which it ran one" 0 "^  from +train-[0-9a-f]*, step $end$"
holds "where the second ended no loss was due" [ $((end % 7)) != 0 ]

# Where the length changes the learning rates, a longer training starts anew. A killed training still
# resumes to the same bytes.
for schedule in cosine linear; do
    grid $schedule last "steps: 60, validate_every: 20, rate: 0.01, weight_decay: 0.1, schedule: $schedule"
    try run $work/$schedule.yaml --runs $work/$schedule --quiet
    try plan $work/$schedule.yaml train.steps=90 --runs $work/$schedule
    says "$schedule: a longer training starts anew" 0 \
        "starts at step 0: train.schedule: $schedule has other learning rates in a longer training"
    SANLAB_CRASH_AT=step:33 try run $work/$schedule.yaml --runs $work/$schedule-killed --quiet
    try run $work/$schedule.yaml --runs $work/$schedule-killed --retry failed --quiet
    same "$schedule: a killed training has the same bytes" $work/$schedule-killed $work/$schedule
done

# Best checkpoints that only the final validation displaced are kept.
grid b best 'steps: 100, validate_every: 40, keep_best: 2, keep_average: 1'
try run $work/b.yaml --runs $work/best --quiet
try plan $work/b.yaml train.steps=110 --runs $work/best
says "the second best at step 80 is kept" 0 "continues .* from step 80 "
try run $work/b.yaml train.steps=110 --runs $work/best --quiet
try run $work/b.yaml train.steps=110 --runs $work/best-long --quiet
same "for a longer one" $work/best $work/best-long
try plan $work/b.yaml train.steps=200 train.keep_best=3 --runs $work/best
says "not from one that kept too few" 0 "starts at step 0: train-[0-9a-f]* kept fewer checkpoints \(train.keep_best, train.keep_average\)"
try plan $work/b.yaml train.steps=200 train.keep_best=1 --runs $work/best
says "but from one that kept more" 0 "continues train-[0-9a-f]* from step 80 "

cp -r $work/best $work/fewer
rm -r "$(of $work/fewer 100)/ckpt/step-00000040"
try plan $work/b.yaml train.steps=105 --runs $work/fewer
says "nor from one that has lost its second best" 0 "starts at step 0: train-[0-9a-f]* no longer has its checkpoint of step 40"

# The newest checkpoints that the longer training keeps are needed, and no others. The oldest of them is
# not needed if the next validation removes it.
grid w last 'steps: 60, validate_every: 20, keep_best: 1, keep_average: 4'
try run $work/w.yaml --runs $work/newest --quiet
rm -r "$(of $work/newest 60)/ckpt/step-00000020"
expect "nor from one that has lost one of its newest" 0 "starts at step 0: train-[0-9a-f]* no longer has its checkpoint of step 20" \
    plan $work/w.yaml train.steps=100 --runs $work/newest
rm -r "$(of $work/newest 60)/ckpt/step-00000040"
expect "unless the longer one keeps fewer" 0 "continues train-[0-9a-f]* from step 60 " \
    plan $work/w.yaml train.steps=100 train.keep_average=2 --runs $work/newest

# Checkpoints that the longer training would not keep are copied only if they are whole and a validation saved
# them. Not copied: 40 and 60, best ones of the shorter training only, and 90, saved for resuming.
grid k best 'steps: 100, validate_every: 20, save_every: 30, keep_best: 4, keep_average: 1, keep_last: 3'
try run $work/k.yaml --runs $work/kinds --quiet
SANLAB_CRASH_AT=continued:1 ./sanlab run $work/k.yaml train.steps=170 train.keep_best=1 --runs $work/kinds > /dev/null 2>&1
steps='step-00000080 step-00000090 step-00000100'
output=$(cd "$(of $work/kinds 100)/ckpt" && echo step-*; echo */adam-m.safetensors)
[ "$output" = "step-00000040 step-00000060 $steps
$(printf "%s/adam-m.safetensors\n" $steps | paste -s -d " ")" ]
ok "a shorter one with checkpoints of every kind" $?
output=$(cd "$(of $work/kinds 170)/ckpt" && echo step-*)
holds "of other checkpoints what a validation made and is whole is taken over" [ "$output" = "step-00000080 step-00000100" ]

# Patience ended both trainings.
grid p best 'steps: 200, validate_every: 5, patience: 1, rate: 30, log_every: 3'
try run $work/p.yaml --runs $work/patience --quiet
holds "a training that stopped early" grep -q '"event":"stopped_early"' $work/patience/stages/train-*/events.jsonl
try plan $work/p.yaml train.steps=300 --runs $work/patience
says "a longer one would have, too" 0 "continues train-[0-9a-f]* from step [0-9]* "
SANLAB_CRASH_AT=before-done:1 ./sanlab run $work/p.yaml train.steps=300 --runs $work/patience > /dev/null 2>&1
try run $work/p.yaml train.steps=300 --runs $work/patience --retry failed
says "and has, killed in between" 0 "3 of 3 stages done"
output=$(grep -h '"step":[0-9]*,"name":"target_tokens' "$(of $work/patience 300)"/events.jsonl)
holds "without a step of its own" [ -z "$output" ]
try run $work/p.yaml train.steps=300 --runs $work/patience-long --quiet
same "the same as if it had run" $work/patience $work/patience-long

# Shorter trainings of another kind, or without the files to continue from.
cp -r $work/before $work/other
short=$(of $work/other 100)
try plan $work/g.yaml train.steps=170 corpus.merges=21 --runs $work/other
says "another corpus" 0 "train-[0-9a-f]* +A/1 +new "
expect "a shorter one is new" 0 "train-[0-9a-f]* +A/1 +new " plan $work/g.yaml train.steps=90 --runs $work/other
sed -i 's/"numerics": "[^"]*"/"numerics": "of another machine"/' "$short"/ckpt/*/state.json
try plan $work/g.yaml train.steps=170 --runs $work/other
says "other numerics" 0 "starts at step 0: ${short##*/} was computed by other numerics \(of another machine\)"
try run $work/g.yaml train.steps=170 --runs $work/other --quiet
same "begins again" $work/other $work/long
rm -r $work/other
cp -r $work/before $work/other
printf x >> "$short/ckpt/step-00000080/adam-m.safetensors"
try run $work/g.yaml train.steps=170 --runs $work/other
says "a damaged optimizer is found when it is taken" 0 "3 of 3 stages done"
same "and begins again" $work/other $work/long
holds "as its events say" grep -q 'not_continued.*adam-m.safetensors has a wrong size' "$(of $work/other 170)/events.jsonl"

cp -r $work/before $work/kept
try gc --dry-run --runs $work/kept --keep-optimizers 2
lacks "gc keeps optimizers for some days when it is asked to" '^optimizer'
sed -i 's/"time":[0-9.]*/"time":1700000000/' $work/kept/stages/train-*/events.jsonl
./sanlab collect --rebuild --quiet --runs $work/kept
expect "not for longer" 0 '^optimizer +stages/train-' gc --dry-run --runs $work/kept --keep-optimizers 2
try run $work/g.yaml train.steps=40,80,90 --runs $work/kept --quiet
try gc --yes --runs $work/kept
try plan $work/g.yaml train.steps=170 --runs $work/kept
says "without it a longer training starts anew, and the nearest is named" 0 "starts at step 0: ${short##*/} has no optimizer \\(gc removes it, archives leave it out\\)"
expect "days are days" 65 '^sanlab: .*--keep-optimizers' gc --keep-optimizers -1 --runs $work/kept

# Trainings of the task logic, by pairs. Their second best checkpoint is read, also after gc.
cat > $work/l.yaml << 'END'
grid: l
task: logic
logic: {pairs: 2000, hidden: [8, 8]}
model: {width: 16, heads: 2, feedforward: 16, dropout: 0.1}
encoder.layers: 1
train: {steps: 30, batch_pairs: 16, validate_every: 12, log_every: 5}
rows: [{name: A}]
END
try run $work/l.yaml --runs $work/logic --quiet
try plan $work/l.yaml train.steps=50 --runs $work/logic
says "classifiers of pairs go on, too" 0 "continues relate-[0-9a-f]* from step 24 "
try run $work/l.yaml train.steps=50 --runs $work/logic --quiet
try run $work/l.yaml train.steps=50 --runs $work/logic-long --quiet
same "with the same bytes" $work/logic $work/logic-long
try gc --yes --runs $work/logic-long
try run $work/l.yaml train.steps=50 logic.checkpoint=last --runs $work/logic-long
says "after gc a classifier is tested at another checkpoint" 0 "3 of 3 stages done"
expect "and all of its checkpoints are still there" 0 ": 0 problems" verify --runs $work/logic-long
grep -q model.safetensors $work/expected && results $work/logic-long "$(cd $work/logic-long/stages && echo relate-*)" |
    grep -q model.safetensors
ok "with their models" $?

# A shorter training of other code is reported; it is not continued if the user requires this.
cp -r $work/before $work/stale
sed -i 's/"code": "[^"]*"/"code": "0123456789abcdef"/' $work/stale/stages/train-*/done.json
try plan $work/g.yaml train.steps=170 --runs $work/stale
says "older code" 0 "continues ${short##*/} from step 80, older code"
try plan $work/g.yaml train.steps=170 --runs $work/stale --stale rerun
says "is not gone on from with --stale rerun" 0 "starts at step 0: ${short##*/} was computed by older code"

# In one grid the longer training waits for the shorter one.
try plan $work/g.yaml train.steps=170,100,130 --runs $work/sweep
says "a longer one of the same grid waits for the next shorter one" 0 "waits for train-[0-9a-f]* "
try run $work/g.yaml train.steps=170,100,130 --runs $work/sweep -j 2
says "which is done first" 0 "7 of 7 stages done"
says "and goes on from it" 0 "start .*continues train-[0-9a-f]* from step 120"
same "with the same bytes" $work/sweep $work/long

finish
