#!/bin/sh
# sanlab run --slurm with stubs of sbatch and scontrol: submitted words, refused requests, and requeued
# tasks. make test-cluster uses a real Slurm.
. "$(dirname "$0")/../support/cli.sh"
task slurm_cli 200
mkdir $work/bin $work/none

small $work/g.yaml '{preset: tiny, dropout: 0.1}' << 'END'
encoder.layers: 2
train: {epochs: 3, batch_tokens: 128, warmup: 20, save_every: 10}
seeds: [1, 2]
rows:
  - name: One
  - {name: It's two, train.warmup: 10}
END
# Records its arguments, one per line, and accepts the job unless REFUSE has a reason.
cat > $work/bin/sbatch << END
#!/bin/sh
printf '%s\n' "\$@" > "$PWD/$work/words"
[ -z "\$REFUSE" ] || { printf '%s\n' "\$REFUSE" >&2; exit 3; }
echo "Submitted batch job 42"
END
cat > $work/bin/scontrol << END
#!/bin/sh
echo "\$*" >> "$PWD/$work/requeued"
END
# Executes the script of a job with its words, in the folder of the job, as Slurm does for a task.
cat > $work/bin/task << 'END'
#!/bin/sh
while [ "${1#--}" != "$1" ]; do
    case $1 in --chdir=*) cd "${1#*=}" || exit ;; esac
    shift
done
exec "$@"
END
chmod +x $work/bin/sbatch $work/bin/scontrol $work/bin/task
export PATH="$PWD/$work/bin:$PATH"

# slurm OPTIONS: runs the verb on this grid.
slurm() {
    try run $work/g.yaml --runs $work/runs "$@"
}

PATH=$work/none try run $work/g.yaml --slurm
says "no sbatch" 65 "^sanlab: run: --slurm: there is no sbatch on PATH; expected a machine"
slurm --slurm=gpu
says "no option of sbatch" 65 "run: --slurm gpu: expected options of sbatch, such as '--partition=gpu --mem=8G', or print$"
slurm --slurm=prnt
says "nearly print" 65 'or print; nearest is "print"$'
slurm --slurm '--comment="a b'
says "a quote that is open" 65 'run: --slurm "--comment="a b": expected words as for a shell, with closed quotes'
slurm --slurm '--wrap=true'
says "a script of its own" 65 "run: --slurm: --wrap=true: expected no command"
slurm --slurm --device cuda:1
says "one GPU of several" 65 "run: --device cuda:1 with --slurm: .*expected --device cuda$"
slurm --slurm --log-format bar
says "a bar in a file" 65 "run: --log-format bar with --slurm: .*expected plain or json"
slurm --slurm=print --slurm "--comment=$(printf '"a\001b"')"
says "what cannot be printed" 65 "run: --slurm=print: a folder or word has a character that cannot be printed$"
REFUSE="sbatch: error: invalid partition specified: nope
sbatch: error: Batch job submission failed"
export REFUSE
slurm --slurm --partition=nope
says "sbatch refuses, in its words" 65 "sbatch refused .*status 3\): sbatch: error: invalid partition specified: nope sbatch: error: Batch"
holds "in one line" [ "$(printf '%s\n' "$output" | wc -l)" = 1 ]
REFUSE=
rm -f $work/words
slurm --slurm 'train.epocs=2'
says "a grid that is wrong" 65 "train.epocs"
holds "is not submitted" [ ! -e $work/words ]

# sbatch gets one word for each option, the script of a task, and the command of the runner.
slurm --slurm "--comment=$(printf '"a\nb"')"
grep -qx 'b' $work/words && grep -qx -- '--comment=a' $work/words
ok "a word of two lines stays one word" $?
slurm --slurm
says "submitted" 0 "^Submitted batch job 42$"
says "so many tasks" 0 "^4 tasks of up to 1[0-9]:[0-9][0-9] \(the longest stage is train-"
output=$(cat $work/words)
[ "$(printf '%s\n' "$output" | sed -n '/slurm.job$/,$p')" = "$PWD/scripts/slurm/job
$PWD/sanlab
run
--runs
$work/runs
-j
1
--no-wait
--
$work/g.yaml" ]
ok "sbatch gets a script and its words" $?
slurm --slurm=print
says "the same is printed" 0 "^sbatch .* --array=0-3 "
printf '%s\n' "$output" > $work/printed
mv $work/words $work/submitted
run sh $work/printed
holds "to the last sign" diff $work/words $work/submitted

# options: prints the options of the printed command, except folder and log.
options() {
    printf '%s\n' "$output" | sed "s/^sbatch //; s|[^ ]*/scripts/slurm/job .*||; s/'*--output=[^ ]* //; s/--chdir=[^ ]* //"
}
output=$(cat $work/printed)
output=$(options | sed 's/00:1[0-9]:00/00:TT:00/')
[ "$output" = "--job-name=g --array=0-3 --time=0-00:TT:00 --signal=B:USR1@120 --requeue --open-mode=append " ]
ok "its options" $?
grep -qx -- "--output=$PWD/$work/runs/slurm/g-%A_%a.log" $work/submitted && [ -d $work/runs/slurm ]
ok "a log for each task, whose folder is there" $?
slurm --slurm=print --slurm "-p gpu --mem=8G --comment='a \"b'" --device cuda
output=$(options)
case $output in *"append --gres=gpu:1 -p gpu --mem=8G '--comment=a \"b' ") true ;; *) false ;; esac
ok "a GPU a task, and the user's own options after ours" $?
slurm --slurm=print --slurm --gpus-per-node=a100:1 --device cuda
printf '%s\n' "$output" | grep -q "gpus-per-node=a100:1" && ! printf '%s\n' "$output" | grep -q gres
ok "unless they are about GPUs" $?
slurm --slurm=print -j 3
says "three stages a task" 0 "^sbatch .* --array=0-1 "
says "by runners with as many workers" 0 "sanlab.? run --runs .* -j 3 --no-wait -- "
slurm --slurm=print --only 'name = One'
says "as many tasks as stages that can run side by side" 0 "^sbatch .* --array=0-1 "
slurm train.epochs=4 --slurm=print
says "assignments go along" 0 "slurm_cli/g.yaml train.epochs=4$"

# A folder with special characters, and a word that a shell would split.
odd="$work/it's \$HOME \`x\` \"q\" %A"
mkdir -p "$odd"
cp $work/g.yaml "$odd"
here=$PWD
output=$(cd "$odd" && "$here/sanlab" run g.yaml --only "name = \"It's two\"" --slurm=print 2>&1)
code=$?
says "percent signs are those of the folder" 0 '--output=.*/it.* \$HOME `x` "q" %%A/runs/slurm/g-%A_%a.log'
printf '%s\n' "$output" | sed 's/^sbatch/task/' > "$odd/script"
run sh "$odd/script"
says "all is quoted for a shell: the runner starts" 0 "3 of 3 stages done"
holds "where it belongs" [ -d "$odd/runs/stages" ]
latin=$(printf '%s/caf\351' $work)
mkdir -p "$latin"
cp $work/g.yaml "$latin"
output=$(cd "$latin" && "$here/sanlab" run g.yaml --slurm=print 2>&1)
code=$?
says "a folder that cannot be printed" 65 "^sanlab: run: --slurm=print: a folder or word has a character"
output=$(cd "$latin" && "$here/sanlab" run g.yaml --slurm 2>&1)
code=$?
says "and submitted" 0 "^Submitted batch job 42$"
run sh -c "xargs -d '\n' task < $work/words"
says "as it is" 0 "5 of 5 stages done"

# Runs the script alone, with a runner that does what ACT says.
cat > $work/runner << END
#!/bin/bash
trap 'exit 75' USR1
case \$ACT in
deaf) trap - USR1 ;;
slow) trap 'sleep 1; exit 75' USR1 ;;
[0-9]*) exit \$ACT ;;
esac
: > "$PWD/$work/begun"
for _ in \$(seq 600); do sleep 0.05; done
END
chmod +x $work/runner
SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=3
export SLURM_ARRAY_JOB_ID SLURM_ARRAY_TASK_ID

# task_ends WHAT STATUS ACT REQUEUED SIGNALS..: compares the exit status of the script after these
# signals.
task_ends() {
    what=$1 expected=$2 todo=$3 requeued=$4
    shift 4
    rm -f $work/requeued $work/begun
    ACT=$todo $shell scripts/slurm/job $work/runner 2> $work/log &
    script=$!
    case $todo in [a-z]*) wait_for test -e $work/begun ;; esac
    for signal in "$@"; do
        kill -s "$signal" $script
        sleep 0.3
    done
    wait $script
    code=$?
    output="exit status $code; requeued: $(cat $work/requeued 2>&1); $(cat $work/log)"
    [ $code = "$expected" ] && [ "$(cat $work/requeued 2> /dev/null)" = "$requeued" ]
    ok "$shell: $what" $?
}
for shell in sh bash; do
    command -v $shell > /dev/null || continue
    task_ends "nothing is left to do" 0 0 ""
    task_ends "a failure" 1 1 ""
    task_ends "interrupted by itself, as by --budget" 75 75 "requeue 7_3"
    task_ends "warned: the runner saves, the task comes back" 75 wait "requeue 7_3" USR1
    task_ends "warned, and the end comes while it saves" 75 slow "requeue 7_3" USR1 TERM
    task_ends "warned more often" 75 slow "requeue 7_3" USR1 USR1 USR1
    task_ends "warned before it listens" 138 deaf "requeue 7_3" USR1
    task_ends "ended by somebody" 75 wait "" TERM
done

# A real runner receives the warning during its work; a second task continues the rest.
sed 's/^sbatch/exec task/' $work/printed > $work/script
rm -f $work/requeued
SANLAB_FREEZE_AT=step:13 sh $work/script > $work/log 2>&1 &
script=$!
# is_frozen: true if the worker of its runner has stopped.
is_frozen() {
    runner=$(pgrep -P $script) && frozen "$runner" 1
}
wait_for is_frozen
kill -USR1 $script
wait_for grep -q stopping $work/log
kill -CONT $(pgrep -P "$runner")
wait $script
code=$?
output=$(cat $work/log)
says "saved and stopped" 75 "stop   train-.* \(stopped at step"
equals "and put into the queue again" "requeue 7_3" "$(cat $work/requeued)"
run sh $work/script
says "which does the rest" 0 "5 of 5 stages done"
matches "from there" "start  train-.* (from step"
slurm --slurm
says "nothing is left to submit" 0 "nothing of g is left to do: 5 of 5 stages are done$"
cat >> $work/g.yaml << 'END'
evaluate: {bleu: {split: dev, beam: 1}, command: {name: bad, run: ['false', '{hypotheses}']}}
END
slurm --only 'name = One' --quiet
slurm --only 'name = One' --slurm
says "what has failed is said" 1 "of g is left to do: 5 of 7 stages are done \(.sanlab plan. prints the reasons\)$"
slurm --only 'name = One' --slurm --retry failed
says "and submitted when it is to be repeated" 0 "^2 tasks of up to [0-9:]+ \(the longest stage is command-"
slurm --only 'name = One' --slurm '--array=0-7%2' --retry failed
says "the user's own array is not spoken of as ours" 0 "^2 tasks .*, unless your options set other limits \(the"
sed -i '$d' $work/g.yaml

rm -rf $work/runs/stages/score-* $work/runs/stages/train-*
SLURM_CPUS_ON_NODE=1 try run $work/g.yaml --runs $work/runs --only 'name = One'
says "a runner has as many cores as its task was given" 0 "start  train-.* One/1 \(new; 1 thread\)"

# On a network file system runners do not write the database, because several hosts would write it at
# once. Reading verbs collect.
SANLAB_NETWORK=1 ./sanlab run $work/g.yaml --runs $work/net --only 'name = One' --quiet
output=$(ls $work/net)
[ ! -e $work/net/sanlab.db ] && [ -d $work/net/stages ]
ok "on a network file system a runner makes no database" $?
SANLAB_NETWORK=1 try ls --runs $work/net
says "a question does" 0 "train-.* done"

# --no-wait: other runners compute the remaining stages.
rm -rf $work/runs/stages/train-*
freeze step:13 4 run $work/g.yaml --runs $work/runs -j 4
slurm --no-wait
says "a runner that nobody needs ends" 0 "^[0-9:]+  1 of 5 stages done, 4 running \(the other runners are enough for the rest\)"
kill -CONT $(pgrep -P $runner)
wait $runner

# A task of another machine is killed with its worker. The other task waits for the lease, which nobody
# renews, although the number of tasks seems sufficient for the grid.
rm -rf $work/runs/stages/train-*
SANLAB_LEASE=5 SANLAB_HOST=far freeze step:13 4 run $work/g.yaml --runs $work/runs -j 4
kill -KILL $runner $(pgrep -P $runner) # the runner first: it must not record that its workers were killed
wait $runner 2> /dev/null
SANLAB_LEASE=5 slurm --no-wait
says "a task continues what a killed task held" 0 "^[0-9:]+  5 of 5 stages done$"
finish
