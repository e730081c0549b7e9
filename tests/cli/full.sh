#!/bin/sh
# Full disks and small limits: a failed write prints one line with its reason and never counts as
# success.
. "$(dirname "$0")/../support/cli.sh"
task full_cli 100
runs=$work/runs
small $work/g.yaml '{preset: tiny, dropout: 0.1}' << 'END'
encoder.layers: 1
train: {steps: 6, batch_tokens: 128, warmup: 4, validate_every: 3}
rows:
  - name: A
  - name: B
    model.dropout: 0.2
evaluate: {bleu: {split: dev, beam: 1}}
claims:
  - {text: A is better, compare: [A, B], metric: bleu, expect: greater}
END
try run $work/g.yaml --runs $runs --quiet
holds "a small grid" [ $code = 0 ]
corpus=$(echo $runs/stages/corpus-*) score=$(ls $runs/stages | grep -m 1 score) train=$(ls $runs/stages | grep -m 1 train)
echo s1 > $work/line

# printing WHAT TO: runs every verb that prints, with stdout at >&TO. Collects each verb that does not
# exit with status 65 and the one line $expected (empty: no line).
printing() {
    output=$(while read -r words; do
        said=$(trap '' PIPE; eval "./sanlab $words 2>&1 >&$2"; echo $?)
        said=$(printf '%s\n' "$said" | grep -v '^verify  ')
        [ "$said" = "${expected:+$expected
}65" ] || echo "$words: $said"
    done < $work/verbs)
    holds "$1: every verb that prints ends with status 65" [ -z "$output" ]
}
cat > $work/verbs << END
plan $work/g.yaml --runs $runs
ls --runs $runs
ls --runs $runs --format json
show $(basename $score) --runs $runs
table $work/g.yaml --runs $runs
table $work/g.yaml --runs $runs --format csv
claims $work/g.yaml --runs $runs
compare g/A/1 g/B/1 --runs $runs
diff g/A/1/train g/B/1/train --runs $runs
export csv --runs $runs
export csv $work/g.yaml --runs $runs
export jsonl --long --runs $runs
verify --runs $runs
gc --runs $runs
watch $work/g.yaml --runs $runs
corpus check $corpus
score --ref $work/data/dev.b $runs/stages/$score/hypotheses.txt
bpe apply $work/data/dev.a --codes $corpus/codes.bpe
translate --beam 1 $train $work/line --runs $runs
plan --help
help options all
END
exec 5> /dev/full
expected="sanlab: standard output cannot be written: No space left on device"
printing "a full disk" 5
expected="sanlab: standard output cannot be written: Bad file descriptor"
printing "a closed stdout" -
mkfifo $work/fifo
# shellcheck disable=SC2094 # two ends of one pipe
exec 4<> $work/fifo 5> $work/fifo 4>&-
expected=
printing "a reader that went away, of which nothing is said" 5
exec 5>&-

long=$(printf '%3000s' '' | tr ' ' x)
try bpe apply --codes "$work/$long"
says "of a message of 3 kB the reason stays" 65 "^sanlab: $work/xxx.*xxx: cannot be read: File name too long$"

# A failed write in a worker also reaches the runner through the journal. The text has a long path and one
# line too many.
deep=$work/data
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do deep=$deep/$(printf '%200s' '' | tr ' ' d); done
mkdir -p "$deep"
cp $work/data/*.? "$deep"
echo s1 >> "$deep/train.a"
output=$(SANLAB_DATA=$PWD/$deep ./sanlab run $work/g.yaml --runs $work/deep 2>&1 | grep FAILED)
code=0
says "the reason of a worker's long message reaches the runner" 0 "train.b has 100: number i .*log.txt"

# Limits, in units of 512 bytes, that stop the record of the grid, the database, or a checkpoint.
for units in 1 40 400; do
    output=$(ulimit -f $units; ./sanlab run $work/g.yaml encoder.layers=8 --runs $work/small$units --quiet 2>&1)
    [ $? -gt 0 ] && printf '%s\n' "$output" | grep -q "File too large"
    ok "files of $units units at most: an error that says so" $?
    try run $work/g.yaml encoder.layers=8 --runs $work/small$units --retry failed
    says "and without the limit" 0 "5 of 5 stages done"
done

# With few file descriptors a verb completes or prints the reason. It keeps the records of files that it
# could not read.
for verb in "export csv" "table $work/g.yaml" "verify" "plan $work/g.yaml"; do
    ./sanlab $verb --runs $runs > $work/expected 2> /dev/null
    output=$(for files in 4 5 6 7 8 10 14; do
        cp -r $runs $work/few
        rm $work/few/sanlab.db*
        (ulimit -n $files; ./sanlab $verb --runs $work/few) > $work/got 2> $work/said
        code=$?
        [ $code = 0 ] && sed s/few/runs/ $work/got | cmp -s - $work/expected ||
            { [ $code != 0 ] && grep -q "^sanlab: .*: Too many open files$" $work/said; } ||
            { echo "$files files: status $code"; head -3 $work/got $work/said; }
        ./sanlab $verb --runs $work/few 2>&1 | sed s/few/runs/ | grep -v '^verify  ' |
            diff $work/expected - > $work/diff || { echo "$files files, then:"; cat $work/diff; }
        rm -r $work/few
    done)
    holds "$verb with few open files" [ -z "$output" ]
done
finish
