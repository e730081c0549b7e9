#!/bin/sh
# An unreadable stage folder, such as a colleague's with umask 077, affects only this stage and no verb.
# No message proposes to remove it.
. "$(dirname "$0")/../support/cli.sh"
task denied_cli 100
if ! other_user; then
    echo "1..0 # SKIP as root this needs setpriv and a tree that others may read"
    exit 0
fi
small $work/g.yaml '{preset: tiny, dropout: 0.1}' << 'END'
encoder.layers: 1
train: {steps: 6, batch_tokens: 128, warmup: 10, validate_every: 3}
rows: [{name: A}, {name: B, model.dropout: 0.2}]
evaluate: {bleu: {split: dev, beam: 1}}
END
runs=$work/runs
./sanlab run $work/g.yaml --runs $runs --quiet
rm -rf $runs/sanlab.db* # as for a user who copied only the folders
score=$(basename "$(readlink $runs/names/g/A/1/score)")
chmod 700 "$runs/stages/$score"
chmod -R a+rwX $work
chmod 700 "$runs/stages/$score"
[ -n "$as" ] || chmod 0 "$runs/stages/$score"
touch -d '2 hours ago' "$runs/stages/$score"

# verb WHAT CODE PATTERN WORDS..: runs a verb as the other user. It must not propose to remove an
# unreadable folder.
verb() {
    what=$1 expected=$2 pattern=$3
    shift 3
    run $as ./sanlab "$@" --runs $runs
    says "$what" "$expected" "$pattern"
    printf '%s\n' "$output" | grep "$score" | grep -Eq 'remove its folder|rm |has no stage.json|no grid, report or tag'
    holds "$what: no advice to remove it" [ $? = 1 ]
}
denied="stages/$score: cannot be read: permission denied"
verb "collect" 0 "$denied" collect
verb "ls" 0 "^score-[0-9a-f]+ +done .* g/B/1" ls
verb "plan" 0 "^!! $score: cannot be read: permission denied$" plan $work/g.yaml
verb "table" 0 "^B +[0-9.]+" table $work/g.yaml
verb "verify" 0 "^4 stages, .* 0 problems" verify
verb "gc" 0 "" gc
verb "run" 1 "4 of 5 stages done, 1 failed" run $work/g.yaml
verb "archive" 0 "1 of 5 stages are not done" archive $work/g.yaml $work/a.tar.gz
verb "report" 0 "html" report $work/g.yaml --out $work/g.html
verb "export" 0 "score,.*,done,g/B/1" export csv
verb "collect --rebuild" 0 "$denied" collect --rebuild

# The database keeps the results that a colleague with access has collected.
./sanlab collect --quiet --runs $runs
chmod -R a+rw $runs/sanlab.db*
touch "$runs/stages/$score"
verb "ls of a shared database" 0 "^$score +done " ls
verb "verify of it" 1 "^$score: cannot be read: permission denied$" verify
chmod 755 "$runs/stages/$score"

# A replaced file keeps its mode: a stage stays readable by others after a name is added.
if [ -n "$as" ]; then
    sed 's/^grid: g/grid: other/' $work/g.yaml > $work/other.yaml
    (umask 077 && ./sanlab run $work/other.yaml --runs $runs --quiet)
    equals "a stage's record keeps its mode" "" "$(find $runs/stages -name stage.json ! -perm -004)"
    chmod 700 $runs/grids/other
    rm -f $runs/sanlab.db*
    verb "a grid's folder that may not be read" 0 'grids/other: cannot be read: permission denied' collect
    verb "and ls" 0 "done .* g/B/1" ls
    chmod 755 $runs/grids/other
fi

# An unreadable file of the folder has the same effect.
for file in done.json metrics.jsonl; do
    rm -f $runs/sanlab.db*
    chmod "$([ -n "$as" ] && echo 600 || echo 0)" "$runs/stages/$score/$file"
    touch "$runs/stages/$score"
    verb "collect without $file" 0 "$denied" collect
    verb "table without $file" 0 "^B +[0-9.]+" table $work/g.yaml
    verb "plan without $file" 0 "." plan $work/g.yaml
    chmod 644 "$runs/stages/$score/$file"
done

# A folder without write permission ends a run before it starts, in one line.
sed 's/^grid: g/grid: third/' $work/g.yaml > $work/third.yaml
for folder in stages grids names; do
    chmod 555 $runs/$folder
    output=$($as ./sanlab run $work/third.yaml --runs $runs 2>&1)
    code=$?
    [ "$(printf '%s\n' "$output" | wc -l)" = 1 ] || code="$code, in several lines"
    says "$folder may not be written" 65 "^sanlab: $runs/$folder: cannot be written: Permission denied; nothing was started$"
    chmod 777 $runs/$folder
done
chmod -R a-w $runs/stages/*
chmod a+r "$runs/stages/$score"/*
output=$($as ./sanlab run $work/third.yaml --runs $runs 2>&1)
code=$?
[ "$(printf '%s\n' "$output" | grep -c 'were not recorded')" = 1 ] || code="$code, in several lines"
says "stages that another user made" 0 'cannot be written: .*; the names of 5 stages were not recorded$'
chmod -R u+w $runs
finish
