#!/bin/sh
# The interface of tests/golden/words.txt (docs/stability.md): every listed key, word and column of a
# grid, verb and option still exists. Additions are allowed. A line may be removed only in a new major
# version.
#   WRITE=1 sh tests/cli/stable.sh     adds the new words to that file, before a release
. "$(dirname "$0")/../support/cli.sh"
words=tests/golden/words.txt work=build/tmp/stable
rm -rf $work
mkdir -p $work
LC_ALL=C

# keys PREFIX [SECTION]: prints the keys of the options in a help text, or of one section, and the words
# of a choice: "corpus.text", "corpus.text=raw".
keys() {
    awk -v prefix="$1" -v section="$2:" '
        section == ":" ? /^  [a-z_0-9]+([.][a-z_0-9]+)+  / : here && /^  [a-z]/ {
            print prefix $1
            choices = section == "columns:" ? 0 : split($2, choice, "|")
            for (i = 1; i <= choices && choices > 1; i++)
                if (choice[i] ~ /^[a-z_0-9-]+$/) print prefix $1 "=" choice[i]
        }
        !/^  / { here = index($0, section) == 1 }'
}
# unknown PREFIX YAML: prints the keys that the error for the unknown key x lists.
unknown() {
    printf 'grid: g\ncorpus: {source: a, target: b, train: t, dev: t}\n%s\n' "$2" > $work/g.yaml
    ./sanlab plan $work/g.yaml 2>&1 | sed 's/.*expected one of: //' | tr -d ' ' | tr ',' '\n' | sed "s/^/$1/"
}
for verb in $(./sanlab --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
    echo "sanlab $verb"
    ./sanlab "$verb" --help | sed -n "s/^  \(-[^ ]*\).*/sanlab $verb \1/p"
done > $work/now
{
    unknown 'grid: ' 'x: 1'
    unknown 'row: ' 'rows: [{x: 1}]'
    ./sanlab help options all | keys 'option: '
    ./sanlab plot --help | keys 'figure: '
    ./sanlab claims --help | keys 'claim: ' 'a claim'
    ./sanlab table --help > $work/table
    keys 'table: ' table < $work/table
    keys 'significance: ' significance < $work/table
    keys 'column: ' 'a column' < $work/table
    keys 'columns: ' columns < $work/table
} >> $work/now
sort -u $work/now -o $work/now
[ -z "${WRITE:-}" ] || sort -u -o $words $work/now $words

[ "$(wc -l < $words)" -gt 600 ] && ! output=$(comm -13 $work/now $words | grep .)
ok "what a script or a grid says is still understood" $?

output=$(sed -n 's/^version: //p' CITATION.cff; sed -n 's/^## \([0-9].*\)/\1/p' CHANGELOG.md | head -n 1)
holds "VERSION is that of the citation and of the newest changes" [ "$output" = "$(cat VERSION; cat VERSION)" ]
finish
