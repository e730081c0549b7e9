#!/bin/sh
# Leases of hosts that share a folder: takeover of expired leases. A frozen former owner writes nothing
# after the takeover.
. "$(dirname "$0")/../support/cli.sh"
task lease_cli 200
thaw_at_end

small $work/g.yaml '{preset: tiny, dropout: 0.1}' << 'END'
encoder.layers: 2
train: {epochs: 12, batch_tokens: 128, warmup: 20, save_every: 5, keep_average: 1, keep_last: 2}
rows:
  - name: Transformer
END

# at HOST ARGUMENTS...: runs sanlab as on that host.
at() {
    export SANLAB_HOST="$1"
    shift
    try "$@"
}

# freeze HOST: starts a runner as on that host in the background (process $runner). Its training (process
# $worker, in $stage) has stopped between two checkpoints.
freeze() {
    rm -rf $work/runs
    SANLAB_HOST=$1 SANLAB_FREEZE_AT=step:13 ./sanlab run $work/g.yaml --runs $work/runs \
        > $work/log."$1" 2>&1 &
    runner=$!
    wait_for frozen $runner 1
    stage=$(echo $work/runs/stages/train-*)
    worker=$(cut -d ' ' -f 2 $stage/lock)
}

# run_out: ages the lease, as if its owner had not renewed it within its duration.
run_out() {
    touch -d '1 hour ago' $stage/lock
}

# Digests of all files except the log, to which the old owner writes why it exits.
state() {
    (cd $stage && find . -type f ! -name log.txt | sort | xargs sha256sum)
}

export SANLAB_LEASE=600
freeze a
at a plan $work/g.yaml --runs $work/runs
says "a frozen worker of this host is alive" 0 "running \(process $worker on a"
at b plan $work/g.yaml --runs $work/runs
says "another host believes its lease" 0 "running \(process $worker on a"
SANLAB_HOST=b ./sanlab run $work/g.yaml --runs $work/runs > $work/log.b 2>&1 &
second=$!
wait_for grep -q wait $work/log.b
touch -d '200 seconds ago' $stage/lock
wait_for grep -q silent $work/log.b
run_out
wait $second
code=$?
output=$(cat $work/log.b)
says "hears of a machine that is silent" 0 \
    "wait   train-.* \(running \(process $worker on a, silent for 3:00; its lease ends in 7:00\)"
says "waits until it has run out, and does the rest" 0 "wait   train-.* \(running \(process $worker on a"
says "from the checkpoint that was left" 0 "start  train-.* \(from step 10"
says "to the end" 0 "2 of 2 stages done"
state > $work/before
kill -CONT "$worker"
wait $runner
code=$?
output=$(cat $work/log.a)
says "the old owner finds out" 0 "LOST   train-.*: its lease expired"
output=$(tail -n 1 $stage/log.txt)
matches "says so in the log" "the lease expired"
state > $work/after
holds "and has written nothing" diff $work/before $work/after

# The old owner wakes while the new owner still works: it writes nothing, and the numbers are those of
# one owner.
freeze a
SANLAB_HOST=b SANLAB_FREEZE_AT=step:4 ./sanlab run $work/g.yaml --runs $work/runs \
    > $work/log.b 2>&1 &
second=$!
wait_for grep -q wait $work/log.b
run_out
wait_for frozen $second 1
kill -CONT $(pgrep -P $second)
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

# kill -9 of all processes: runners on the same host take over at once, other hosts after the lease
# expires.
freeze a
kill -KILL $runner "$worker" # the runner first, which would see that its worker has ended
wait $runner 2> /dev/null
at a ls --runs $work/runs
says "killed: ls tells the truth on its host" 0 "train.*stopped"
at b plan $work/g.yaml --runs $work/runs
says "another one cannot know yet" 0 "running"
at a run $work/g.yaml --runs $work/runs
says "and its host continues at once" 0 "start  train-.* \(from step"
finish
