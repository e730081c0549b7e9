#!/bin/sh
# Crashes: a training is killed as by kill -9, at named points (also during a checkpoint) and at random
# moments, and started again. The bytes equal those of an undisturbed run, also with another number of
# threads.
. "$(dirname "$0")/../support/cli.sh"
task crash_cli 400

small $work/g.yaml '{preset: tiny, dropout: 0.1, attention_dropout: 0.1}' << 'EOF'
encoder.stack: [{onlstm: 1}, {san: 1}]
encoder.shortcut: true
encoder.attention: [{layers: 2, branches: [global, {window: 1}], fusion: gate}]
train: {epochs: 4, batch_tokens: 256, warmup: 20, save_every: 3, validate_sentences: 10}
rows:
  - name: Hybrid
evaluate: {bleu: {split: dev, beam: 2, checkpoint: average(2)}}
EOF

results() {
    (cd "$1/stages" && for stage in *; do
        sha256sum "$stage/metrics.jsonl" "$stage"/hypotheses.txt "$stage"/ckpt/*/model.safetensors
    done) 2> /dev/null
}

# same RUNS WHAT: finishes RUNS and compares it with the undisturbed run.
same() {
    ./sanlab run $work/g.yaml --runs $1 --retry failed --quiet > $work/log 2>&1
    output=$(cat $work/log)
    holds "$2: no half checkpoint is left" [ -z "$(ls $1/stages/*/ckpt/*tmp* 2> /dev/null)" ]
    results $1 > $work/got
    output=$(cat $work/log; diff $work/expected $work/got | head -20)
    holds "$2: the same bytes in the end" cmp -s $work/expected $work/got
}

./sanlab run $work/g.yaml --runs $work/whole --quiet
results $work/whole > $work/expected
output=$(cat $work/expected)
holds "an undisturbed run leaves metric rows, models and hypotheses" [ "$(wc -l < $work/expected)" -ge 6 ]

for point in step:2 step:7 checkpoint-model:1 checkpoint-optimizer:2 checkpoint-manifest:3 \
    checkpoint-renamed:2 checkpoint-thinned:4 before-rename:9 before-rename:14; do
    runs=$work/$(echo $point | tr : -)
    SANLAB_CRASH_AT=$point try run $work/g.yaml --runs $runs --quiet
    holds "killed at $point" [ $code -ne 0 ]
    same $runs "$point"
done

# After a crash between the last checkpoint and the end, older checkpoints are still thinned.
last=$(grep -c '"saved"' $work/whole/stages/train-*/events.jsonl)
SANLAB_CRASH_AT=checkpoint-renamed:$last ./sanlab run $work/g.yaml --runs $work/last --quiet > $work/log 2>&1
same $work/last "killed at the last checkpoint"
for side in whole last; do (cd $work/$side/stages && ls train-*/ckpt/*/*) > $work/$side.files; done
holds "killed at the last checkpoint: the same files" diff $work/whole.files $work/last.files

# Damaged checkpoints: training continues from the newest intact one and prints this. If none is intact,
# it starts over only on request.
damage() { for folder; do : > $folder/model.safetensors; done; }
SANLAB_CRASH_AT=step:14 ./sanlab run $work/g.yaml --runs $work/fallen --quiet > $work/log 2>&1
damage "$(ls -d $work/fallen/stages/train-*/ckpt/step-* | tail -n 1)"
same $work/fallen "the last checkpoint is damaged"
output=$(grep -c '"event":"fell_back",.*"text":"checkpoint [0-9]* is damaged"' $work/fallen/stages/train-*/events.jsonl)
holds "which is an event" [ "$output" = 1 ]
SANLAB_CRASH_AT=step:14 ./sanlab run $work/g.yaml --runs $work/none --quiet > $work/log 2>&1
damage $work/none/stages/train-*/ckpt/step-*
try run $work/g.yaml --runs $work/none --retry failed
says "all of them are: the stage fails" 1 "ckpt: all [0-9]+ checkpoints are damaged \(reasons in log.txt, files in quarantine/\); --retry failed starts anew"
same $work/none "asked once more, from the start"

# Kills the process group of the runner at random moments. A failure prints the seed.
seed=$(date +%s)
for i in 1 2 3; do
    delay=$(awk -v seed=$((seed + i)) 'BEGIN { srand(seed); printf "%.2f", 0.05 + rand() * 0.9 }')
    setsid ./sanlab run $work/g.yaml --runs $work/random --quiet > $work/log 2>&1 &
    runner=$!
    sleep $delay
    kill -KILL -$runner 2> /dev/null
    wait $runner 2> /dev/null
done
same $work/random "killed three times at random (seed $seed)"

(OMP_NUM_THREADS=1; export OMP_NUM_THREADS; taskset -c 0 ./sanlab run $work/g.yaml --runs $work/one --quiet) > $work/log 2>&1
same $work/one "one core instead of all"
set=$(instruction_sets ./sanlab)
SANLAB_ISA=${set%% *} ./sanlab run $work/g.yaml --runs $work/other --quiet > $work/log 2>&1
same $work/other "the instruction set ${set%% *}"
finish
