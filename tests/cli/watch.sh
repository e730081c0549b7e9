#!/bin/sh
# sanlab watch: the progress of all runners of a grid, from leases and journals, on any machine.
. "$(dirname "$0")/../support/cli.sh"
task watch_cli 200
thaw_at_end

small $work/g.yaml '{preset: tiny, dropout: 0.1}' << 'END'
encoder.layers: 2
train: {epochs: 3, batch_tokens: 128, warmup: 20, validate_every: 5, save_every: 5, log_every: 4}
rows:
  - name: One
  - {name: "T\ewo", train.warmup: 10}
  - {name: Three, train.warmup: 30}
END

expect "a grid that is not there" 65 "absent.yaml: no such grid" watch absent.yaml
mkdir $work/runs
expect "nothing runs yet" 75 "^4 to do, 0 running, 0 done, 0 failed$" watch $work/g.yaml --runs $work/runs
holds "and nothing is written" rmdir $work/runs

# A runner on another machine, with two trainings frozen at their 13th step.
SANLAB_HOST=far freeze step:13 2 run $work/g.yaml --runs $work/runs -j 2
workers=$(pgrep -P $runner)
stage=$(dirname "$(grep -l '"warmup":20\|warmup: 20' $work/runs/stages/train-*/options.yaml | head -n 1)")
try watch $work/g.yaml --runs $work/runs
says "a line for each that runs" 75 "^train One/1 .* 40% 12/30 steps, loss [0-9.]+, dev_loss [0-9.]+, on far \([0-9]+\)"
says "its name masked" 75 "^train T.wo/1 .* 40% 12/30 steps"
says "all together" 75 "^1 to do, 2 running, 1 done, 0 failed; about [0-9:]+( s)? left$"
process=$(cut -d ' ' -f 2 "$stage/lock")
matches "whose process is that of its lease" "^train One/1 .*(${process})"
loss=$(sed -n 's/.*"loss","step":12,"value":\([0-9]*\.[0-9]\{3\}\).*/\1/p' "$stage/metrics.jsonl")
matches "whose loss is that of its journal" "^train One/1 .*loss $(printf %.2s "$loss")"
loss=$(awk -F '"value":' '/"dev_loss"/ { loss = $2 } END { printf "%.3f", loss }' "$stage/metrics.jsonl")
matches "as is the one of dev" "^train One/1 .*, dev_loss $loss, "
# A page that is written while stages run. It ends with Ctrl-C, as a complete page without a refresh tag.
page=$work/live.html
page_is() { grep -qs 'http-equiv="refresh" content="30"' $page && grep -qF "$1" $page; }
./sanlab report $work/g.yaml --runs $work/runs --out $page --watch > $work/paged 2>&1 &
report=$!
wait_for page_is "1 to do, 2 running, 1 done, 0 failed; about "
holds "report --watch: the states of all stages, and the time left" page_is "1 to do, 2 running, 1 done, 0 failed; about "
holds "the stages that run" page_is '<th scope="row" class="short">train One/1</th><td class="text">12 of 30 steps, loss '
holds "their curves" page_is "<p>Trainings that run</p>"
first=$(stat -c %i $page)
rewritten() { [ "$(stat -c %i $page)" != $first ]; }
if [ -n "${WAYS:-}" ]; then # takes 30 seconds: make test-long
    sleep 10
    wait_for rewritten
    holds "written again" page_is "2 running"
fi
kill -INT $report
wait $report
code=$? output=$(cat $work/paged)
says "Ctrl-C ends it" 0 "^$page$"
holds "with a page that has no refresh tag" [ "$(grep -c -e 'http-equiv="refresh"' -e 'Trainings that run' $page)" = 0 ]

touch -d '5 minutes ago' "$stage/lock"
try watch $work/g.yaml --runs $work/runs
says "a machine that is silent" 75 "^train One/1 .* on far \([0-9]+\), silent for 5:[0-5][0-9]"
try plan $work/g.yaml --runs $work/runs
says "in a plan, too" 0 "running \(process $process on far, silent for 5:00; its lease ends in 5:00\)"
touch -d '1 hour ago' "$stage/lock"
expect "for longer than its lease" 75 "^2 to do, 1 running, 1 done" watch $work/g.yaml --runs $work/runs

./sanlab report $work/g.yaml --runs $work/runs --out $page --watch > $work/paged 2>&1 &
report=$!
wait_for page_is "1 running"

# On a terminal: redrawn until no stage is left, with a line for each stage that ends.
script -qec "stty cols 120 rows 20; TERM=xterm ./sanlab watch $work/g.yaml --runs $work/runs" /dev/null \
    < /dev/null > $work/screen 2>&1 &
watch=$!
wait_for grep -qs '12/30' $work/screen
while kill -0 $runner 2> /dev/null; do # also waits for the third training
    workers=$(pgrep -P $runner) && kill -CONT $workers 2> /dev/null
    sleep 0.1
done
wait $watch
code=$?
output=$(tr -d '\033\r' < $work/screen)
says "to the end" 0 "[0-9:]+  done   train-[0-9a-f]+ train Three/1"
says "and the last line" 0 "^.*0 to do, 0 running, 4 done, 0 failed"
wait $report
code=$? output=$(cat $work/paged)
says "report --watch ends when no stage runs" 0 "^$page$"
holds "with a complete page" [ "$(grep -c 'http-equiv="refresh"' $page)" = 0 ]
output=$(tr -d '\033\r' < $work/screen)
matches "redrawn in place" '\[[0-9]*A\[J'
expect "all is done" 0 "^0 to do, 0 running, 4 done, 0 failed$" watch $work/g.yaml --runs $work/runs

# A stage that only another machine can compute is running, not missing.
sed 's/^grid: g/grid: half/; s/rows:/train.precision: bf16\nrows:/; /Three/d; /wo/d' $work/g.yaml > $work/half.yaml
seen="a training in bf16, seen from a machine without a GPU"
if [ -e sanlab-emu.so ]; then
    SANLAB_HOST=far freeze step:1 1 run $work/half.yaml --runs $work/half --device emu
    workers=$(pgrep -P $runner)
    try watch $work/half.yaml --runs $work/half
    says "$seen" 75 "^train One/1 on far \([0-9]+\)"
    kill -KILL $runner $workers
else
    skipped "$seen" "there is no sanlab-emu.so (make dev)"
fi

# Failed stages are listed, with their reasons.
awk 'BEGIN { for (i = 0; i < 20; i++) printf "s1 "; print "s2" }' >> $work/data/train.a
awk 'BEGIN { for (i = 0; i < 20; i++) printf "t1 "; print "t2" }' >> $work/data/train.b
cat > $work/bad.yaml << 'END'
base: g.yaml
grid: bad
train.batch_tokens: 16
rows: [{name: Bad}]
END
./sanlab run $work/bad.yaml --runs $work/bad > $work/log 2>&1
try watch $work/bad.yaml --runs $work/bad
says "failed" 1 "FAILED  train-.* train Bad/1 \(failed once: .*cannot hold the longest"
says "and counted" 1 "^0 to do, 0 running, 1 done, 1 failed$"
finish
