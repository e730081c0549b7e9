#!/bin/sh
# The shipped manifests of data sets: every file is pinned, and the files in SANLAB_DATA have the digests.
. "$(dirname "$0")/../support/cli.sh"
. tests/support/blobs.sh
fresh data_sets_cli
data=${SANLAB_DATA:-data} sets=experiments/corpora/sets

output=$(for set in multi30k tatoeba-probing senteval logic logic-longer ud-ewt pud libreoffice-zh iwslt14 wmt14; do
    for key in description license citation fetched; do
        grep -q "^$key: ." $sets/$set.yaml || echo "$set: there is no $key"
    done
done)
holds "each set has a description, a license and a citation" [ -z "$output" ]

path='path: [a-z][A-Za-z0-9_./-]*' digest='blob: [0-9a-f]{40}'
url='url: https://raw\.githubusercontent\.com/[^/ ]+/[^/ ]+/[0-9a-f]{40}/[^ ,]+'
output=$(for set in $(grep -L '^steps:' $sets/*.yaml); do
    grep -E '^ *- ' "$set" | grep -vE "^  - \{$path, $url, $digest(, bytes: [0-9]+)?(, fetched: false)?\}$" |
        grep -vE "^    - \{$path, $digest, bytes: [0-9]+\}$" | head -n 3
    [ "$(grep -cE '^ *- ' "$set")" -gt 1 ] || echo "$set lists no files"
done)
holds "each file is pinned to a commit and has a blob id" [ -z "$output" ]

output=$(cat $sets/*.yaml | sed -nE 's|.*path: raw(/[^,]*), url: https://raw.githubusercontent.com([^,]*),.*|\1 \2|p' |
    awk '$1 != $2 { print } END { if (!NR) print "there are no sources" }')
holds "a source has the path of its URL" [ -z "$output" ]

output=$(cat $sets/*.yaml | sed -n 's/^ *- {path: \([^,}]*\).*/\1/p' | sort | uniq -d)
holds "no path occurs twice in all sets" [ -z "$output" ]

printf 'hello\n' > $work/hello
equals "(a blob id is that of git)" ce013625030ba8dba906f756967f9e9ca394464a "$(blob $work/hello)"

# same SET [PATTERN]: passes if the matching files of a set in the data folder have the manifest's
# digests.
same() {
    listed "$sets/$1.yaml" "${2-}" > $work/list
    output=$(compared "$data" < $work/list)
    status=$?
    case $output in
    "0 present, "*)
        skipped "$1: the files have the digests" "none of them is in $data" ;;
    *) ok "$1: the files have the digests ($(printf '%s\n' "$output" | tail -n 1))" $status ;;
    esac
}
for set in multi30k senteval logic logic-longer ud-ewt pud; do
    same $set
done
same tatoeba-probing 'p[a-z]*/'

reason=$(pinned_sources "$data" $work)
if [ -z "$reason" ]; then
    listed $sets/tatoeba-probing.yaml raw/ > $work/list
    equals "tatoeba-probing: the sources have the digests" "280 present, 0 absent" "$(compared $work < $work/list)"
else
    skipped "tatoeba-probing: the sources have the digests" "$reason"
fi
finish
