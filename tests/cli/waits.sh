#!/bin/sh
# Scheduling: stages that cannot be taken, priorities, cores that are lent, and reading verbs during a
# run.
. "$(dirname "$0")/../support/cli.sh"
task waits_cli 200

# grid NAME: writes a grid with the rows on standard input.
grid() {
    {
        echo "grid: $1"
        echo 'corpus: {source: a, target: b, train: train, dev: dev, merges: 20}'
        echo 'model: {preset: tiny, dropout: 0.1}'
        echo 'encoder.layers: 2'
        echo 'train: {steps: 4, batch_tokens: 128, warmup: 20, validate_every: 2}'
        echo 'evaluate: {bleu: {split: dev, beam: 2}}'
        echo 'rows:'
        cat
    } > $work/"$1".yaml
}

# started: prints the kinds and rows that the last try started, in this order.
started() {
    printf '%s\n' "$output" | sed -n 's/.* start  \([a-z]*\)-[0-9a-f]* *\([^ ]*\).*/\1 \2/p'
}

# A score precedes the next training, although the remaining chain of the training is longer.
grid order << 'END'
  - {name: A, train.steps: 6}
  - {name: B, train.steps: 4, train.rate: 0.9}
  - {name: C, train.steps: 2, train.rate: 0.8}
END
try run $work/order.yaml --runs $work/order -j 1
output=$(started | tail -n 6)
[ "$output" = "train A/1
score A/1
train B/1
score B/1
train C/1
score C/1" ]
ok "a score is made as soon as its model is there" $?

# Interrupted stages precede new ones: here the shortest, of which only the start exists.
mkdir $work/resume $work/resume/stages
cp -r $work/order/stages/corpus-* $work/resume/stages
short=$(grep -l '"order/C/1"' $work/order/stages/train-*/stage.json)
cp -r "$(dirname "$short")" $work/resume/stages
rm $work/resume/stages/train-*/done.json
try run $work/order.yaml --runs $work/resume -j 1
output=$(started | head -n 3)
[ "$output" = "train C/1
score C/1
train A/1" ]
ok "what was interrupted goes on first" $?

# A lock that can neither be read nor taken: the runner retries a few times with pauses, then continues
# with the grid.
cp -r $work/order $work/link
stage=$(dirname "$(grep -l '"order/B/1"' $work/link/stages/train-*/stage.json)")
rm -r "$stage" "$(dirname "$(grep -l '"order/B/1"' $work/link/stages/score-*/stage.json)")" \
    "$(dirname "$(grep -l '"order/C/1"' $work/link/stages/score-*/stage.json)")"
mkdir "$stage"
ln -s nowhere "$stage/lock"
run timeout "$(patience 60)" ./sanlab run $work/order.yaml --runs $work/link
says "a dangling lock fails its stage in this run" 1 "FAILED train-.* B/1: its lease could not be taken: .*/lock: is not a regular file"
says "of which the grid says so once more at its end" 1 "5 of 7 stages done, 1 failed, 1 blocked"
[ "$(printf '%s\n' "$output" | wc -l)" -le 12 ] && ! [ -e "$stage/log.txt" ]
ok "in a few lines, and no worker is started for it" $?
[ "$(readlink "$stage/lock")" = nowhere ] && ! [ -e "$stage/nowhere" ]
ok "nothing is written through it" $?
rm "$stage/lock"
try run $work/order.yaml --runs $work/link
says "without the link the same command does the rest" 0 "7 of 7 stages done"

# Files of killed owners are removed: at the start of work, before its end, and from finished stages.
cp -r $work/order $work/left
stage=$(dirname "$(grep -l '"order/B/1"' $work/left/stages/train-*/stage.json)")
dead="$(uname -n) 999999999 $(cat /proc/sys/kernel/random/boot_id) 1 $(readlink /proc/self/ns/pid)"
echo "$dead 0123456789abcdef 1 600000" > "$stage/lock"
echo "$dead 0123456789abcde0 1 600000" > "$stage/lock.0123456789abcde0"
echo x > "$stage/done.json.tmp-999999999"
mkdir "$stage/ckpt/step-00000009.tmp-999999999"
expect "a grid that is done" 0 "7 of 7 stages done" run $work/order.yaml --runs $work/left
equals "has nothing of theirs afterwards" "" "$(find $work/left/stages -name 'lock*' -o -name '*.tmp-*')"

# Cores: one row ends long before the other, which then uses all cores.
if [ "$(nproc)" -ge 2 ]; then
    grid cores << 'END'
  - {name: Short, train.steps: 2}
  - {name: Long, train.steps: 1000, train.validate_every: 250, train.log_every: 50}
END
    try run $work/cores.yaml --runs $work/cores -j 2
    stage=$(dirname "$(grep -l '"cores/Long/1"' $work/cores/stages/train-*/stage.json)")
    output="$output
$(grep '"threads"' "$stage/events.jsonl")"
    [ "$(grep -c '"name":"threads"' "$stage/events.jsonl")" -ge 2 ] &&
        grep '"name":"threads"' "$stage/events.jsonl" | tail -n 1 | grep -q "\"value\":$(nproc)[.]0}"
    ok "the last training has all cores, and its events say from where on" $?
    taskset -c 0 ./sanlab run $work/cores.yaml --runs $work/one --quiet > $work/log 2>&1
    ! grep '"name":"threads"' $work/one/stages/*/events.jsonl | grep -qv '"value":1[.]0}'
    ok "(one core: one thread, always)" $?
    for runs in cores one; do
        (cd $work/$runs/stages && sha256sum */metrics.jsonl */hypotheses.txt \
            */ckpt/*/*.safetensors) > $work/digests.$runs
    done
    output=$(diff $work/digests.cores $work/digests.one)
    [ "$(wc -l < $work/digests.one)" -ge 8 ] && [ -z "$output" ]
    ok "and no bit is another" $?
fi

# Waiting threads spin for a bounded count, in verbs and in workers, unless the user chooses. libgomp
# prints the settings that it has read.
spins() {
    printf '%s\n' "$output" | sed -n "s/.*GOMP_SPINCOUNT = '\([0-9]*\)'.*/\1/p"
}
output=$(env -u OMP_WAIT_POLICY OMP_DISPLAY_ENV=verbose ./sanlab --version 2>&1)
if [ -n "$(spins)" ]; then
    holds "a verb's threads spin 300 times" [ "$(spins)" = 300 ]
    output=$(OMP_WAIT_POLICY=passive OMP_DISPLAY_ENV=verbose ./sanlab --version 2>&1)
    holds "(OMP_WAIT_POLICY=passive: not at all)" [ "$(spins)" = 0 ]
    output=$(env -u OMP_WAIT_POLICY GOMP_SPINCOUNT=7 OMP_DISPLAY_ENV=verbose ./sanlab --version 2>&1)
    holds "(GOMP_SPINCOUNT: as it says)" [ "$(spins)" = 7 ]
    grid spins << 'END'
  - {name: One, train.steps: 1}
END
    env -u OMP_WAIT_POLICY OMP_DISPLAY_ENV=verbose \
        ./sanlab run $work/spins.yaml --runs $work/spins --quiet > $work/log 2>&1
    output=$(cat $work/spins/stages/train-*/log.txt)
    holds "so do a worker's" [ "$(spins)" = 300 ]
    env -u OMP_WAIT_POLICY OMP_DISPLAY_ENV=verbose GOMP_SPINCOUNT=8 \
        ./sanlab run $work/spins.yaml --runs $work/chosen --quiet > $work/log 2>&1
    output=$(cat $work/chosen/stages/train-*/log.txt)
    holds "and it gets the user's GOMP_SPINCOUNT" [ "$(spins)" = 8 ]

    # bench uses the settings of workers: all that libgomp shows, except the number of threads.
    settings() {
        sed -n "/OPENMP DISPLAY ENVIRONMENT BEGIN/,/OPENMP DISPLAY ENVIRONMENT END/p" "$1" |
            grep -v OMP_NUM_THREADS | sed '/ENVIRONMENT END/q'
    }
    for chosen in -uNONE OMP_WAIT_POLICY=passive GOMP_SPINCOUNT=7; do
        rm -rf $work/same
        env -u OMP_WAIT_POLICY "$chosen" OMP_DISPLAY_ENV=verbose \
            ./sanlab run $work/spins.yaml --runs $work/same --quiet > $work/log 2>&1
        cat $work/same/stages/train-*/log.txt > $work/log
        settings $work/log > $work/worker
        env -u OMP_WAIT_POLICY "$chosen" OMP_DISPLAY_ENV=verbose \
            ./sanlab bench tiny encoder.layers=1 --batches 1 --rounds 1 --sentences 1 > $work/log 2>&1
        settings $work/log > $work/bench
        output=$(diff $work/worker $work/bench 2>&1)
        [ -z "$output" ] && grep -q GOMP_SPINCOUNT $work/bench
        ok "bench has a worker's settings ($chosen)" $?
    done
    for foreign in OMP_PROC_BIND=spread OMP_DYNAMIC=true GOMP_CPU_AFFINITY=0; do
        run env $foreign ./sanlab bench tiny encoder.layers=1 --batches 1 --rounds 1 --sentences 1
        says "and refuses a setting that workers do not get" 65 "^sanlab: bench: $foreign is not passed to the workers"
    done
else
    ok "a verb's threads spin 300 times # SKIP this runtime of OpenMP has no GOMP_SPINCOUNT" 0
fi
# The count replaces an entry of the environment only while libgomp starts.
run env -i SANLAB_CORES=none ./sanlab ls
says "the environment is as it was given" 65 'SANLAB_CORES: "none": expected'

# verify during a run: a stage at work is no problem, even if it looks damaged.
grid verify << 'END'
  - {name: One, train.steps: 3000, train.log_every: 1, train.validate_every: 50}
END
./sanlab run $work/verify.yaml --runs $work/verify > $work/log 2>&1 &
runner=$!
wait_for there "$work/verify/stages/train-*/ckpt/step-????????"
problems=
for _ in 1 2 3 4 5; do
    try verify --runs $work/verify
    [ $code = 0 ] || problems="$problems
$output"
done
kill -TERM $runner
wait $runner
output=$problems
holds "verify beside a training that writes" [ -z "$problems" ]
stage=$(echo $work/verify/stages/train-*)
model=$(ls "$stage"/ckpt/step-*/model.safetensors | head -n 1)
printf 'x' >> "$model"
echo "elsewhere 1 boot 1 space 0123456789abcdef 1 600000" > "$stage/lock"
try verify --runs $work/verify
says "a stage that another host has at work is not judged" 0 "0 problems \(1 at work, not judged\)"
rm "$stage/lock"
expect "when nobody is at it, it is" 1 "checkpoint of step .* has a wrong size" verify --runs $work/verify
finish
