#!/bin/sh
# A kind of figure is a C file, a template and an entry of a list. They are added, found by the build, shown by --help,
# drawn from tests/runs, and removed. Runs in a copy of the tree with its built objects.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
work=build/tmp/new_figure
tree_copy $work
cd $work || exit 1
cp -r tests/runs runs

# The copy of "bars" draws the same numbers in another color.
sed 's/bars_fill/columns_fill/' plots/bars.c > plots/columns.c
sed 's/#2b6ca3/#0a0b0c/' plots/bars.gp > plots/columns.gp
sed -n '/^KIND(bars,/,/)$/p' plots/kinds.def | sed 's/bars/columns/g' >> plots/kinds.def
sed -i 's/bars_fill/&, columns_fill/' plots/figure.h
build sanlab
[ "$code" = 0 ] && [ -z "$output" ]
ok "the build finds the kind and prints nothing" $?
sed '/^figures:/,$d' tests/runs/grid.yaml > g.yaml
printf 'figures:\n  - {kind: bars, title: T}\n  - {kind: columns, title: T}\n' >> g.yaml
expect "help lists the kind" 0 "^  columns +bar for each row" help options table
if command -v gnuplot > /dev/null; then
    expect "plot draws it" 0 "^  Seeds: 1, 2" plot g.yaml --runs runs --keep --out figures
    output=$(diff figures/*-1/data.tsv figures/*-2/data.tsv)
    holds "from the numbers of the copied kind" [ -z "$output" ]
    output=$(cat figures/*-2/data.tsv)
    holds "each row has a value" [ "$(cut -f 8 figures/*-2/data.tsv | grep -c '^[0-9]')" -ge 3 ]
    output=$(grep -ci '#0a0b0c\|rgb( *10, *11, *12)' figures/*.svg)
    holds "with its own template" [ "$(printf '%s\n' "$output" | grep -c ':0$')" = 1 ]
fi

sed -i '/^KIND(columns,/,/)$/d' plots/kinds.def
sed -i 's/, columns_fill//' plots/figure.h
rm plots/columns.c plots/columns.gp
build sanlab
[ "$code" = 0 ] && [ -z "$output" ]
ok "without it the program builds" $?
try plot g.yaml --runs runs
says "and refuses its name" 65 'g.yaml:[0-9]+:[0-9]+: figures.kind: .*"columns"'
finish
