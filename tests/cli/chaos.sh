#!/bin/sh
# Two runners, as if on two hosts, work on one grid of twelve stages. Runners and workers are killed
# as kill -9 does. Every stage is done once, with the numbers of an undisturbed run.
#   KILLS (5), EPOCHS (25): amount of work; SEED: repeats the moments (printed on failure)
. "$(dirname "$0")/../support/cli.sh"
task chaos_cli 200
kills=${KILLS:-5} epochs=${EPOCHS:-25} seed=${SEED:-$(date +%s)}

small $work/g.yaml '{preset: tiny, dropout: 0.1}' << END
encoder.layers: 2
train: {epochs: $epochs, batch_tokens: 128, warmup: 20, save_every: 9}
rows:
  - name: Transformer
  - name: Local
    encoder.attention: [{layers: 1, branches: [{window: 1}]}]
  - name: Two branches
    encoder.attention: [{layers: 1, branches: [global, {window: 1}], fusion: gate}]
  - name: Warm
    train.warmup: 10
  - name: Fewer merges
    corpus.merges: 10
evaluate: {bleu: {split: dev, beam: 2}}
END

# Digests all files that depend on the stages alone. Of the checkpoints, only the validated ones count;
# the others depend on the moments of interruption.
results() {
    (cd "$1/stages" && for stage in *; do
        sha256sum "$stage/metrics.jsonl" "$stage"/hypotheses.txt
        for model in "$stage"/ckpt/*/model.safetensors; do
            step=$(expr "$model" : '.*/step-0*\([1-9][0-9]*\)/')
            grep -q "\"name\":\"dev_loss\",\"step\":$step," "$stage/metrics.jsonl" &&
                sha256sum "$model"
        done
        cat "$stage/done.json"
    done) 2> /dev/null
}

# one HOST: starts a runner in the background; its process is $!.
one() {
    SANLAB_HOST=$1 SANLAB_LEASE=2 ./sanlab run $work/g.yaml --runs $work/runs -j 1 \
        --retry failed >> $work/log."$1" 2>&1 &
}

# The kills, from the seed: "SECONDS RUNNER VICTIM" for each.
awk -v seed="$seed" -v kills="$kills" 'BEGIN {
    srand(seed)
    for (i = 0; i < kills; i++)
        printf "%.2f %s %s\n", 0.1 + 0.4 * rand(), rand() < 0.5 ? "a" : "b",
               rand() < 0.4 ? "runner" : "worker"
}' > $work/kills

expect "an undisturbed run of twelve stages" 0 "12 of 12 stages done" run $work/g.yaml --runs $work/whole
results $work/whole > $work/expected

# victim_of RUNNER: sets $target to one of its workers; false if it has none yet.
victim_of() {
    target=$(pgrep -P "$1" | head -n 1)
    [ -n "$target" ] || ! kill -0 "$1"
}

# none_works: true if no worker of a killed runner is left; such workers save and stop.
none_works() {
    ! pgrep -f "work --stage $work/runs/" > /dev/null
}

killed=0
one a
a=$!
one b
b=$!
while read -r seconds host victim; do
    sleep "$seconds"
    if [ $host = a ]; then target=$a; else target=$b; fi
    [ $victim = runner ] || wait_for victim_of $target
    [ -n "$target" ] && kill -KILL "$target" && killed=$((killed + 1))
    kill -0 $a || { wait $a; one a; a=$!; }
    kill -0 $b || { wait $b; one b; b=$!; }
done < $work/kills 2> /dev/null
wait $a $b
output="seed $seed: $killed of $kills; $(cat $work/kills $work/log.a $work/log.b)"
holds "$kills kills, most of which find somebody" [ $killed -gt $((kills / 2)) ]

wait_for none_works
sleep 2 # until the leases of the dead runners expire
try run $work/g.yaml --runs $work/runs --retry failed
output="seed $seed
$(cat $work/log.a $work/log.b)
$output"
says "the same command once more finds the rest" 0 "12 of 12 stages done"

output=$(for stage in "$work"/runs/stages/*; do
    awk -v stage="$stage" '
        { match($0, /"attempt":[0-9]+/); attempt = substr($0, RSTART + 10, RLENGTH - 10) }
        done { print stage ": after it was done: " $0 }
        /"event":"started"/ ? attempt != last + 1 : attempt < last || attempt > last + 1 {
            print stage ": attempt of " $0
        }
        /"event":"failed"/ && failed[attempt]++ { print stage ": failed twice: " $0 }
        /"event":"done"/ { done = 1 }
        { last = attempt }' "$stage/events.jsonl"
    find "$stage" -name 'lock*' -o -name '*.tmp-*' | sed "s|^|left over: |"
done)
holds "every stage is done once, attempts are counted one by one, no lock is left" [ -z "$output" ]

results $work/runs > $work/got
output="seed $seed
$(diff $work/expected $work/got | head -20)"
[ "$(grep -c safetensors $work/expected)" -gt 10 ] && cmp -s $work/expected $work/got
ok "the same rows, models, hypotheses and results" $?

./sanlab table $work/g.yaml --runs $work/whole > $work/table.whole 2>&1
./sanlab table $work/g.yaml --runs $work/runs > $work/table.runs 2>&1
holds "and the same table" diff $work/table.whole $work/table.runs
finish
