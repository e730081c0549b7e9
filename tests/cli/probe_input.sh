#!/bin/sh
# Refusals of evaluate.probe and evaluate.encode, in a grid and on the command line: one line with
# its location and the nearest word. Nothing is encoded or trained before.
. "$(dirname "$0")/../support/cli.sh"
task probe_input 60
export OMP_NUM_THREADS=1

good() {
    printf 'tr\ta\ts1 s2\ntr\tb\ts2 s3\ntr\ta\ts4\nva\ta\ts3\nte\tb\ts4 s5\n'
}
t=$work/data/t.txt
good > $t
cat > $work/mine.yaml << 'END'
groups: [A]
tasks:
  - {name: Good, file: t.txt, group: A}
END
small $work/g.yaml tiny << 'END'
train: {epochs: 0, steps: 2, batch_tokens: 256, warmup: 20}
evaluate:
  probe:
    tasks: mine.yaml
    path: [encoder.output]
    controls: [bag]
    protocol: fixed
END

# refuses WHAT PATTERN ARGUMENTS..: passes if one line is printed and no stage is made.
refuses() {
    what=$1 pattern=$2
    shift 2
    try run "$@" --runs $work/none
    lines=$(printf '%s\n' "$output" | wc -l)
    if [ "$lines" != 1 ] || [ -e $work/none/stages ]; then
        output="$lines lines, $(ls $work/none/stages 2> /dev/null | wc -l) stages; $output"
        ok "$what" 1
    else
        says "$what" 65 "$pattern"
    fi
}
# both WHAT LINE KEY VALUE PATTERN: tests a bad value of the key in the grid's line, and on the command
# line.
both() {
    sed "$2s/:.*/: $4/" $work/g.yaml > $work/bad.yaml
    refuses "$1" "bad.yaml:$2:[0-9]+: $5" $work/bad.yaml
    refuses "$1, on the command line" "command line: evaluate.probe.$3=.*: $5" $work/g.yaml \
        "evaluate.probe.$3=$4"
}
# text WHAT PATTERN: tests an error in the task's text.
text() {
    refuses "$1" "/t.txt$2" $work/g.yaml
    good > $t
}
# tasks WHAT PATTERN: tests an error in the file of tasks, read from stdin.
tasks() {
    cat > $work/bad_tasks.yaml
    sed 's/mine.yaml/bad_tasks.yaml/' $work/g.yaml > $work/bad.yaml
    refuses "$1" "bad_tasks.yaml:$2" $work/bad.yaml
    refuses "$1, on the command line" "bad_tasks.yaml:$2" $work/g.yaml \
        evaluate.probe.tasks=$work/bad_tasks.yaml
}

both "an unknown path" 8 path '[encoder.ouput]' 'evaluate.probe.path: .*"encoder.ouput".*"encoder.output"'
both "a layer that there is not" 8 path '[encoder.1, encoder.7]' \
    'evaluate.probe.path: .*no path "encoder.7"; its layers are encoder.1 to encoder.6'
refuses "a layer that one of two rows has not" 'no path "encoder.3"; its layers are encoder.1 to encoder.2 .row "layers=2".$' \
    $work/g.yaml encoder.layers=3,2 evaluate.probe.path=encoder.3
both "a gate that there is not" 8 path '[encoder.1.attention.gate]' 'evaluate.probe.path: .*no path'
both "not all layers" 8 path '[layer]' 'evaluate.probe.path: the encoder has no path .layer.; expected one of: bag, '
both "no path" 8 path '[]' 'evaluate.probe.path: expected at least one path'
both "an unknown control" 9 controls '[bag, strat]' 'evaluate.probe.controls: .*"strat".*"start"'
both "an unknown protocol" 10 protocol 'conneau18' 'evaluate.probe.protocol: .*"conneau18".*"conneau2018"'
both "an unknown task" 7 tasks '[Tens]' 'evaluate.probe.tasks: .*no task "Tens".*"Tense"'
both "an unknown preset of tasks" 7 tasks 'sentevl' 'evaluate.probe.tasks: there is no task "sentevl"; nearest is "senteval"'
both "a file of tasks that is not there" 7 tasks 'none.yaml' 'tasks: there is no file .*none.yaml'
both "a task twice" 7 tasks '[Tense, Tense]' 'evaluate.probe.tasks: "Tense" is given twice'
both "a preset among tasks" 7 tasks '[senteval, Tense]' 'evaluate.probe.tasks: "senteval" is a set of tasks, which must not be in a list'
both "a file among tasks" 7 tasks '[Tense, mine.yaml]' 'evaluate.probe.tasks: "mine.yaml" is a set of tasks.*base: mine.yaml'
both "no task" 7 tasks '[]' 'evaluate.probe.tasks: expected senteval, a file'
sed '7d' $work/g.yaml > $work/bad.yaml
refuses "no tasks" 'bad.yaml:7:5: evaluate.probe.tasks: expected senteval' $work/bad.yaml
sed '10s/$/\n    folds: 2/' $work/g.yaml > $work/bad.yaml
refuses "two folds" 'bad.yaml:11:12: evaluate.probe.folds: expected 0 or 3 to 20' $work/bad.yaml
refuses "one fold" 'command line: evaluate.probe.folds=1: .*expected 0 or 3 to 20' $work/g.yaml evaluate.probe.folds=1
refuses "more folds than sentences" '/t.txt: 5 different sentences; expected at least 6' $work/g.yaml \
    evaluate.probe.folds=6
refuses "a misspelled option" '"seds".*"seeds"' $work/g.yaml evaluate.probe.seds=3
{ cat $work/g.yaml; echo 'table: {columns: [probe.Good.acuracy]}'; } > $work/bad.yaml
refuses "a misspelled number" 'bad.yaml:11:19: .*"probe.Good.acuracy"; did you mean "probe.Good.accuracy"' $work/bad.yaml
{ cat $work/g.yaml; echo 'table: {columns: [encode.Good.wrods]}'; } > $work/bad.yaml
refuses "one of vectors" 'bad.yaml:11:19: .*"encode.Good.wrods"; did you mean "encode.Good.words"' $work/bad.yaml
{ cat $work/g.yaml; echo 'table: {columns: [probe.Good.bits]}'; } > $work/bad.yaml
refuses "bits without their code" 'bad.yaml:11:19: probe.Good.bits: no row has this value; expected evaluate.probe.code: true' \
    $work/bad.yaml
refuses "a path to keep" 'evaluate.encode.keep: .*"encodr.1".*"encoder.1"' $work/g.yaml evaluate.encode.keep=encodr.1
refuses "several encoders" 'evaluate.encode.checkpoint: mean_of_best\(2\)' $work/g.yaml \
    'evaluate.encode.checkpoint=mean_of_best(2)' train.keep_best=2
refuses "an unknown checkpoint" 'checkpoint=bst: evaluate.encode.checkpoint: expected best' $work/g.yaml \
    evaluate.encode.checkpoint=bst
refuses "one name for two files" 'evaluate.encode.tasks: "Good" is u.txt, but t.txt' $work/g.yaml \
    'evaluate.encode.tasks=[{name: Good, file: u.txt, group: A}]'

{ cat $work/g.yaml; echo 'table: {columns: [probe.God]}'; } > $work/bad.yaml
refuses "a column of no task" 'bad.yaml:11:[0-9]+: probe.God: .*"probe.God"; nearest is "probe.Good"' $work/bad.yaml
{ cat $work/g.yaml; echo 'table: {columns: [probe.Good@encoder.1]}'; } > $work/bad.yaml
refuses "nor of a path that is not probed" '11:[0-9]+: .*"probe.Good@encoder.1"; .*"probe.Good@encoder.output' \
    $work/bad.yaml

{ cat $work/g.yaml; echo 'table: {columns: [margin(probe.Good@bag)]}'; } > $work/bad.yaml
refuses "the margin of a control" '11:[0-9]+: margin.*: probe.Good@bag is itself a control' $work/bad.yaml

refuses "tasks of translation in a grid of logic" 'evaluate.probe: reads corpus, which belongs to the task translation' \
    grids/logic-64.yaml evaluate.probe.tasks=$work/mine.yaml

tasks "two tasks of one name" '4:12: tasks: "X" is given twice, first in .*:3; expected it once$' << 'END'
groups: [A]
tasks:
  - {name: X, file: t.txt, group: A}
  - {name: X, file: u.txt, group: A}
END
# tests/unit/tasks_test.c has the other errors of such files.
{ good; echo te; } > $t
text "a line of one column" ':6:1: one column'

printf 'a\tb\nc\n' > $work/rules.tsv
sed '5s/$/\n  encode: {rules: rules.tsv}/' $work/g.yaml > $work/bad.yaml
refuses "rules of one field" 'rules.tsv:2: one field' $work/bad.yaml
refuses "and on the command line" 'rules.tsv:2: one field' $work/g.yaml evaluate.encode.rules=$work/rules.tsv
sed '5s/$/\n  encode: {rules: mose}/' $work/g.yaml > $work/bad.yaml
refuses "unknown rules" 'bad.yaml:6:19: evaluate.encode.rules: .*"mose".*"moses"' $work/bad.yaml

ids() {
    ./sanlab plan $work/g.yaml --runs $work/none 2>&1 | grep -o '^[a-z]*-[0-9a-f]*'
}
expected=$(ids)
echo "origin: an archive" >> $work/mine.yaml
output=$(ids)
[ -n "$expected" ] && [ "$output" = "$expected" ]
ok "where a task's text comes from is no part of an id" $?
rm $t
try plan $work/g.yaml --runs $work/none
says "a text that is not there is a missing input" 1 \
    '^!! text of probing tasks is missing \(1 file, 3 stages wait\): an archive: t.txt$'
try run $work/g.yaml --runs $work/none
says "and refused before a training starts" 65 'nothing was started: 3 of 5 stages .*\(run --force does the other stages\)'
test ! -d $work/none/stages; ok "nothing is left of it" $?
try run $work/g.yaml --runs $work/forced --force --quiet
says "--force says so, too" 1 '^sanlab: text of probing tasks is missing \(1 file, 3 stages wait\): an archive: t.txt$'
[ "$(printf '%s\n' "$output" | grep -c missing)" = 2 ] && ls $work/forced/stages/train-*/done.json > /dev/null
ok "once, and does the training" $?
try run $work/g.yaml --runs $work/forced --force --quiet --all
says "--all: each stage" 1 '^sanlab: encode-[0-9a-f]*: missing input: t.txt, looked for under .*; an archive$'
try run $work/g.yaml --runs $work/forced --force --log-format json
holds "a program is told each stage" [ "$(printf '%s\n' "$output" | grep -c '"event": *"skip".*missing input: t.txt')" = 3 ]
good > $t

# Errors that need the corpus are reported by the stage, with the line of the sentence
{ good; printf 'te\ta\t'; yes s1 | head -600 | tr '\n' ' '; echo; } > $t
expect "more than 512 pieces" 1 '/t.txt:6: .*512' run $work/g.yaml --runs $work/runs
good > $t
expect "what is mended runs" 0 "" run $work/g.yaml --runs $work/runs --quiet
finish
