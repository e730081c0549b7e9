#!/bin/sh
# Injected faults, a sample of `make test-faults`: after failed calls a run ends with the results of an
# undisturbed run. Also the messages for failed calls within SQLite.
. "$(dirname "$0")/../support/cli.sh"
export FAULTS=${FAULTS:-7}
shim=$PWD/${BUILD:-build}/tests/faults/shim.so work=build/tmp/faults
if [ ! -e "$shim" ]; then
    echo "1..0 # skipped: no $shim; make builds it"
    exit 0
fi

# sample WHAT UNDER CALLS: injects faults into these calls on that file or folder. The following tests
# use its runs.
sample() {
    output=$(TEST_KEEP=1 UNDER=$2 CALLS=${3:-} sh tests/faults/grid.sh)
    code=$?
    [ $code = 0 ] && printf '%s\n' "$output" | grep -q "^# [1-9][0-9]* faults, 0 never reached"
    ok "$1: the same results in the end" $?
}
sample "faults anywhere" ""
sample "rows that cannot be read and become results" "stages/train-*/metrics.jsonl" "open read"
sample "the same of a corpus" "stages/corpus-*/corpus.json" "open read"

# full FILE CALL: the first such call on this database file fails with a full disk.
full() {
    rm -f $work/runs/sanlab.db*
    head -c 8192 /dev/zero > $work/counts
    output=$(FAULT=$2:1:ENOSPC FAULT_UNDER=$PWD/$work/runs/$1 FAULT_COUNTS=$PWD/$work/counts \
        LD_PRELOAD=$shim ./sanlab ls --runs $work/runs 2>&1)
    code=$?
    says "no room for $1 ($2): the disk is full" 65 "sanlab.db.*: the disk is full"
    expect "and with room all is there" 0 "score-.* done" ls --runs $work/runs
}

# A lease that can never be taken: the runner tries a few times, then exits with advice.
export SANLAB_DATA="$PWD/$work/data"
rm -rf $work/runs
head -c 8192 /dev/zero > $work/counts
output=$(FAULT=link:0:EIO FAULT_UNDER=$PWD/$work/runs FAULT_COUNTS=$PWD/$work/counts LD_PRELOAD=$shim \
    timeout "$(patience 100)" ./sanlab run $work/g.yaml --runs $work/runs 2>&1)
code=$?
says "no lock can ever be made: the stage fails" 1 "FAILED corpus-.*: its lease could not be taken: .*/lock: cannot be made"
holds "in a few lines" [ "$(printf '%s\n' "$output" | wc -l)" -le 12 ]
expect "and without the fault the same command does all of it" 0 "" run $work/g.yaml --runs $work/runs --quiet

# A stage syncs each of its files once (options.yaml, stage.json, environment.json, items.tsv,
# hypotheses.txt, metrics.jsonl, events.jsonl, done.json), and its folder before and after done.json.
rm -rf $work/runs/stages/score-*
head -c 8192 /dev/zero > $work/counts
score=$(./sanlab plan $work/g.yaml --runs $work/runs --todo | sed -n 's/^\(score-[0-9a-f]*\) .*/\1/p')
FAULT_UNDER=$PWD/$work/runs/stages/$score FAULT_COUNTS=$PWD/$work/counts LD_PRELOAD=$shim \
    ./sanlab run $work/g.yaml --runs $work/runs --quiet
set -- $(od -An -v -td8 -w8 -N80 $work/counts)
equals "a stage syncs each file once, and its folder twice" 10 "$2"
holds "and opens few files in it, $5" [ "$5" -le 50 ]

full sanlab.db-shm write
full sanlab.db-wal write
full sanlab.db.new write
full sanlab.db.new fsync
finish
