#!/bin/sh
# Hosts that share a folder: leases, what is taken over when they run out, and that an owner who was
# frozen meanwhile writes nothing more.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
task lease_cli 200

cat > $work/g.yaml << 'END'
grid: g
corpus: {source: a, target: b, train: train, dev: dev, merges: 20}
model: {preset: tiny, dropout: 0.1}
encoder.layers: 2
train: {epochs: 12, batch_tokens: 128, warmup: 20, save_every: 5, keep_average: 1, keep_last: 2}
rows:
  - name: Transformer
END

# at HOST ARGUMENTS...: sanlab on that host.
at() {
    SANLAB_HOST=$1
    export SANLAB_HOST
    shift
    try "$@"
}

# wait_for PATTERN: until there is such a file; at most twenty seconds.
wait_for() {
    for _ in $(seq 400); do
        for file in $1; do [ -e "$file" ] && return 0; done
        sleep 0.05
    done
    return 1
}

# Digests of everything but the log, to which the old owner says why it ends.
state() {
    (cd $stage && find . -type f ! -name log.txt | sort | xargs sha256sum)
}

SANLAB_LEASE=3
export SANLAB_LEASE
SANLAB_HOST=a ./sanlab run $work/g.yaml --runs $work/runs > $work/log.a 2>&1 &
runner=$!
wait_for "$work/runs/stages/train-*/ckpt/step-????????"
stage=$(echo $work/runs/stages/train-*)
worker=$(cut -d ' ' -f 2 $stage/lock)
kill -STOP "$worker"
at a plan $work/g.yaml --runs $work/runs
says "a frozen worker of this host is alive" 0 "running \(process $worker on a"
at b plan $work/g.yaml --runs $work/runs
says "another host believes its lease" 0 "running \(process $worker on a"
at b run $work/g.yaml --runs $work/runs
says "waits until it has run out, and does the rest" 0 "wait   train-.* \(running \(process $worker on a"
says "from the checkpoint that was left" 0 "start  train-.* \(resume at step [1-9]"
says "to the end" 0 "2 of 2 stages done"
state > $work/before
kill -CONT "$worker"
wait $runner
code=$?
output=$(cat $work/log.a)
says "the old owner finds out" 0 "LOST   train-.*: its lease ran out"
output=$(tail -n 1 $stage/log.txt)
printf '%s\n' "$output" | grep -q "the lease had run out"
ok "says so in the log" $?
state > $work/after
output=$(diff $work/before $work/after)
ok "and has written nothing" $?

# Frozen while the new owner is still at it: the same, and the numbers are those of one owner.
rm -rf $work/runs
SANLAB_HOST=a ./sanlab run $work/g.yaml --runs $work/runs > $work/log.a 2>&1 &
runner=$!
wait_for "$work/runs/stages/train-*/ckpt/step-????????"
worker=$(cut -d ' ' -f 2 $stage/lock)
kill -STOP "$worker"
SANLAB_HOST=b ./sanlab run $work/g.yaml --runs $work/runs > $work/log.b 2>&1 &
second=$!
for _ in $(seq 200); do
    grep -q "^b " $stage/lock 2> /dev/null && break
    sleep 0.05
done
kill -CONT "$worker"
wait $second
code=$?
output=$(cat $work/log.b)
says "taken over and continued while the old owner wakes" 0 "2 of 2 stages done"
wait $runner
output=$(cat $work/log.a)
says "who leaves it alone" 0 "LOST   train-"
at c run $work/g.yaml --runs $work/whole
for runs in runs whole; do
    (cd $work/$runs/stages && sha256sum */metrics.jsonl */done.json */ckpt/*/model.safetensors
        ls */ckpt) > $work/results.$runs
done
output=$(diff $work/results.whole $work/results.runs)
[ "$(wc -l < $work/results.whole)" -gt 5 ] && [ -z "$output" ]
ok "with the results of an undisturbed run" $?

# kill -9 of everything: who shares the host knows at once, others when the lease has run out.
rm -rf $work/runs
SANLAB_HOST=a setsid ./sanlab run $work/g.yaml --runs $work/runs > $work/log.a 2>&1 &
runner=$!
wait_for "$work/runs/stages/train-*/ckpt/step-????????"
kill -KILL "$(cut -d ' ' -f 2 $stage/lock)" $runner
wait $runner 2> /dev/null
at a ls --runs $work/runs
says "killed: ls tells the truth on its host" 0 "train.*stopped"
at b plan $work/g.yaml --runs $work/runs
says "another one cannot know yet" 0 "running"
at a run $work/g.yaml --runs $work/runs
says "and its host continues at once" 0 "start  train-.* \(resume at step"
finish
