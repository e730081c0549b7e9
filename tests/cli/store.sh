#!/bin/sh
# Run folders, the database and its faults: ls, show, collect.
. "$(dirname "$0")/../support/cli.sh"
fresh store_cli

# stage KIND DIGIT NAME OPTIONS: makes a stage's folder; its id is one digit 64 times.
stage() {
    id=$(printf "%64s" '' | tr ' ' "$2")
    folder=$work/stages/$1-$(printf "%12s" '' | tr ' ' "$2")
    mkdir -p "$folder"
    printf '{"id": "%s", "kind": "%s", "canonical": "c", "options": %s, "inputs": [], "names": ["%s"]}' \
        "$id" "$1" "$4" "$3" > "$folder/stage.json"
}
stage train a "g/'; DROP TABLE stage; --/1" '{"model": {"dropout": 0.1}}'
printf '{"name":"dev_loss","step":%d,"value":%d.5}\n' 10 5 20 4 30 3 > "$folder/metrics.jsonl"
echo '{"status": "done", "summary": {"dev_loss": 3.5, "parameters": 1234}}' > "$folder/done.json"
stage train b g/Gate/1 '{"model": {"dropout": 0.2}}'
echo '{"event":"started","time":1.0,"attempt":1}
{"event":"failed","time":2.0,"attempt":1,"text":"no such split"}' > "$folder/events.jsonl"
printf 'first line\nlast line\n' > "$folder/log.txt"

try ls --runs $work
says "ls shows a stage that is done" 0 "^train-aaaaaaaaaaaa +done +dev_loss 3.5 .*'; DROP TABLE stage; --/1"
says "and one that failed, with why" 0 "^train-bbbbbbbbbbbb +failed .*no such split"
expect "a filter takes the right ones" 0 "train-bbbbbbbbbbbb" ls 'dropout>0.1 and kind=train' --runs $work
holds "and only those" [ "$(printf '%s\n' "$output" | grep -c train-)" = 1 ]
for filter in 'dev_loss < abc' 'dev_loss = abc' 'kind=train and dropout != some' 'status > 3'; do
    for verb in ls verify "export csv"; do
        expect "$verb: number and word do not compare: $filter" 65 '(expected a number|numbers only|words only)' \
            $verb "$filter" --runs $work
        holds "in one line" [ "$(printf '%s\n' "$output" | wc -l)" = 1 ]
    done
done
try ls 'name = 3 or name = don or dev_loss ~ abc' --runs $work
says "words are compared as they are" 0 "^stage +status"
holds "and none is like that" [ "$(printf '%s\n' "$output" | wc -l)" = 2 ]
try ls dropuot=1 --runs $work
says "a key that no stage has is refused" 65 'no stage has the key "dropuot"; did you mean "dropout"'
expect "show gives the values" 0 "^  dev_loss +3.5$" show aaaa --runs $work
expect "and the end of a failed stage's log" 0 "^  last line$" show g/Gate/1 --runs $work
expect "a stage that is not there" 65 'no stage "cccc"' show cccc --runs $work

try ls --runs $work
before=$(printf '%s\n' "$output" | sed 's/[0-9]* s //')
printf 'this is no database, and never was one, whatever its name says' > $work/sanlab.db
try ls --runs $work
says "a damaged database is built anew" 0 "^sanlab: warning: $work/sanlab.db: is damaged \(.*\); it is built anew from the run folders, and kept as $work/sanlab.db.damaged$"
holds "and kept" grep -q '^this is no database' $work/sanlab.db.damaged
expect "it can be built anew once more" 0 "2 stages" collect --rebuild --runs $work
try ls --runs $work
holds "and says the same as before" [ "$(printf '%s\n' "$output" | sed 's/[0-9]* s //')" = "$before" ]
output=$(SANLAB_CRASH_AT=before-database:1 ./sanlab collect --rebuild --runs $work 2>&1)
holds "a rebuilding that is killed just before its end" [ $? = 137 ]
try ls --runs $work
holds "leaves the old database" [ "$(printf '%s\n' "$output" | sed 's/[0-9]* s //')" = "$before" ]
expect "and is done again" 0 "2 stages" collect --rebuild --runs $work
holds "without remains" [ ! -e $work/sanlab.db.new ]
printf 'garbage\n{"name":"dev_loss","st' >> $work/stages/train-aaaaaaaaaaaa/metrics.jsonl
touch $work/stages/train-aaaaaaaaaaaa # a finished stage is read again when its folder changes
try collect --runs $work
says "a line that is no record is named" 0 "metrics.jsonl: byte [0-9]+: this line is not a record: garbage"
says "and counted, as is an unfinished one" 0 "1 unfinished lines, 1 bad ones"
# Mounted read-only: root may write despite modes, but not there.
echo '{"name":"dev_loss","step":40,"value":2.5}' >> $work/stages/train-bbbbbbbbbbbb/metrics.jsonl
cat > $work/read_only.sh << 'END'
mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 77
touch "$1/canary" 2> /dev/null && exit 78
./sanlab ls --runs "$1" && ./sanlab show bbbb --runs "$1"
END
run unshare -rm sh $work/read_only.sh $work
if [ $code = 77 ] || [ $code = 1 ] && printf '%s\n' "$output" | grep -q 'unshare\|mount'; then
    skipped "a folder that is mounted read-only" "no right to mount"
else
    says "a folder that is mounted read-only can be read" 0 "^train-bbbbbbbbbbbb +failed +step 40: dev_loss 2.5"
fi
for verb in ls "show x" gc verify collect "collect --rebuild" "rm x"; do
    # shellcheck disable=SC2086
    for file in $work/short.txt /dev/null; do
        : > $work/short.txt
        try $verb --runs $file
        says "$verb of what is no folder" 65 "^sanlab: --runs $file: this is a file; expected a folder$"
    done
done
long=$(printf '%0200d' 0)
mkdir -p "$work/$long/$long/$long"
ln -s "$long/$long/$long" $work/short
for runs in "$work/$long/$long/$long" $work/short; do
    try collect --runs "$runs"
    says "a path that is too long for SQLite" 65 \
        "^sanlab: $runs: the path of this folder has [0-9]+ bytes; expected RUNS with a path of at most 490 bytes"
done
LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 try show aaaa --runs $work
says "no locale changes a number" 0 "^  dev_loss +3.5$"

# In a folder without runs every reading verb names the searched folder and writes nothing.
root=$PWD
mkdir -p $work/empty
for verb in ls "ls demo" "show x" "show demo/Transformer/1" "diff a b" "export csv" gc verify \
    collect "collect --rebuild" "rm x" "tag x y" "forget x" "redo x" "compare a b" "watch demo" \
    "table demo" "claims demo" "plot demo" "report demo" \
    "archive demo a.tar.gz" "analyze x gates" "probe x --tasks senteval" "encode x --out y" \
    "translate x" "export model x --out y" "logic probe x"; do
    # shellcheck disable=SC2086 # words
    output=$(cd $work/empty && "$root/sanlab" $verb 2>&1 < /dev/null)
    code=$?
    [ -z "$(ls $work/empty)" ] || code="$code, and left $(ls $work/empty)"
    [ "$(printf '%s\n' "$output" | wc -l)" = 1 ] || code="$code, in several lines"
    says "no runs: $verb" 65 '^sanlab: no runs folder here .looked for ./runs; use --runs DIR.$'
done
mkdir -p $work/study
for verb in ls "table demo" "claims demo" "plot demo" "report demo" "archive demo a.tar.gz" \
    "export jsonl" "watch demo"; do
    # shellcheck disable=SC2086 # words
    try $verb --runs $work/studdy
    [ "$(printf '%s\n' "$output" | wc -l)" = 1 ] || code="$code, in several lines"
    says "a typing error in DIR: $verb" 65 '^sanlab: --runs: there is no folder .*/studdy; nearest is study$'
done
expect "no folder is near" 65 '^sanlab: --runs: there is no folder .*/absent$' ls --runs $work/absent
finish
