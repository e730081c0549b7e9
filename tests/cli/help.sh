#!/bin/sh
# Help lists all options with defaults and ranges; unknown words are refused.
. "$(dirname "$0")/../support/cli.sh"

expect "verbs are listed" 0 "^  plan  " --help
output=$(printf '%s\n' "$output" | sed -n 's/^\([a-z]*\): .*/\1/p' | tr '\n' ' ')
holds "in six groups" [ "$output" = "sanlab start results look models text house " ]
output=$(./sanlab --help | awk 'length > 100 || (/^  / && substr($0, 14, 2) !~ /^ [^ ]/)')
holds "one line each, aligned, of at most 100 columns" [ -z "$output" ]
output=$(./sanlab --help | sed -n 's/^  \([a-z]*\) .*/\1/p' | sort | tr '\n' ' ')
verbs=$(sed -n "s/^const struct verb verb_\([a-z]*\) = {.*/\1/p" experiments/cli/*.c | grep -v "^work\$" | sort | tr "\n" " ")
[ -n "$verbs" ] && [ "$output" = "$verbs" ]
ok "every verb once, without what is not for people" $?
try
says "no verb is a mistake that shows the list" 64 "^  run  "
for verb in $(./sanlab --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
    expect "$verb --help" 0 "^sanlab $verb( |\$)" "$verb" --help
done
# A verb accepts each option that its help lists. A trailing unknown option is refused, so that nothing
# runs.
unknown=
for verb in $(./sanlab --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
    for name in $(./sanlab "$verb" --help | sed -n 's/^  \(-[^ ]*\).*/\1/p'); do
        [ "$name" = --help ] && continue
        try "$verb" "$name" 1 --sesame
        case $output in *"no option --sesame"*) ;; *) unknown="$unknown $verb $name" ;; esac
    done
done
output="not taken:$unknown"
holds "the options that help lists are taken" [ -z "$unknown" ]
expect "rows of a section are listed as options" 0 "^  --length-penalty +real 0..5 +0.6 " translate --help
says "each of them" 0 "^  --beam +int 1..64 "
expect "those of BLEU, too" 0 "^  --metric +sacrebleu.multi-bleu.chrf.ter " score --help
try score --metric multi-blue --ref tests/cli/help.sh tests/cli/help.sh
says "a word of theirs" 65 "nearest is \"multi-bleu\""
expect "what a filter's keys are" 0 "^FILTER is a condition as in a grid.s .where. " ls --help
expect "an option with its default and range" 0 "warmup .*4000" help options train
expect "the keys of a table" 0 "^  transpose .*false +exchange of columns and rows" table --help
says "and of its columns" 0 "^  layer +int >= 1 "
says "columns by name" 0 "^  bleu +score.bleu, BLEU"
says "and by function" 0 "^  delta\(COLUMN\) .*baseline"
says "and what marks a value" 0 "^  correction +none.holm +none "
expect "what a check's lines mean" 0 "^causality +a later target word" check --help
says "and its exit status" 0 "^  65  the model or an option is wrong"
expect "the nearest verb" 65 'no verb "pln"; nearest is "plan"' pln
expect "the nearest option" 65 "no option --fail-fats; nearest is --fail-fast" run --fail-fats x.yaml
expect "a number out of range" 65 "expected a whole number from 0 to 256" run -j many x.yaml
expect "an option without its value" 65 "needs a value: DIR" run --runs
try score --metric ter --case-sensitive --ref a b
says "an option where a value belongs" 65 "score: --case-sensitive needs a value$"
try gc --keep-optimizers -1
says "a number below 0 is no option" 65 "keep-optimizers -1: expected a whole number from 0"
expect "a word that is missing" 65 "usage: sanlab plan GRID.yaml" plan
expect "a grid that is not there" 65 "absent.yaml: no such grid" plan absent.yaml
expect "the nearest shipped grid" 65 "no such grid; nearest is xu2019-table1 " plan xu2019-tabel1
expect "a number directly after its letter" 65 "-j x: expected a whole number" run -jx x.yaml
expect "results into a file" 65 "this is a file; expected a folder" plan xu2019-table1 --runs tests/cli/help.sh
expect "the nearest word for older code" 65 "nearest is .rerun" plan xu2019-table1 --stale rerum
expect "the nearest action" 65 'nearest is "learn"' bpe lern
try --version
says "version, commit and date" 0 \
    "^sanlab $(cat VERSION)[+](unknown|[0-9a-f]{12,}(-dirty)? of [0-9]{4}-[0-9]{2}-[0-9]{2}); database schema [0-9]+$"
for words in "bpe learn x" "bpe apply" "logic generate" "corpus tasks x" "encode x" "export model x"; do
    # shellcheck disable=SC2086 # words
    try $words
    says "an option that is missing, and the usage: $words" 65 \
        "^sanlab: ${words%% *}: --(out|codes) is missing; usage: sanlab ${words%% *} .*--(out|codes) "
done
expect "gc: what stays" 0 "^  remove .*; keep all other stages$" gc --help
expect "help VERB is VERB --help" 0 '^sanlab table GRID' help table
expect "the nearest verb of help" 65 'no verb "tabel"; nearest is "table"' help tabel
expect "or the word for options" 65 'no verb "optoins"; nearest is "options"' help optoins
expect "an option that begins with another" 65 'no option --output; nearest is --out ' report grids/demo.yaml --output x
expect "the nearest verb may be help" 65 'no verb "hepl"; nearest is "help"' hepl
expect "one verb at a time" 65 '^sanlab: usage: sanlab help .VERB . options .TOPIC..$' help table claims
expect "whole numbers are written out" 0 '0 to 1000000 ' run --help
holds "run --help is short" [ "$(printf '%s\n' "$output" | wc -l)" -lt 70 ]

# Options of a grid, by topic.
./sanlab help > build/tmp/help && ./sanlab --help | cmp -s - build/tmp/help
ok "help is --help" $?
./sanlab help options > build/tmp/help
topics=$(sed -n 's/^  \([a-z]*\)  .*/\1/p' build/tmp/help | tr '\n' ' ')
output=${topics% }
holds "topics are listed" [ "$output" = "grid corpus model attention train evaluate table all" ]
for verb in run plan; do
    output=$(./sanlab $verb --help | tail -n "$(wc -l < build/tmp/help)" | diff build/tmp/help - 2>&1)
    ok "and by $verb --help" $?
done
for topic in ${topics%all }; do ./sanlab help options $topic; done > build/tmp/help
output=$(./sanlab help options all | diff build/tmp/help - 2>&1)
ok "all is every topic" $?
options=$(./sanlab completion bash | sed -n "s/^    local options='seeds= \(.*\)'$/\1/p" | tr -d =)
output=$(for option in $options; do
    [ "$(grep -c "^  $option  *[^ ]" build/tmp/help)" = 1 ] || echo $option
done)
[ "$(echo $options | wc -w)" -gt 100 ] && [ -z "$output" ]
ok "every option is in one topic" $?
output=$(awk '/^  [a-z_0-9]+[.][a-z_0-9.]+ / { print $1 }' build/tmp/help | sort | uniq -d)
holds "also those of terms and fusions" [ -z "$output" ]
output=$(for verb in table plot claims; do ./sanlab $verb --help | sed '1,/^  --help /d' | sed 1d; done > build/tmp/help
    ./sanlab help options table | diff build/tmp/help - 2>&1)
[ -s build/tmp/help ] && [ -z "$output" ]
ok "the keys of table, figures and claims are in one" $?
try help options modle
says "the nearest topic" 65 'there is no topic "modle"; nearest is "model"'

# completed WORD..: prints the completions of the last word in bash.
completed() {
    output=$(bash -c '. "$0"; COMP_WORDS=(sanlab "$@"); COMP_CWORD=$#; _sanlab; echo ${COMPREPLY[@]}' \
        build/tmp/completion "$@" 2> /dev/null)
}
./sanlab completion bash > build/tmp/completion
completed ta
holds "bash completes verbs" [ "$output" = "table tag" ]
output=$(sed -n "s/^    local verbs='help \(.*\)'$/\1/p" build/tmp/completion)
[ "$output" = "$(./sanlab --help | sed -n 's/^  \([a-z]*\) .*/\1/p' | tr '\n' ' ' | sed 's/ $//')" ]
ok "and has the verbs in the order of help" $?
completed plan xu2019-table
holds "grids" [ "$output" = "xu2019-table1 xu2019-table2 xu2019-table3" ]
completed run demo train.ep
holds "options of a grid" [ "$output" = "train.epochs= train.epsilon=" ]
completed translate --length
holds "options of a section" [ "$output" = --length-penalty ]

# Names of grids with characters that are special to a shell are completed literally.
hostile=build/tmp/completion_cli
rm -rf $hostile
mkdir -p $hostile/grids
cp sanlab $hostile
for name in "it's" 'two words' '$(touch canary)' 'a"b' '`touch canary`'; do
    echo "grid: g" > "$hostile/grids/$name.yaml"
done
$hostile/sanlab completion bash > $hostile/completion
output=$(cd $hostile && bash -c '. ./completion
    COMP_WORDS=(sanlab plan ""); COMP_CWORD=2; _sanlab
    for name in "${COMPREPLY[@]}"; do
        eval "set -- $name"
        [ $# = 1 ] && [ -e "grids/$1.yaml" ] && echo "$1"
    done' 2>&1 | sort | tr '\n' '|'; ls canary 2> /dev/null)
[ "$output" = "$(printf '%s\n' '$(touch canary)' '`touch canary`' 'a"b' "it's" 'two words' | sort | tr '\n' '|')" ]
ok "names of grids are quoted, and run nothing" $?
rm -rf $hostile

# keys VERB SECTION: prints the keys in this section of its help.
keys() {
    ./sanlab "$1" --help | awk -v section="$2:" '
        index($0, section) == 1 { here = 1; next }
        !/^  / { here = 0 }
        here { sub(/^figures[.]/, "", $1); print $1 }'
}
for section in "table table" "table a column" "table significance" "plot figures" "claims a claim"; do
    missing=
    for key in $(keys "${section%% *}" "${section#* }"); do
        grep -Eq "\`([^\`]*[^a-z_\`])?$key([^a-z_\`][^\`]*)?\`" docs/grid.md || missing="$missing $key"
    done
    output="docs/grid.md lacks$missing"
    [ -n "$(keys "${section%% *}" "${section#* }")" ] && [ -z "$missing" ]
    ok "docs/grid.md has every key of: ${section#* }" $?
done
finish
