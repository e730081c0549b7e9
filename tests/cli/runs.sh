#!/bin/sh
# The run folder of an older program, tests/runs. A later program finds its stages done and prints the
# same output for them. It finishes the killed training with the bytes of an undisturbed one, and
# computes the same results from the other checkpoints.
#
#   grid.yaml        3 rows x 2 seeds; tests/support/recorded.sh makes the text
#   stages, grids    the folder, with invented host and processor names. It has no database; verbs
#                    collect one. Seed 2 of the last row was killed after a checkpoint.
#   killed/          output of the verbs on that folder
#   ended/           output of the verbs on the undisturbed runs, and the results of that training
#
#   WRITE=1 sh tests/cli/runs.sh     writes all of it except grid.yaml, with the present program
#
# A LATER PROGRAM MUST NOT WRITE IT AGAIN, because the test would then compare the program with itself.
# A difference here affects every user with run folders: stages run again, trainings cannot be continued,
# or printed numbers disappear. After an intended change of a label, edit killed/ and ended/ by hand. After
# an intended change of a format, keep a reader for the older format. A commit that writes the stages again
# states why no existing folder needs to be read.
. "$(dirname "$0")/../support/cli.sh"
. tests/support/recorded.sh
recorded=$PWD/tests/runs
case ${SANLAB:-./sanlab} in /*) sanlab=$SANLAB ;; *) sanlab=$PWD/${SANLAB:-sanlab} ;; esac
rm -rf build/tmp/runs_cli
mkdir -p build/tmp/runs_cli/data
cd build/tmp/runs_cli || exit 1 # finds data/ here, and prints relative paths only
unset SANLAB_DATA SANLAB_PRODUCTS
export LC_ALL=C TZ=UTC
cp "$recorded/grid.yaml" .

recorded_text data

# Ids and states, without the estimates from the fourth column on. All code is older, so remarks on stale
# code are off.
plan() {
    "$sanlab" plan grid.yaml --stale ignore --runs "$1" | awk '
        / reason / { reason = index($0, "reason") }
        /^[a-z]+-[0-9a-f]+ / {
            text = substr($0, reason)
            sub(/  .*/, "", text)
            $0 = substr($0, 1, reason - 1) text
        }
        /^[a-z]+-[0-9a-f]+ |^[0-9]+ stages/'
}

# Installed versions of gnuplot draw differently; the data that they read must be the same.
plot() {
    command -v gnuplot > /dev/null || return 0
    "$sanlab" plot grid.yaml --keep --runs "$1" --out figures
    for file in figures/*/data.tsv; do
        echo "== $file"
        cat "$file"
    done
    rm -r figures
}

# prints RUNS TO: writes the output of each verb on the grid to a file.
prints() {
    mkdir -p "$2"
    plan "$1" > "$2/plan.txt" 2>&1
    plot "$1" > "$2/plot.txt" 2>&1
    "$sanlab" table grid.yaml --notes full --runs "$1" 2>&1 | grep -v '^Rows differ in code' > "$2/table.txt"
    "$sanlab" claims grid.yaml --runs "$1" > "$2/claims.txt" 2>&1
}

# prints_stages RUNS TO: writes the output of each verb on the recorded stages to a file.
prints_stages() {
    "$sanlab" export jsonl --stages witness --runs "$1" > "$2/export.jsonl" 2>&1
    # Omits the progress on stderr, and the count of items that the older program recorded no digest for.
    "$sanlab" verify --runs "$1" 2> /dev/null | sed 's/ ([0-9]* unchecked .*)$//' > "$2/verify.txt"
    for kind in corpus train score gates; do
        "$sanlab" show "witness/Hybrid (gate)/1/$kind" --runs "$1"
    done > "$2/show.txt" 2>&1
    "$sanlab" show "witness/Hybrid (gate)/2/train" --runs "$1" > "$2/show-killed.txt" 2>&1
}

# became RUNS: prints the results of the killed training. The last digits of BLEU depend on libm and
# differ by machine. Headers may grow: skips the header, whose length is in the first 8 bytes of a file
# of tensors.
became() (
    cd "$1"/names/witness/Hybrid*/2 || exit 1
    tail -n +1 train/metrics.jsonl gates/metrics.jsonl score/hypotheses* |
        sed '/"dev_bleu"/s/\([.][0-9]\{9\}\)[0-9]*/\1/'
    echo "==> tensors <=="
    for file in train/ckpt/*/*.safetensors; do
        tail -c +$((9 + $(od -An -tu8 -N8 "$file"))) "$file" | sha256sum | sed "s|-|$file|"
    done
)

# Runs the grid undisturbed; then runs the one training alone and kills workers and runner at once, as a
# machine failure does. Removes the locks.
write() {
    rm -rf "$recorded/stages" "$recorded/grids" "$recorded/ended" "$recorded/killed"
    "$sanlab" run grid.yaml --runs whole --quiet || exit 1
    prints whole "$recorded/ended"
    became whole > "$recorded/ended/became.txt"
    "$sanlab" gc --yes --runs whole > /dev/null || exit 1
    SANLAB_FREEZE_AT=step:150 setsid "$sanlab" run grid.yaml 'seeds=[2]' -j 1 --runs part --quiet &
    wait_for frozen $! 1
    kill -KILL -$!
    wait $! 2> /dev/null
    cp -r whole/stages whole/grids "$recorded"
    for kind in train score gates; do
        stage=$(basename "$(readlink whole/names/witness/Hybrid*/2/$kind)")
        rm -r "$recorded/stages/$stage"
        [ $kind != train ] || cp -r "part/stages/$stage" "$recorded/stages"
    done
    rm "$recorded"/stages/*/lock
    sed -i 's/"host": ".*"/"host": "node1"/; s/"processor": ".*"/"processor": "A processor"/' \
        "$recorded"/stages/*/environment.json
}
[ -z "${WRITE:-}" ] || write

# The tag of a metric, "2" in that program, is now its set: the number 2.
set_of_tag='s/"tag":"\([0-9]*\)"/"set":\1/'
mkdir recorded
cp -r "$recorded/killed" "$recorded/ended" "$recorded/stages" recorded
find recorded -type f \( -name '*.txt' -o -name metrics.jsonl \) -exec sed -i "$set_of_tag" {} +

# lines_of FILE: prints the lines except the values that the older program wrote to done.json only; sorts
# the lines of values.
lines_of() {
    grep -v '^{"name"' "$1"
    grep '^{"name"' "$1" | grep -v '^{"name":"[^"]*","value":[^,]*}$' | sort
}

# same TO: compares each file with the one that was recorded in TO.
same() {
    for file in "recorded/$1"/*; do
        name=$1/${file##*/}
        if [ "$name" = "$1/plot.txt" ] && ! command -v gnuplot > /dev/null; then
            skipped "$name" "gnuplot is not installed"
            continue
        fi
        lines_of "$file" > expected
        output=$(lines_of "$name" | diff expected - 2>&1)
        ok "$name" $?
    done
}

mkdir runs
cp -r "$recorded/stages" "$recorded/grids" runs
prints runs killed
prints_stages runs killed
[ -z "${WRITE:-}" ] || cp -r killed "$recorded"
same killed

# finish_grid WHAT FOLDER...: runs the rest; passes if no file in the finished stages FOLDER... changes.
finish_grid() {
    what=$1
    shift
    output=$("$sanlab" run grid.yaml --runs runs --quiet 2>&1 || echo "exit status $?"
        for stage; do
            [ ! -e "$stage/done.json" ] || diff -r "$stage" "runs/stages/${stage##*/}"
        done 2>&1)
    holds "$what" [ -z "$output" ]
}
finish_grid "the killed training is ended, all else is done" "$recorded"/stages/*
output=$(grep '"attempt":2' runs/names/witness/Hybrid*/2/train/events.jsonl)
matches "it went on from its checkpoint" '"resumed".*"step":120'
prints runs ended
became runs > ended/became.txt
same ended

rm -rf runs/stages/score-* runs/stages/gates-*
finish_grid "scores and gates are computed again" "$recorded"/stages/corpus-* "$recorded"/stages/train-*
output=$(cd recorded && for file in stages/score-*/hypotheses* stages/gates-*/metrics.jsonl; do
    lines_of "$file" > "$OLDPWD/expected"
    lines_of "$OLDPWD/runs/$file" | diff "$OLDPWD/expected" -
done 2>&1)
holds "old checkpoints translate and weigh as they did" [ -z "$output" ]
output=$("$sanlab" verify --runs runs 2>&1)
ok "and all of it is sound" $?

# A stage of a newer program cannot be continued.
for done in runs/stages/score-*/done.json; do sed -i 's/"format": [0-9]*/"format": 99/' "$done"; done
stage=$(basename "${done%/*}")
output=$("$sanlab" show "$stage" --runs runs 2> /dev/null | head -n 1)
code=0
says "a stage of a newer program" 0 "^$stage: stopped: .*/done.json: has format 99, written by a newer program; "
finish
