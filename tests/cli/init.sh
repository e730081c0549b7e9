#!/bin/sh
# sanlab init: makes a folder for a user's grids; its grid runs by name there.
. "$(dirname "$0")/../support/cli.sh"
task init_cli 200
here=$PWD
# within FOLDER WORDS..: like try, in that folder.
within() {
    folder=$1
    shift
    output=$(cd "$folder" && "$here/sanlab" "$@" 2>&1)
    code=$?
}
listed() { (cd "$1" && find . | sort | paste -s -d ' ' -); }

within $work init "my folder/"
says "a folder is made" 0 "^my folder: grids/first.yaml"
[ "$(printf '%s\n' "$output" | sed -n '/^next:$/,$s/^  //p' | sed 's/  *#.*//')" = "cd 'my folder'
$here/sanlab corpus get multi30k
$here/sanlab plan first
$here/sanlab run first
$here/sanlab table first" ]
ok "with the commands that come next" $?
all='. ./.gitignore ./data ./grids ./grids/first.yaml ./runs'
[ "$(listed "$work/my folder")" = "$all" ] && [ "$(ls -A $work | paste -s -d ' ' -)" = "data my folder" ]
ok "and has all parts" $?
output=$(grep -vc '^#' "$work/my folder/grids/first.yaml")
[ "$output" -ge 8 ] && [ "$output" -le 15 ]
ok "its grid has eight to fifteen lines" $?
within "$work/my folder" plan first
says "its text is missing, and how to get it" 1 '^!! multi30k is missing \(6 files, 13 stages wait\): run sanlab corpus get multi30k$'
# Generated text replaces the captions.
mkdir -p "$work/my folder/data/parallel/multi30k"
for side in a:en b:de; do
    for split in train:train dev:val dev:test_2016; do
        cp $work/data/${split%:*}.${side%:*} "$work/my folder/data/parallel/multi30k/${split#*:}.${side#*:}"
    done
done
unset SANLAB_DATA
within "$work/my folder" run first train.epochs=0 train.steps=20 train.warmup=5 corpus.merges=20 --quiet
says "then it runs" 0 '^$'
within "$work/my folder" table first train.epochs=0 train.steps=20 train.warmup=5 corpus.merges=20
says "and has a table" 0 '^\+ Local pattern .* [0-9.]+'
output=$(git -C "$work/my folder" init -q 2>&1 && git -C "$work/my folder" status --porcelain --untracked-files=all)
[ "$output" = '?? .gitignore
?? grids/first.yaml' ]
ok "git ignores text and results" $?

within $work init "my folder"
says "a folder that has grids" 65 '^sanlab: init: my folder/grids already exists; expected a folder without grids$'
within $work init data/train.a
says "a file" 65 '^sanlab: init: data/train.a: this is a file; expected a folder$'
within $work init none/at/all
says "a folder in none" 65 '^sanlab: init: none/at/all: there is no folder none/at$'
within $work init /proc/sanlab
says "where nothing can be written" 65 '^sanlab: /proc/sanlab: folder cannot be made: [A-Z]'
mkdir $work/full
mkdir $work/full/runs
echo '*.aux' > $work/full/.gitignore
within $work/full init .
says "into a folder that is there; its file stays" 0 '^.: grids/first.yaml'
[ "$(listed $work/full)" = "$all" ] && [ "$(cat $work/full/.gitignore)" = '*.aux' ]
ok "with what was missing" $?
finish
