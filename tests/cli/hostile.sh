#!/bin/sh
# A hostile runs folder: links out of it, pipes and devices instead of files, and foreign databases. No
# verb reads, writes or removes anything outside, waits or crashes, and each problem is reported.
. "$(dirname "$0")/../support/cli.sh"
work=build/tmp/hostile_cli good=build/tmp/hostile_cli/good runs=build/tmp/hostile_cli/runs
canary=$work/outside
task hostile_cli 200
small $work/g.yaml '{preset: tiny}' << 'END'
encoder.layers: 1
train: {steps: 6, batch_tokens: 256, warmup: 3, validate_every: 3}
evaluate: {bleu: {split: dev, beam: 1}}
END
expect "a run" 0 "" run $work/g.yaml --runs $good --quiet
./sanlab report $work/g.yaml --runs $good --quiet > /dev/null

# Files outside of the runs folder. The checkpoint is complete, so that a verb that follows a link would
# accept it.
folder() { basename "$(ls -d $good/stages/"$1"-*)"; }
train=$(folder train) score=$(folder score) corpus=$(folder corpus)
mkdir -p $canary
cp -a "$good/stages/$train" "$good/stages/$score" "$good/stages/$corpus" $canary
for file in $canary/*/events.jsonl; do printf 'torn' >> "$file"; done
chmod -R a-w $canary/*/ckpt 2> /dev/null
chmod -R u+w $canary
# state: prints name, kind, size, time and content of every file outside.
state() {
    find $canary -printf '%P %y %s %T@\n' | sort
    find $canary -type f -exec sha256sum {} + | sort
}
state > $work/before

head -n 1 $work/data/dev.a > $work/lines
# walk: runs the verbs of an ordinary user on such a folder; prints each crash and timeout. Covers the
# verbs that read, write and remove most, or with VERBS=all (make test-faults) all verbs that read the
# folder.
verbs='show TRAIN
gc --yes
run GRID
collect --rebuild'
[ "${VERBS:-}" != all ] || verbs='ls
plan GRID
watch GRID
table GRID
show TRAIN
gc --yes
verify
run GRID
tag SCORE good
export csv
export csv GRID
export jsonl --long
archive GRID --checkpoints ARCHIVE
translate --beam 1 TRAIN
report GRID
collect
redo TRAIN
rm SCORE --yes
rm TRAIN --yes
forget GRID
collect --rebuild'
walk() {
    limit=$(patience 100)
    echo "$verbs" | while read -r verb; do
        # shellcheck disable=SC2046
        timeout -k 1 "$limit" ./sanlab $(echo "$verb" |
            sed "s|GRID|$work/g.yaml|; s|TRAIN|$train|; s|SCORE|$score|; s|ARCHIVE|$runs/g.tar.gz|") \
            --runs $runs > $work/said 2>&1 < $work/lines
        status=$?
        case $status in 0 | 1 | 64 | 65 | 74 | 75) ;; *) echo "$verb: status $status" ;; esac
        grep -E 'CHECK\(|Sanitizer|runtime error|^usage|there is no option' $work/said
    done
}

# attack WHAT COMMAND..: runs COMMAND on a copy of the runs folder, walks, and compares the canary.
attack() {
    what=$1
    shift
    rm -rf $runs
    cp -a $good $runs
    (eval "$*") || echo "# the attack itself failed"
    found=$(walk)
    state > $work/after
    output=$found$(diff $work/before $work/after)
    holds "$what" [ -z "$output" ]
    if ! cmp -s $work/before $work/after; then # so that the next attack does not fail again
        state > $work/before
    fi
}
out=$PWD/$canary
exchange() { rm -rf "${1:?}" && ln -s "$2" "$1"; }

for file in metrics.jsonl events.jsonl stage.json done.json environment.json options.yaml ckpt; do
    attack "a training's $file is a link" exchange $runs/stages/$train/$file $out/$train/$file
    # An unfinished stage is also written to.
    [ $file = done.json ] || attack "the same in a training that is not done" \
        "exchange $runs/stages/$train/$file $out/$train/$file; rm -f $runs/stages/$train/done.json"
done
for file in log.txt lock notes.jsonl metrics.jsonl.tmp-1; do
    attack "a training's $file is a link that leads nowhere yet" \
        "rm -f $runs/stages/$train/$file $runs/stages/$train/done.json;
         ln -s $out/new-$file $runs/stages/$train/$file"
done
step=$(basename "$(ls -d $good/stages/"$train"/ckpt/step-* | tail -1)")
attack "a checkpoint is a link" exchange $runs/stages/$train/ckpt/$step $out/$train/ckpt/$step
attack "and its training goes on" "exchange $runs/stages/$train/ckpt/$step $out/$train/ckpt/$step
    rm $runs/stages/$train/done.json"
attack "a damaged checkpoint goes into quarantine, a link" \
    "printf x >> $runs/stages/$train/ckpt/$step/state.json; rm $runs/stages/$train/done.json
     ln -s $out $runs/stages/$train/ckpt/quarantine"
attack "a stage's folder is a link" exchange $runs/stages/$train $out/$train
attack "all stages are" exchange $runs/stages $out
mkdir $canary/g && cp $good/grids/g/* $good/names/g -r $canary/g && state > $work/before
for folder in grids names reports; do
    attack "$folder is a link" "exchange $runs/$folder $out; rm -rf $runs/stages/$score"
done
attack "names of the grid are" "exchange $runs/names/g $out/g; rm -rf $runs/stages/$score"
attack "its records are" "exchange $runs/grids/g $out/g; rm -rf $runs/stages/$score"
for file in sanlab.lock sanlab.db sanlab.db-wal sanlab.db.new digests rates; do
    attack "$file is a link that leads nowhere yet" "rm -f $runs/$file; ln -s $out/$file $runs/$file"
done
cp $good/sanlab.db $canary/other.db && state > $work/before
attack "the database is a link" exchange $runs/sanlab.db $out/other.db

# Pipes and devices.
for file in stages/$train/metrics.jsonl stages/$train/events.jsonl stages/$train/stage.json \
    stages/$train/done.json stages/$train/ckpt/$step/state.json stages/$train/ckpt/$step/MANIFEST \
    stages/$train/lock stages/$train/log.txt stages/$train/notes.jsonl stages/$score/hypotheses.txt \
    stages/$corpus/vocabulary.source sanlab.db sanlab.db-wal sanlab.lock digests rates reports/g.json \
    grids/g/"$(ls $good/grids/g)"; do
    attack "$file is a pipe" "rm -f '$runs/$file'; mkfifo '$runs/$file'"
done
attack "a training that goes on has pipes" "rm -f $runs/stages/$train/done.json
    for file in log.txt lock metrics.jsonl; do
        rm -f $runs/stages/$train/\$file; mkfifo $runs/stages/$train/\$file; done"
for file in stages/$train/events.jsonl stages/$train/done.json stages/$score/hypotheses.txt digests; do
    attack "$file leads to endless zeros" exchange "$runs/$file" /dev/zero
done
if mknod $work/zero c 1 5 2> /dev/null && head -c 1 $work/zero > /dev/null 2>&1; then
    for file in stages/$train/events.jsonl stages/$train/stage.json digests; do
        attack "$file is a device" "rm -f $runs/$file; mknod $runs/$file c 1 5"
    done
fi
finish
