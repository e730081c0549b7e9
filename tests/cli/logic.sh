#!/bin/sh
# sanlab logic: generates and checks pairs; errors with line and column; refused requests.
. "$(dirname "$0")/../support/cli.sh"
fresh logic_cli

try logic generate --out $work/one --pairs 3000 --seed 4
says "pairs are made" 0 "^3,[0-9]+ pairs drawn, 3,000 accepted, 2,[0-9]+ different; written to $work/one$"
made=$(cat $work/one/* | wc -l)
try logic check $work/one/*
says "nothing is wrong with them" 0 "^$(echo "$made" | sed 's/...$/,&/') lines of 26 files, [0-9,]+ different statements: 0 errors$"
./sanlab logic generate --out $work/same --pairs 3000 --seed 4 --quiet
holds "the same seed, the same bytes" diff -r $work/one $work/same
./sanlab logic generate --out $work/tran --pairs 3000 --split tran --disjoint --quiet
awk -F'\t' '{
    name = FILENAME
    gsub(/.*\/|[0-9]+$/, "", name)
    of[$2 "\t" $3] = name
} END {
    for (pair in of) {
        cut = index(pair, "\t")
        mirror = substr(pair, cut + 1) "\t" substr(pair, 1, cut - 1)
        if (mirror in of) { found++; bad += of[mirror] != of[pair] }
    }
    exit !found || bad
}' $work/tran/*
ok "no mirror is on two sides" $?
expect "other names" 0 "^$" logic generate --out $work/people --pairs 200 --names abby,ollie,oona --quiet
expect "are read as well" 0 ": 0 errors$" logic check $work/people/* --names abby,ollie,oona

# Invalid lines.
mkdir $work/bad
printf '=\ta\ta\n<\tb\tb\n=\ta\t( nto a )\n#\ta\tf\n=\ta\n' > $work/bad/train0
try logic check $work/bad/train0
says "a relation" 1 "^$work/bad/train0:2:1: wrong relation \"<\"; expected \"=\" \(equivalence\)$"
says "a symbol" 1 "^$work/bad/train0:3:7: symbol: unknown word \"nto\"; nearest is \"not\""
says "columns" 1 "^$work/bad/train0:5:1: 2 columns; expected relation, premise and hypothesis"
says "are counted" 1 "^5 lines of 1 file, 3 different statements: 3 errors$"
try logic check $work/bad/train0 --variables 3
says "more variables than declared" 1 "train0:4:5: symbol: unknown word \"f\"; expected one of: .*, a, b, c$"
for _ in 1 2 3 4 5 6 7 8; do cat $work/bad/train0; done > $work/bad/test0
expect "twenty are shown" 1 "^and 4 more$" logic check $work/bad/test0

try logic check $work/bad/train0 --quiet
[ $code = 1 ] && [ "$(printf '%s\n' "$output" | wc -l)" = 3 ]
ok "quiet, only these" $?

# Refused input.
refused() {
    what=$1 pattern=$2
    shift 2
    expect "$what" 65 "$pattern" logic "$@"
}
refused "no pairs" "logic: --pairs 0: expected a whole number from 1 to 10000000" \
    generate --out $work/x --pairs 0
refused "too many variables" "logic: --variables 7: expected a whole number from 0 to 6" \
    generate --out $work/x --variables 7
refused "more than there are names" "logic: --variables 3: expected at most 2, as many as --names has" \
    generate --out $work/x --variables 3 --names p,q
refused "too many names" "command line: --names: more than 6 variables; expected 1 to 6" \
    check $work/one/train1 --names a,b,c,d,e,f,g
refused "a name that is a symbol" "command line: --names: variable \"and\": is already a symbol" \
    check $work/one/train1 --names a,and
refused "a split" "logic: --split bowmann: expected one of bowman, tran; nearest is \"bowman\"" \
    generate --out $work/x --split bowmann
refused "no depth" "logic: --depth 0: expected a whole number from 1 to 64" \
    generate --out $work/x --depth 0
refused "no folder" "logic: --out is missing; usage: sanlab logic generate --out DIR" generate
refused "a folder that is not empty" "$work/one: the folder is not empty \(test0\); expected a new one" \
    generate --out $work/one
refused "a file for a folder" "$work/one/test0: this is a file; expected a folder" \
    generate --out $work/one/test0
refused "a file that is not there" "$work/one/train13: expected a bin of 0 to 12" \
    check $work/one/train13
refused "a bin that is not there" "$work/bad/train1: .*No such file" check $work/bad/train1
refused "a file twice" "same/train1: is a second file of train1, after $work/one/train1" \
    check $work/one/train1 $work/same/train1
refused "no file" "usage: sanlab logic .* check FILE" check
refused "an option of the other action" "logic: check has no option --seed" \
    check $work/one/train1 --seed 3
refused "and the other way" "logic: generate has no option --bins" generate --out $work/x --bins 0-6
refused "an action" "logic: there is no action \"chekc\"; nearest is \"check\"" chekc
holds "what was refused made no folder" [ ! -e $work/x ]
finish
