#!/bin/sh
# sanlab run: its options, its output and events, its exit statuses, and signals.
. "$(dirname "$0")/../support/cli.sh"
task run_options_cli 200

# grid NAME: writes a grid with the rows on standard input.
grid() {
    {
        echo "grid: $1"
        echo 'corpus: {source: a, target: b, train: train, dev: dev, merges: 20}'
        echo 'model: {preset: tiny, dropout: 0.1}'
        echo 'encoder.layers: 2'
        echo 'train: {epochs: 2, batch_tokens: 128, warmup: 20}'
        echo 'rows:'
        cat
    } > $work/"$1".yaml
}

try run absent.yaml --retry fialed
says "a word that --retry does not know" 65 "run: --retry fialed: expected one of failed, diverged, kept; nearest is .failed"
try run absent.yaml --retry failed,
says "nor does it know nothing" 65 "run: --retry : expected one of failed, diverged"
try run absent.yaml --budget 90
says "a budget without a unit" 65 "run: --budget 90: expected whole numbers with units, such as 100m or 2h30m"
expect "a budget of nothing" 65 "run: --budget \"0s\": expected more than 0" run absent.yaml --budget 0s
try run absent.yaml --memory 8T
says "memory in other units" 65 "run: --memory 8T: expected whole numbers with units, such as 500M or 8G"
try run absent.yaml --log-format bars
says "a form that there is not" 65 "run: --log-format bars: expected one of auto, bar, plain, json; nearest is .bar"
expect "the exit statuses stand in --help" 0 "75  stopped by a signal or" run --help

# The stage with the longest remaining chain starts first. Names are masked on terminals and unchanged in
# events.
grid order << 'END'
  - name: "Sh\eort"
  - name: Longest
    train: {epochs: 6, rate: 0.9}
  - name: Long
    train: {epochs: 4, rate: 0.8}
END
try run $work/order.yaml --runs $work/order -j 1
output=$(printf '%s\n' "$output" | grep start | tail -n 3 | cut -d ' ' -f 6)
[ "$output" = "Longest/1
Long/1
Sh?ort/1" ]
ok "the longest first" $?
rm -rf $work/order
try run $work/order.yaml --runs $work/order --log-format json
# events COUNT PATTERN: passes if COUNT lines match after the time at their start.
events() {
    [ "$(printf '%s\n' "$output" | grep -Ec "^\{\"time\":1[0-9]{9}\.[0-9]+,\"event\":$2\}\$")" = "$1" ] && return
    output="not $1 events of $2:
$output"
    false
}
seed='"seed":1,"reason":"new","threads":[1-9][0-9]*'
[ "$(printf '%s\n' "$output" | wc -l)" = 9 ] && events 4 '"start",.*' && events 4 '"done",.*' &&
    events 1 "\"start\",\"stage\":\"train-[0-9a-f]{12}\",\"kind\":\"train\",\"row\":\"Longest\",$seed" &&
    events 1 "\"start\",\"stage\":\"train-.*\",\"row\":\"Sh\\\\u001[Bb]ort\",$seed" &&
    events 1 "\"start\",\"stage\":\"train-.*\",\"row\":\"Long\",$seed" &&
    events 3 '"done",.*"kind":"train",.*,"seconds":[0-9.]*[1-9][0-9]*,"dev_loss":[0-9.]+' &&
    printf '%s\n' "$output" | grep '"start","stage":"train' | head -n 1 | grep -q Longest &&
    printf '%s\n' "$output" | tail -n 1 | grep -q '"event":"end",.*"done":4,.*"exit":0}$'
ok "events as JSON" $?
grid one << 'END'
  - {name: One, train.steps: 2}
END
output=$(./sanlab run $work/one.yaml --runs $work/one --log-format bar 2>&1)
matches "a bar" "to do"
rm -rf $work/one
expect "--quiet says nothing when all goes well" 0 "^$" run $work/one.yaml --runs $work/one --quiet

# Failures: a row that cannot hold the longest sentence fails at once.
cp -r $work/data $work/long_data
SANLAB_DATA=$PWD/$work/long_data
awk 'BEGIN { for (i = 0; i < 20; i++) printf "s1 "; print "s2" }' >> $work/long_data/train.a
awk 'BEGIN { for (i = 0; i < 20; i++) printf "t1 "; print "t2" }' >> $work/long_data/train.b
grid bad << 'END'
  - {name: Bad, train.batch_tokens: 16}
  - {name: Worse, train.batch_tokens: 17}
  - {name: Good, train.epochs: 3}
END
expect "failures do not stop the others" 1 "2 of 4 stages done, 2 failed" run $work/bad.yaml --runs $work/bad -j 1
says "with the message" 1 "FAILED .* Bad/1 after .*cannot hold the longest training sentence"
says "and a hint" 1 "--retry failed repeats them"
try run $work/bad.yaml --runs $work/bad --retry failed --fail-fast -j 1 --log-format json
says "--fail-fast stops at the first one" 1 '"event":"stopping","reason":"stopping: 1 stage failed'
holds "so that there is one" [ "$(printf '%s\n' "$output" | grep -c '"event":"failed"')" = 1 ]
try run $work/bad.yaml --runs $work/bad --retry failed --max-failures 2 -j 1
says "--max-failures 2 at the second" 1 "stopping: 2 stages failed"
SANLAB_DATA=$PWD/$work/data
grid die << 'END'
  - {name: Good, train.save_every: 2}
END
SANLAB_CRASH_AT=step:5 try run $work/die.yaml --runs $work/die
says "a death without a message" 1 "FAILED .* ended by signal 9"
echo damaged >> "$(ls $work/die/stages/train-*/ckpt/*/model.safetensors | tail -n 1)"
SANLAB_CRASH_AT=step:1 try run $work/die.yaml --runs $work/die --retry failed
says "comes with the path of the worker's log" 1 "FAILED .*log.txt"
expect "and is repeated when asked for" 0 "^$" run $work/die.yaml --runs $work/die --retry failed --quiet

# Divergence is a result. On request it is repeated from the start, once.
stage=$(echo $work/one/stages/train-*)
sha256sum $stage/metrics.jsonl $stage/ckpt/*/model.safetensors > $work/before
sed -i 's/"done"/"diverged"/' $stage/done.json
try run $work/one.yaml --runs $work/one --retry failed
says "a diverged stage is not repeated as a failed one" 1 "1 of 2 stages done, 1 diverged"
./sanlab run $work/one.yaml --runs $work/one --retry failed --retry diverged > $work/log 2>&1 &
second=$!
try run $work/one.yaml --runs $work/one --retry diverged,failed
says "but when asked for it is" 0 "2 of 2 stages done"
wait $second
output="$output $(cat $work/log)"
[ "$(grep -c '"event":"started"' $stage/events.jsonl)" = 1 ] &&
    [ "$(ls -d $work/one/replaced/train-* | wc -l)" = 1 ]
ok "by one of two runners; what was there is kept" $?
output=$(sha256sum $stage/metrics.jsonl $stage/ckpt/*/model.safetensors | diff $work/before -)
ok "with the same numbers" $?

# Memory: if two stages do not fit, one runs at a time, and a message is printed once.
grid wide << 'END'
  - name: One
  - name: Two
    train.warmup: 10
END
try run $work/wide.yaml --runs $work/wide -j 2 --memory 12M
says "what does not fit waits" 0 "hold   train-.* \([0-9]+ MB planned, [0-9]+ MB available"
holds "which is said once" [ "$(printf '%s\n' "$output" | grep -c 'hold ')" = 1 ]
printf '%s\n' "$output" | awk '/start  train/ && open++ { bad = 1 } /done   train/ { open-- } END { exit bad }'
ok "and there is one at a time" $?

# A time budget, and signals of all kinds: the state is saved, the exit status is 75, the remaining
# stages are listed.
grid long << 'END'
  - {name: One, train.epochs: 2000, train.validate_every: 100000}
  - {name: Two, train.epochs: 2000, train.validate_every: 100000, train.warmup: 10}
  - {name: Three, train.epochs: 2000, train.validate_every: 100000, train.warmup: 30}
END
mkdir $work/long $work/long/stages
cp -r $work/wide/stages/corpus-* $work/long/stages
try run $work/long.yaml --runs $work/long --budget 4s -j 1
says "a budget that is over" 75 "the time of --budget is over: workers save and stop"
says "says what is left" 75 "1 of 4 stages done, 3 to do \(about .* the same command continues\)"
holds "with a checkpoint" [ "$(ls -d $work/long/stages/train-*/ckpt/step-???????? | wc -l)" = 1 ]
# begun: prints how often a training began or resumed.
begun() {
    cat $work/long/stages/train-*/events.jsonl | grep -c '"event":"\(begun\|resumed\)"'
}
# has_begun TIMES: true if a training began or resumed more often.
has_begun() {
    [ "$(begun)" -gt "$1" ]
}
for signal in INT TERM USR1 USR2; do
    before=$(begun)
    ./sanlab run $work/long.yaml --runs $work/long -j 1 > $work/log 2>&1 &
    runner=$!
    wait_for has_begun "$before"
    # A burst of this signal within less than a second.
    for _ in 1 2 3 4 5 6; do kill -$signal $runner; done
    ended
    says "SIG$signal, many at once: saved and stopped" 75 "stop   train-.* \(stopped at step [1-9]"
done
output=$(cat $work/long/stages/train-*/events.jsonl)
printf '%s\n' "$output" | awk '/"interrupted"/ { i++ } /"saved"/ { s++ } END { exit i != 5 || s != 5 }'
ok "one checkpoint each" $?
./sanlab run $work/long.yaml --runs $work/long -j 1 > $work/log 2>&1 &
runner=$!
wait_for has_begun 5
kill -USR1 $runner
wait $runner
grep -q "stopping at once" $work/log && status=1 || status=0
output=$(cat $work/log)
ok "a warning alone never ends workers at once" $status
equals "no lock is left" "" "$(ls -d $work/long/stages/*/lock 2>&1 | grep -v "No such")"

# When many stages end within moments, the runner scans all stages once a second, not after each end.
sed 's/^grid: .*/grid: many/' $work/one.yaml > $work/many.yaml
begun=$(date +%s)
try run $work/many.yaml 'seeds=range(1,21)' --runs $work/many --trace run
says "twenty seeds" 0 "of [0-9]+ stages done"
looks=$(printf '%s\n' "$output" | grep -c 'all stages were looked at')
[ "$looks" -ge 2 ] && [ "$looks" -le $(($(date +%s) - begun + 3)) ]
ok "are not all looked at whenever one ends ($looks times)" $?
finish
