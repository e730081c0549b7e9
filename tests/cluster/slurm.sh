#!/bin/sh
# make test-cluster: a grid of twelve stages on a real Slurm with four slots. One task is killed, one
# reaches its time limit, and the numbers equal those of `run -j 2`. Then runners of the cluster and of
# this machine share a folder.
. "$(dirname "$0")/../support/cli.sh"
. tests/cluster/slurm_start.sh
if ! slurm_get; then
    echo "1..0 # SKIP $slurm_lacks"
    exit
fi
task cluster_test 200
trap slurm_end EXIT
trap 'exit 1' INT TERM
export SANLAB_LEASE=20

slurm_start
status=$?
output=$(tail -n 5 "$slurm"/*log 2>&1)
ok "slurmctld and slurmd of $(sbatch --version)" $status
[ $status = 0 ] || { finish; exit; }

# grid NAME STEPS SEED [OTHERS]: writes a grid of two corpora and five trainings with a score each. One
# training has STEPS steps, three have OTHERS.
grid() {
    cat > $work/"$1".yaml << END
grid: $1
corpus: {source: a, target: b, train: train, dev: dev, test: dev, merges: 20}
model: {preset: tiny, dropout: 0.1}
encoder.layers: 2
train: {steps: ${4:-200}, batch_tokens: 128, warmup: 20, validate_every: 100, log_every: 20}
evaluate.bleu: {beam: 2}
seeds: [$3]
rows:
  - {name: Long, train.steps: $2}
  - {name: Two, train.warmup: 10}
  - {name: Killed, train.rate: 0.9, train.steps: $(($2 / 4))}
  - {name: Four, corpus.merges: 30}
  - {name: Five, corpus.merges: 30, train.warmup: 10}
END
}
# The long training takes 45 seconds alone with the one thread of a task, on a machine of any speed.
# It must be long, because Slurm checks limits twice a minute. Measured in processor time, which
# does not depend on other load.
grid speed 1000 1
times > $work/before
SLURM_CPUS_ON_NODE=1 try run $work/speed.yaml --runs $work/speed --only 'name = Long' -j 1 --quiet
times > $work/after
took=$(awk 'FNR == 2 { gsub(/[ms]/, " "); took = 1000 * (60 * $1 + $2 + 60 * $3 + $4) - took }
    END { print int(took) + 1 }' $work/before $work/after) # milliseconds
steps=$(((1000 * 45000 / took / 400 + 1) * 400))
grid g $steps 1
expect "undisturbed, on this machine" 0 "12 of 12 stages done" run $work/g.yaml --runs $work/whole -j 2

# stage ROW: prints the folder of its training.
stage() {
    readlink -f "$work/runs/names/g/$1/1/train"
}
# runs_on ROW: true if a task computes its training; $node is its number, $worker its process.
runs_on() {
    node=$(cut -d ' ' -f 1 "$(stage "$1")/lock" 2> /dev/null)
    worker=$(cut -d ' ' -f 2 "$(stage "$1")/lock" 2> /dev/null)
    node=${node#node}
    [ -n "$node" ] && grep -qs '"step":100' "$(stage "$1")/events.jsonl"
}
restarted() {
    scontrol show job "$1" 2> /dev/null | grep -q 'Restarts=[1-9]'
}
queue_is_empty() {
    [ -z "$(squeue -h)" ]
}
# at_work GRID: true if one of its tasks has begun a training.
at_work() {
    cat $work/runs/slurm/"$1"-*.log 2> /dev/null | grep -q 'start  train'
}
# patiently SECONDS COMMAND..: waits until the command succeeds. Four tasks on fewer cores get more time.
cores=$(nproc)
patiently() {
    until=$(($(date +%s) + $(patience $1) * (cores < 4 ? 4 / cores : 1)))
    shift
    while ! "$@"; do
        [ "$(date +%s)" -lt $until ] || return 1
        sleep 0.2
    done
}

try run $work/g.yaml --runs $work/runs --slurm --partition=nope
says "Slurm refuses, in its words" 65 "sbatch refused .*: sbatch: error: invalid partition specified: nope"
try run $work/g.yaml --runs $work/runs --slurm=print
says "as many tasks as make the grid end sooner: the long training takes as long as all others" 0 '^sbatch .* --array=0-1 '
try run $work/g.yaml --runs $work/runs --slurm '--comment="of a test" -p p --array=0-3'
says "submitted" 0 "^Submitted batch job [0-9]+"
job=$(printf '%s\n' "$output" | sed -n 's/^Submitted batch job //p')
output=$(squeue -r)
holds "as four tasks" [ "$(squeue -h -r -j "$job" | wc -l)" = 4 ]

patiently 40 runs_on Killed
killed=$node
runner=$(ps -o ppid= -p "$worker")
whole="$worker $runner $(ps -o ppid= -p $runner)" # the task, including its script
patiently 40 runs_on Long
limited=$node
output="Killed on node$killed, Long on node$limited"
[ -n "$killed" ] && [ -n "$limited" ] && [ "$killed" != "$limited" ]
ok "tasks divide the stages" $?
try watch $work/g.yaml --runs $work/runs
says "watch shows one" 75 "^train Long/1 .*steps, .*on node$limited \([0-9]+\)"
says "and another" 75 "^train Killed/1 .*on node$killed \([0-9]+\)"
kill -KILL $whole
scontrol update jobid="${job}_$limited" TimeLimit=1
patiently 50 restarted "${job}_$limited"
output=$(scontrol show job "${job}_$limited" 2>&1; tail -n 5 $work/runs/slurm/g-"${job}_$limited".log)
[ "$(grep -c 'stopping: workers save and stop' $work/runs/slurm/g-"${job}_$limited".log)" = 1 ]
ok "at its limit a task is warned, saves, and comes back" $?
scontrol update jobid="${job}_$limited" TimeLimit=30
patiently 150 queue_is_empty
output="$(squeue -r; ./sanlab watch $work/g.yaml --runs $work/runs; tail -n 4 $work/runs/slurm/*.log)"
holds "tasks that find nothing left end" queue_is_empty
expect "all is done" 0 "^0 to do, 0 running, 12 done, 0 failed$" watch $work/g.yaml --runs $work/runs
output=$(cat $work/runs/slurm/g-"${job}"_*.log | grep -E 'Long|Killed|stages done')
matches "the long one went on from its checkpoint" 'start  train-.* Long/1 (from step [1-9]'
[ "$(printf '%s\n' "$output" | grep -c 'start  train-.* Killed/1')" = 2 ]
ok "the one of the task that was killed was taken over" $?
for runs in runs whole; do
    (cd $work/$runs/stages && sha256sum */metrics.jsonl */ckpt/*/model.safetensors score-*/hyp* 2> /dev/null
        sed 's/"commit".*//' */done.json) > $work/numbers.$runs
done
output=$(diff $work/numbers.whole $work/numbers.runs)
[ "$(wc -l < $work/numbers.whole)" -gt 30 ] && [ -z "$output" ]
ok "the numbers are those of run -j 2" $?

# Both kinds of runners at once, on one folder.
grid both $((steps / 4)) 2 $((steps / 5))
ls $work/runs/stages > $work/before
expect "once more" 0 "^Submitted batch job" run $work/both.yaml --runs $work/runs --slurm
patiently 20 at_work both
expect "beside a runner of this machine" 0 "12 of 12 stages done" run $work/both.yaml --runs $work/runs -j 1
holds "tasks end" patiently 30 queue_is_empty
theirs=$(cat $work/runs/slurm/both-*.log | grep -c 'done   ')
ours=$(printf '%s\n' "$output" | grep -c 'done   ')
# A runner also prints "done" if another runner was quicker. The runner that computed a stage writes its
# events.
output="of ten new stages $theirs by the cluster, $ours by this machine
$(for stage in $(ls $work/runs/stages | comm -13 $work/before -); do
    sed -n 's/.*"event":"\(started\|done\)".*/\1/p' "$work/runs/stages/$stage/events.jsonl" | paste -s -d ' '
done | sort | uniq -c)"
[ "$(printf '%s\n' "$output" | sed '1d; s/^ *//')" = "10 started done" ] && [ "$ours" -gt 0 ] && [ "$theirs" -gt 0 ]
ok "each stage was done once" $?
printf '%s\n' "$output" | sed 's/^/# /'

# A canceled task is not requeued.
grid last 100000 3
try run $work/last.yaml --runs $work/runs --slurm '--array=0-1 --time=5'
job=$(printf '%s\n' "$output" | sed -n 's/^Submitted batch job //p')
output=$(squeue -h -r -j "$job" -o %l | tr '\n' ' ')
holds "of two options the user's own counts" [ "$output" = "5:00 5:00 " ]
cancelled() {
    scancel "$job"
    queue_is_empty
}
patiently 20 at_work last
patiently 30 cancelled
sleep 8
output=$(squeue -r; tail -n 3 $work/runs/slurm/last-*.log)
queue_is_empty && printf '%s\n' "$output" | grep -q 'the same command continues'
ok "an array that was cancelled saves and does not come back" $?
finish
